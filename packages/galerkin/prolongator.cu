#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, Cuda> prolongator(Cuda const&, comm::DistCsr<double, Cuda> const&,
                                                 FilteredEntries const&, Span<double const>,
                                                 Tentative<Cuda> const&, Damping, ProlongatorPlan<Cuda>*);
template void refresh_prolongator(Cuda const&, comm::DistCsr<double, Cuda> const&, FilteredEntries const&,
                                  Span<double const>, Tentative<Cuda> const&, Damping,
                                  ProlongatorPlan<Cuda> const&, comm::DistCsr<double, Cuda>&);

}  // namespace Tessera::galerkin
