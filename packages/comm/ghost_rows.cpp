#include "comm/ghost_rows_body.hpp"
#include "comm/redistribute_body.hpp"

namespace Tessera::comm {

template ExtendedRows<double, InstanceSpace> extend_rows(InstanceSpace const&,
                                                         DistCsr<double, InstanceSpace> const&,
                                                         HaloPlan<InstanceSpace> const&);
template void refresh_extended_rows(InstanceSpace const&, DistCsr<double, InstanceSpace> const&,
                                    HaloPlan<InstanceSpace> const&, ExtendedRows<double, InstanceSpace>&);
template ExtendedRows<float, InstanceSpace> extend_rows(InstanceSpace const&,
                                                        DistCsr<float, InstanceSpace> const&,
                                                        HaloPlan<InstanceSpace> const&);

template class Redistribution<InstanceSpace>;
template DistCsr<double, InstanceSpace> Redistribution<InstanceSpace>::matrix(
    InstanceSpace const&, DistCsr<double, InstanceSpace> const&) const;
template void Redistribution<InstanceSpace>::refresh(InstanceSpace const&,
                                                     DistCsr<double, InstanceSpace> const&,
                                                     DistCsr<double, InstanceSpace>&) const;

}  // namespace Tessera::comm
