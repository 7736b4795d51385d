#include "cli/problem.hpp"

#include "core/error.hpp"
#include "gallery/problem.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {
namespace {

/// Constants, one for each equation, and then the given vectors, if any: files of rotations alone leave them
/// out.
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
  if (options.rhs.empty()) return system;
  system.b = tpetra::read_dense(options.rhs, rows);
  TESSERA_VALIDATE(system.b->getNumVectors() == 1, options.rhs, ": has ", system.b->getNumVectors(),
                   " columns; a right-hand side has one");
  return system;
}

LinearSystem from_gallery(ProblemOptions const& options, Comm const& comm) {
  auto const problem = gallery::make_problem(options.name, options.values, comm);
  LinearSystem system;
  system.name = problem.name;
  system.data = {problem.matrix, problem.nullspace, problem.coordinates, problem.equations};
  system.b = gallery::make_rhs(gallery::parse_rhs_kind(options.rhs_kind), *problem.matrix, problem.kernel);
  return system;
}

}  // namespace

LinearSystem make_system(ProblemOptions const& options, int equations, Comm const& comm) {
  auto system = options.name.empty() ? from_files(options, equations, comm) : from_gallery(options, comm);
  if (system.b.is_null())
    system.b = gallery::make_rhs(gallery::parse_rhs_kind(options.rhs_kind), *system.data.matrix);
  return system;
}

}  // namespace Tessera::cli
