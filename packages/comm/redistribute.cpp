#include "comm/redistribute_body.hpp"

namespace Tessera::comm {

template class Redistribution<InstanceSpace>;
template DistCsr<double, InstanceSpace> Redistribution<InstanceSpace>::matrix(
    InstanceSpace const&, DistCsr<double, InstanceSpace> const&) const;
template void Redistribution<InstanceSpace>::refresh(InstanceSpace const&,
                                                     DistCsr<double, InstanceSpace> const&,
                                                     DistCsr<double, InstanceSpace>&) const;

}  // namespace Tessera::comm
