#include "comm/distribution.hpp"

#include <algorithm>
#include <numeric>

namespace Tessera::comm {

Distribution::Distribution(Communicator const& comm, Index owned) : comm_(comm) {
  auto const counts = comm.all_gather(GlobalIndex{owned});
  offsets_.assign(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), offsets_.begin() + 1);
}

int Distribution::owner(GlobalIndex i) const {
  // The last rank that begins at or before i: the ones before it with the same begin own nothing.
  return static_cast<int>(std::upper_bound(offsets_.begin(), offsets_.end(), i) - offsets_.begin()) - 1;
}

}  // namespace Tessera::comm
