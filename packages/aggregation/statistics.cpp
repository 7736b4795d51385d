#include "aggregation/statistics_body.hpp"

namespace Tessera::aggregation {

template AggregateStatistics aggregate_statistics(Host const&, Aggregates<Host> const&);

}  // namespace Tessera::aggregation
