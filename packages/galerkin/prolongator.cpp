#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, InstanceSpace> prolongator(InstanceSpace const&,
                                                          comm::DistCsr<double, InstanceSpace> const&,
                                                          FilteredEntries const&, Span<double const>,
                                                          Tentative<InstanceSpace> const&, Damping,
                                                          ProlongatorPlan<InstanceSpace>*);
template void refresh_prolongator(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                                  FilteredEntries const&, Span<double const>, Tentative<InstanceSpace> const&,
                                  Damping, ProlongatorPlan<InstanceSpace> const&,
                                  comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
