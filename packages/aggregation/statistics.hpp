#pragma once
/// \file
/// How large the aggregates are.
#include "aggregation/aggregates.hpp"

namespace Tessera::aggregation {

/// Among all ranks.
struct AggregateStatistics {
  GlobalIndex count = 0;     ///< of aggregates
  GlobalIndex smallest = 0;  ///< vertices; 0 where there are no aggregates
  GlobalIndex largest = 0;
  GlobalIndex outside = 0;  ///< vertices in no aggregate
};

/// Collective. For reports: counts on the host.
template <class Space>
AggregateStatistics aggregate_statistics(Space const& space, Aggregates<Space> const& aggregates);

}  // namespace Tessera::aggregation
