#include "aggregation/join_cuda.cuh"

namespace Tessera::aggregation {

template Aggregates<Cuda> aggregate(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                                    AggregationParameters const&);

}  // namespace Tessera::aggregation
