#include "aggregation/reshape_body.hpp"

namespace Tessera::aggregation {

template void reshape(InstanceSpace const&, StrengthGraph<InstanceSpace> const&, Span<VertexId const>, int,
                      Aggregates<InstanceSpace>&);

}  // namespace Tessera::aggregation
