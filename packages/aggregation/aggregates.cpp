#include "aggregation/aggregates_body.hpp"

namespace Tessera::aggregation {

template Aggregates<Host> aggregate(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                                    AggregationParameters const&);

}  // namespace Tessera::aggregation
