#include "galerkin/energy_minimisation_body.hpp"

namespace Tessera::galerkin {

template void minimise_energy(InstanceSpace const&, comm::DistCsr<double, InstanceSpace> const&,
                              Span<double const>, Tentative<InstanceSpace> const&, int,
                              sparse::ProductPlan<InstanceSpace>&, comm::DistCsr<double, InstanceSpace>&);

}  // namespace Tessera::galerkin
