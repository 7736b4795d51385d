#include "comm/from_local_body.hpp"

namespace Tessera::comm {

template DistCsr<double, Host> from_local(Host const&, Distribution const&, LocalRows<std::int32_t> const&);
template DistCsr<double, Host> from_local(Host const&, Distribution const&, LocalRows<Offset> const&);
template Array<VertexId, Host> evenly_spaced_ids(Host const&, VertexId, VertexId, std::size_t);

}  // namespace Tessera::comm
