#pragma once
/// \file
/// Sizes of aggregates.
#include <vector>

#include "comm/distribution.hpp"

namespace Tessera::aggregation {

/// Over all ranks.
struct AggregateStatistics {
  GlobalIndex count = 0;     ///< of aggregates
  GlobalIndex smallest = 0;  ///< vertices; 0 where there are no aggregates
  GlobalIndex largest = 0;
  GlobalIndex outside = 0;  ///< vertices in no aggregate
};

/// aggregate: of each owned vertex, -1: none. Collective.
AggregateStatistics aggregate_statistics(comm::Distribution const& coarse,
                                         std::vector<GlobalIndex> const& aggregate);

}  // namespace Tessera::aggregation
