#include "aggregation/aggregates_body.hpp"
#include "aggregation/mis2_body.hpp"

namespace Tessera::aggregation {

template sparse::FrontierRun mis2(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                  Span<VertexId const>, Span<unsigned char const>,
                                  sparse::VertexSubset const&, AggregationParameters const&,
                                  Span<unsigned char>);
template Aggregates<InstanceSpace> aggregate(InstanceSpace const&, StrengthGraph<InstanceSpace> const&,
                                             Span<VertexId const>, AggregationParameters const&);

}  // namespace Tessera::aggregation
