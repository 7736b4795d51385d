#include "gallery/problem.hpp"

#include "cli/commands.hpp"
#include "core/error.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::cli {

int run_gallery(Options const& options, Comm const& comm) {
  auto const problem = gallery::make_problem(options.problem.name, options.problem.values, comm);
  tpetra::write_matrix(options.out, *problem.matrix);
  if (!options.out_rhs.empty()) {
    auto const kind = gallery::parse_rhs_kind(options.problem.rhs_kind);
    tpetra::write_dense(options.out_rhs, *gallery::make_rhs(kind, *problem.matrix));
  }
  if (!options.out_nullspace.empty()) {
    TESSERA_VALIDATE(!problem.nullspace.is_null(), "--out-nullspace: the near-nullspace of ", problem.name,
                     " is the constant vector, which needs no file");
    tpetra::write_dense(options.out_nullspace, *problem.nullspace);
  }
  if (!options.out_coordinates.empty()) {
    TESSERA_VALIDATE(!problem.coordinates.is_null(), "--out-coordinates: ", problem.name,
                     " has no coordinates");
    tpetra::write_dense(options.out_coordinates, *problem.coordinates);
  }
  return 0;
}

}  // namespace Tessera::cli
