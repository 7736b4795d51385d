#include "cli/commands.hpp"
#include "cli/output.hpp"
#include "core/error.hpp"
#include "gallery/problem.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {

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
