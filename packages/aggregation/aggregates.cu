#include "aggregation/aggregates_body.hpp"

namespace Tessera::aggregation {

template Aggregates<Cuda> aggregate(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                                    AggregationParameters const&);

}  // namespace Tessera::aggregation
