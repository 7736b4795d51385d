#include "comm/from_local_body.hpp"

namespace Tessera::comm {

template DistCsr<double, Host> from_local(Host const&, Distribution const&, LocalRows<std::int32_t> const&);
template DistCsr<double, Host> from_local(Host const&, Distribution const&, LocalRows<Offset> const&);

template void replace_values(Host const&, DistCsr<double, Host>&, Span<double const>);

}  // namespace Tessera::comm
