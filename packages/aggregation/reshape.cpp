#include "aggregation/reshape_body.hpp"

namespace Tessera::aggregation {

template void reshape(Host const&, StrengthGraph<Host> const&, Span<VertexId const>, int, Aggregates<Host>&);

}  // namespace Tessera::aggregation
