#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, Host> prolongator(Host const&, comm::DistCsr<double, Host> const&,
                                                 FilteredEntries const&, Span<double const>,
                                                 Tentative<Host> const&, Damping, ProlongatorPlan<Host>*);
template void refresh_prolongator(Host const&, comm::DistCsr<double, Host> const&, FilteredEntries const&,
                                  Span<double const>, Tentative<Host> const&, Damping,
                                  ProlongatorPlan<Host> const&, comm::DistCsr<double, Host>&);

}  // namespace Tessera::galerkin
