#include "krylov/conjugate_gradients_body.hpp"

namespace Tessera::krylov {

template class Workspace<InstanceSpace>;
template Result solve(InstanceSpace const&, comm::DistMatrix<double, InstanceSpace> const&,
                      Preconditioner const&, Span<double const>, Span<double>, Parameters const&,
                      Workspace<InstanceSpace>&);
template RoundingScale rounding_scale(InstanceSpace const&, comm::DistMatrix<double, InstanceSpace> const&,
                                      Span<double const>, Span<double const>, Workspace<InstanceSpace>&,
                                      Span<double const> const*);

}  // namespace Tessera::krylov
