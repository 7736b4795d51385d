#include "aggregation/aggregates_body.hpp"
#include "aggregation/mis2_body.hpp"

namespace Tessera::aggregation {

template sparse::FrontierRun mis2(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                                  Span<unsigned char const>, sparse::Among const&,
                                  AggregationParameters const&, Span<unsigned char>);
template Aggregates<Host> aggregate(Host const&, StrengthGraph<Host> const&, Span<VertexId const>,
                                    AggregationParameters const&);

}  // namespace Tessera::aggregation
