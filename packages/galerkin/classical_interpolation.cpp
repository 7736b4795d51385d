#include "galerkin/classical_interpolation_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, InstanceSpace> classical_interpolation(
    InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, Span<unsigned char const>,
    Tentative<InstanceSpace> const&, Span<VertexId const>, ClassicalParameters const&,
    ReachedAggregates<InstanceSpace>&, ClassicalPlan<InstanceSpace>*);
template void refresh_classical_interpolation(InstanceSpace const&,
                                              comm::DistCsr<double, InstanceSpace> const&,
                                              Span<unsigned char const>, ClassicalPlan<InstanceSpace>&,
                                              comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
