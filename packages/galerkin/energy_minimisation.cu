#include "galerkin/energy_minimisation_body.hpp"

namespace Tessera::galerkin {

template void minimise_energy(Cuda const&, comm::DistCsr<double, Cuda> const&, Span<double const>,
                              Tentative<Cuda> const&, int, sparse::ProductPlan<Cuda>&,
                              comm::DistCsr<double, Cuda>&);

}  // namespace Tessera::galerkin
