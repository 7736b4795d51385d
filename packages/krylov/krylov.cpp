#include "krylov/block_solve_body.hpp"
#include "krylov/conjugate_gradients_body.hpp"
#include "krylov/lanczos_body.hpp"

namespace Tessera::krylov {

template class Workspace<InstanceSpace>;
template Result solve(InstanceSpace const&, comm::DistMatrix<double, InstanceSpace> const&,
                      Preconditioner const&, Span<double const>, Span<double>, Parameters const&,
                      Workspace<InstanceSpace>&);
template RoundingScale rounding_scale(InstanceSpace const&, comm::DistMatrix<double, InstanceSpace> const&,
                                      Span<double const>, Span<double const>, Workspace<InstanceSpace>&,
                                      Span<double const> const*);

template std::vector<Result> solve_columns(InstanceSpace const&,
                                           comm::DistMatrix<double, InstanceSpace> const&,
                                           Preconditioner const&, std::vector<Span<double const>> const&,
                                           std::vector<Span<double>> const&, Parameters const&,
                                           Workspace<InstanceSpace>&);

template void spectral_radius(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<double const>, Span<VertexId const>, int, Entries<InstanceSpace> const&,
                              double*, GershgorinBound const&);

}  // namespace Tessera::krylov
