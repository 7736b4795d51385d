#include "comm/ghost_rows_body.hpp"

namespace Tessera::comm {

template ExtendedRows<double, Host> extend_rows(Host const&, DistCsr<double, Host> const&,
                                                HaloPlan<Host> const&);
template void refresh_extended_rows(Host const&, DistCsr<double, Host> const&, HaloPlan<Host> const&,
                                    ExtendedRows<double, Host>&);
template ExtendedRows<float, Host> extend_rows(Host const&, DistCsr<float, Host> const&,
                                               HaloPlan<Host> const&);

}  // namespace Tessera::comm
