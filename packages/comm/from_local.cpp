#include "comm/from_local_body.hpp"

namespace Tessera::comm {

template DistCsr<double, InstanceSpace> from_local(InstanceSpace const&, Distribution const&,
                                                   LocalRows<std::int32_t> const&);
template DistCsr<double, InstanceSpace> from_local(InstanceSpace const&, Distribution const&,
                                                   LocalRows<Offset> const&);

template void replace_values(InstanceSpace const&, DistCsr<double, InstanceSpace>&, Span<double const>);

}  // namespace Tessera::comm
