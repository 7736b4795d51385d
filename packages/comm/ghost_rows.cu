#include "comm/ghost_rows_body.hpp"

namespace Tessera::comm {

template ExtendedRows<double, Cuda> extend_rows(Cuda const&, DistCsr<double, Cuda> const&,
                                                HaloPlan<Cuda> const&);
template void refresh_extended_rows(Cuda const&, DistCsr<double, Cuda> const&, HaloPlan<Cuda> const&,
                                    ExtendedRows<double, Cuda>&);
template ExtendedRows<float, Cuda> extend_rows(Cuda const&, DistCsr<float, Cuda> const&,
                                               HaloPlan<Cuda> const&);

}  // namespace Tessera::comm
