#include "cli/problem.hpp"

#include "core/error.hpp"
#include "gallery/problem.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {
namespace {

LinearSystem from_files(ProblemOptions const& options, int equations, Comm const& comm) {
  LinearSystem system;
  system.name = options.matrix;
  auto& data = system.data;
  data.equations = options.equations.value_or(equations);
  data.matrix = tpetra::read_matrix(options.matrix, comm, data.equations);
  auto const rows = data.matrix->getRowMap();
  if (!options.nullspace.empty()) data.nullspace = tpetra::read_dense(options.nullspace, rows);
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
