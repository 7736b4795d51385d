#include "krylov/block_solve_body.hpp"

namespace Tessera::krylov {

template std::vector<Result> solve_columns(InstanceSpace const&,
                                           comm::DistMatrix<double, InstanceSpace> const&,
                                           Preconditioner const&, std::vector<Span<double const>> const&,
                                           std::vector<Span<double>> const&, Parameters const&,
                                           Workspace<InstanceSpace>&);

}  // namespace Tessera::krylov
