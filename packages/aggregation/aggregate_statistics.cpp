#include "aggregation/aggregates.hpp"

#include <algorithm>
#include <limits>

#include "comm/packed_buffers.hpp"

namespace Tessera::aggregation {

AggregateStatistics aggregate_statistics(comm::Distribution const& coarse,
                                         std::vector<GlobalIndex> const& aggregate) {
  std::vector<GlobalIndex> size(coarse.local_size(), 0);
  comm::PackedBuffers buffers;
  GlobalIndex outside = 0;
  for (auto const a : aggregate) {
    if (a < 0) {
      ++outside;
    } else if (coarse.owns(a)) {
      ++size[a - coarse.begin()];
    } else {
      comm::write(buffers[coarse.owner(a)], &a, 1);
    }
  }
  for (auto const& [sender, buffer] : coarse.comm().exchange(buffers)) {
    for (auto const a : comm::numbers_of<GlobalIndex>(buffer)) ++size[a - coarse.begin()];
  }
  AggregateStatistics result;
  result.count = coarse.global_size();
  result.outside = coarse.comm().sum(outside);
  if (result.count == 0) return result;
  auto smallest = std::numeric_limits<GlobalIndex>::max();
  GlobalIndex largest = 0;
  for (auto const s : size) {
    smallest = std::min(smallest, s);
    largest = std::max(largest, s);
  }
  result.smallest = coarse.comm().min(smallest);
  result.largest = coarse.comm().max(largest);
  return result;
}

}  // namespace Tessera::aggregation
