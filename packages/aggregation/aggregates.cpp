#include "aggregation/aggregates_body.hpp"
#include "aggregation/mis2_body.hpp"
#include "aggregation/paa_body.hpp"

namespace Tessera::aggregation {

template sparse::FrontierRun mis2(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                  Span<VertexId const>, Span<unsigned char const>,
                                  sparse::VertexSubset const&, AggregationParameters const&,
                                  Span<unsigned char>);
template Aggregates<InstanceSpace> aggregate(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                             Span<VertexId const>, AggregationParameters const&);
template Array<VertexId, InstanceSpace> consecutive_numbers(InstanceSpace const&, comm::Distribution const&,
                                                            Span<VertexId const>);
template Aggregates<InstanceSpace> paa(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                       Span<VertexId const>, AggregationParameters const&, Isolated, int*);

}  // namespace Tessera::aggregation
