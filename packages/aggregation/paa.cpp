#include "aggregation/paa_body.hpp"

namespace Tessera::aggregation {

template Array<VertexId, Host> consecutive_numbers(Host const&, comm::Distribution const&,
                                                   Span<VertexId const>);
template Aggregates<Host> paa(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                              AggregationParameters const&, Isolated, int*);

}  // namespace Tessera::aggregation
