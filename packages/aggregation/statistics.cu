#include "aggregation/statistics_body.hpp"

namespace Tessera::aggregation {

template AggregateStatistics aggregate_statistics(Cuda const&, Aggregates<Cuda> const&);

}  // namespace Tessera::aggregation
