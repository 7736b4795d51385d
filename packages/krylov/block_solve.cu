#include "krylov/block_solve_body.hpp"

namespace Tessera::krylov {

template std::vector<Result> solve_columns(Cuda const&, comm::DistMatrix<double, Cuda> const&,
                                           Preconditioner const&, std::vector<Span<double const>> const&,
                                           std::vector<Span<double>> const&, Parameters const&,
                                           Workspace<Cuda>&);

}  // namespace Tessera::krylov
