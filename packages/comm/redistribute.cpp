#include "comm/redistribute_body.hpp"

namespace Tessera::comm {

template class Redistribution<Host>;
template DistCsr<double, Host> Redistribution<Host>::matrix(Host const&, DistCsr<double, Host> const&) const;
template void Redistribution<Host>::refresh(Host const&, DistCsr<double, Host> const&,
                                            DistCsr<double, Host>&) const;

}  // namespace Tessera::comm
