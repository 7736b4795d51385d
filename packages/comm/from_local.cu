#include "comm/from_local_body.hpp"

namespace Tessera::comm {

template DistCsr<double, Cuda> from_local(Cuda const&, Distribution const&, LocalRows<std::int32_t> const&);
template DistCsr<double, Cuda> from_local(Cuda const&, Distribution const&, LocalRows<Offset> const&);

template void replace_values(Cuda const&, DistCsr<double, Cuda>&, Span<double const>);

}  // namespace Tessera::comm
