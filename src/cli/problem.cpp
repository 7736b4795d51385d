#include "gallery/problem.hpp"
#include "cli/measure.hpp"
#include "core/error.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {
namespace {

/// A constant vector for each equation, followed by the given vectors, if any. Files with rotations alone
/// lack the constants.
Teuchos::RCP<tpetra::MultiVector> with_translations(tpetra::CrsMatrix const& A,
                                                    Teuchos::RCP<tpetra::MultiVector> const& given,
                                                    int equations) {
  auto const more = given.is_null() ? std::size_t{0} : given->getNumVectors();
  auto const all = Teuchos::rcp(new tpetra::MultiVector(A.getRowMap(), equations + more));
  for (int e = 0; e < equations; ++e) {
    auto const column = all->getDataNonConst(e);
    for (Teuchos_Ordinal i = e; i < column.size(); i += equations) column[i] = 1.0;
  }
  for (std::size_t c = 0; c < more; ++c)
    all->getVectorNonConst(equations + c)->update(1.0, *given->getVector(c), 0.0);
  return all;
}

/// The description of a right-hand side that is not from a file.
std::string rhs_text(gallery::RhsKind kind, gallery::Kernel kernel, int columns) {
  using gallery::RhsKind;
  bool const constants = kernel == gallery::Kernel::constants;
  std::string range = constants ? ", odd about the middle row, since the matrix is singular" : "";
  if (columns > 1)
    range += core::message(", the first of ", columns, " columns, of which the others are random");
  if (kind == RhsKind::random) return "b random" + range;
  if (kind == RhsKind::consistent) return "b = A times ones" + range;
  return (constants ? "b = 1 and -1" : "b = 1") + range;
}

LinearSystem from_files(ProblemOptions const& options, int equations, Comm const& comm) {
  LinearSystem system;
  system.name = options.matrix;
  auto& data = system.data;
  data.equations = options.equations.value_or(equations);
  data.matrix = tpetra::read_matrix(options.matrix, comm, data.equations);
  auto const rows = data.matrix->getRowMap();
  if (!options.nullspace.empty()) data.nullspace = tpetra::read_dense(options.nullspace, rows);
  if (options.with_translations)
    data.nullspace = with_translations(*data.matrix, data.nullspace, data.equations);
  if (!options.coordinates.empty())
    data.coordinates = tpetra::read_dense(options.coordinates, tpetra::node_map(*rows, data.equations));
  if (!options.material.empty())
    data.material = tpetra::read_dense(options.material, tpetra::node_map(*rows, data.equations));
  if (options.rhs.empty()) return system;
  system.rhs = "b from " + options.rhs;
  system.b = tpetra::read_dense(options.rhs, rows);
  if (system.b->getNumVectors() > 1)
    system.rhs = core::message("b of ", system.b->getNumVectors(), " columns from ", options.rhs);
  return system;
}

LinearSystem from_gallery(ProblemOptions const& options, Comm const& comm) {
  auto const problem = gallery::make_problem(options.name, options.values, comm);
  LinearSystem system;
  system.name = problem.name;
  system.data = {problem.matrix, problem.nullspace, problem.coordinates, problem.equations};
  auto const kind = gallery::parse_rhs_kind(options.rhs_kind);
  system.b = gallery::make_rhs(kind, *problem.matrix, problem.kernel, options.columns);
  system.rhs = rhs_text(kind, problem.kernel, options.columns);
  return system;
}

}  // namespace

LinearSystem make_system(ProblemOptions const& options, int equations, Comm const& comm) {
  auto system = options.name.empty() ? from_files(options, equations, comm) : from_gallery(options, comm);
  if (!system.b.is_null()) return system;
  auto const kind = gallery::parse_rhs_kind(options.rhs_kind);
  system.b = gallery::make_rhs(kind, *system.data.matrix, gallery::Kernel::none, options.columns);
  system.rhs = rhs_text(kind, gallery::Kernel::none, options.columns);
  return system;
}

int run_gallery(Options const& options, Comm const& comm) {
  require_outputs(options, comm);
  auto const problem = gallery::make_problem(options.problem.name, options.problem.values, comm);
  TESSERA_VALIDATE(options.out_nullspace.empty() || !problem.nullspace.is_null(),
                   "--out-nullspace: the near-nullspace of ", problem.name,
                   " is the constant vector, which needs no file");
  TESSERA_VALIDATE(options.out_coordinates.empty() || !problem.coordinates.is_null(),
                   "--out-coordinates: ", problem.name, " has no coordinates");
  tpetra::write_matrix(options.out, *problem.matrix);
  if (!options.out_rhs.empty()) {
    auto const kind = gallery::parse_rhs_kind(options.problem.rhs_kind);
    tpetra::write_dense(options.out_rhs, *gallery::make_rhs(kind, *problem.matrix, problem.kernel));
  }
  if (!options.out_nullspace.empty()) tpetra::write_dense(options.out_nullspace, *problem.nullspace);
  if (!options.out_coordinates.empty()) tpetra::write_dense(options.out_coordinates, *problem.coordinates);
  return 0;
}

}  // namespace Tessera::cli
