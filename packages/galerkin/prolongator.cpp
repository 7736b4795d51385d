#include "galerkin/prolongator_body.hpp"

namespace Tessera::galerkin {

template comm::DistCsr<double, Host> prolongator_symbolic(Host const&, comm::DistCsr<double, Host> const&,
                                                          Span<unsigned char const>,
                                                          Span<unsigned char const>, Tentative<Host> const&);
template void prolongator_numeric(Host const&, comm::DistCsr<double, Host> const&, Span<unsigned char const>,
                                  Span<unsigned char const>, Span<double const>, Tentative<Host> const&,
                                  double, comm::DistCsr<double, Host>&);

}  // namespace Tessera::galerkin
