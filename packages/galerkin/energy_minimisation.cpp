#include "galerkin/energy_minimisation_body.hpp"

namespace Tessera::galerkin {

template void minimise_energy(Host const&, comm::DistCsr<double, Host> const&, Span<double const>,
                              Tentative<Host> const&, int, sparse::ProductPlan<Host>&,
                              comm::DistCsr<double, Host>&);

}  // namespace Tessera::galerkin
