#include "aggregation/paa_body.hpp"

namespace Tessera::aggregation {

template Array<VertexId, Cuda> consecutive_numbers(Cuda const&, comm::Distribution const&,
                                                   Span<VertexId const>);
template Aggregates<Cuda> paa(Cuda const&, StrengthGraph<Cuda> const&, Span<VertexId const>,
                              AggregationParameters const&, Isolated, int*);

}  // namespace Tessera::aggregation
