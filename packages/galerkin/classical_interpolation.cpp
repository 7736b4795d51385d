#include "galerkin/classical_interpolation_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, InstanceSpace> classical_interpolation(
    InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, Span<unsigned char const>,
    Tentative<InstanceSpace> const&, Span<VertexId const>, ClassicalParameters const&,
    ReachedAggregates<InstanceSpace>&, ClassicalPlan<InstanceSpace>*, Tentative<InstanceSpace> const*);
template void refresh_classical_interpolation(InstanceSpace const&,
                                              comm::DistCsr<double, InstanceSpace> const&,
                                              Span<unsigned char const>, ClassicalPlan<InstanceSpace>&,
                                              comm::DistCsr<double, InstanceSpace>&);
template comm::DistCsr<double, InstanceSpace> two_stage_interpolation(
    InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&, Span<unsigned char const>,
    Tentative<InstanceSpace> const&, Span<VertexId const>, ClassicalParameters const&,
    ReachedAggregates<InstanceSpace>&, TwoStages<InstanceSpace>&, bool);
template void refresh_two_stage_interpolation(InstanceSpace const&,
                                              comm::DistCsr<double, InstanceSpace> const&,
                                              Span<unsigned char const>, TwoStages<InstanceSpace>&,
                                              comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
