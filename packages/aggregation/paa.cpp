#include "aggregation/paa_body.hpp"

namespace Tessera::aggregation {

template Array<VertexId, InstanceSpace> consecutive_numbers(InstanceSpace const&, comm::Distribution const&,
                                                            Span<VertexId const>);
template Aggregates<InstanceSpace> paa(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                       Span<VertexId const>, AggregationParameters const&, Isolated, int*);

}  // namespace Tessera::aggregation
