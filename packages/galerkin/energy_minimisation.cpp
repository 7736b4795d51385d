#include "galerkin/energy_minimisation_body.hpp"
#include "galerkin/reached_aggregates_body.hpp"

namespace Tessera::galerkin {

template ReachedAggregates<InstanceSpace> reached_aggregates(InstanceSpace const&,
                                                             aggregation::StrengthGraph<InstanceSpace> const&,
                                                             Tentative<InstanceSpace> const&,
                                                             Span<unsigned char const>,
                                                             EnergyParameters const&);
template comm::DistCsr<double, InstanceSpace> tentative_on_pattern(InstanceSpace const&,
                                                                   ReachedAggregates<InstanceSpace> const&,
                                                                   Tentative<InstanceSpace> const&,
                                                                   comm::Distribution const&);
template void reset_to_tentative(InstanceSpace const&, ReachedAggregates<InstanceSpace> const&,
                                 Tentative<InstanceSpace> const&, comm::DistCsr<double, InstanceSpace>&);
template void minimise_energy(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<double const>, Tentative<InstanceSpace> const&, int,
                              sparse::ProductPlan<InstanceSpace>&, comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
