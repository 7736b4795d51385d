#include "aggregation/reshape_body.hpp"

namespace Tessera::aggregation {

template void reshape(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>, int, Aggregates<Cuda>&);

}  // namespace Tessera::aggregation
