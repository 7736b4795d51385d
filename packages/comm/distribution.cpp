#include "comm/distribution.hpp"

#include <algorithm>
#include <numeric>

namespace Tessera::comm {

Distribution::Distribution(Communicator const& comm, Index owned)
    : comm_(comm), offsets_(comm.size() + 1, 0) {
  offsets_[comm.rank() + 1] = owned;
  comm.all_gather(GlobalIndex{owned}, offsets_.data() + 1);
  std::partial_sum(offsets_.begin(), offsets_.end(), offsets_.begin());
}

Distribution Distribution::multiplied(int width) const {
  auto result = *this;
  for (auto& begin : result.offsets_) begin *= width;
  return result;
}

Distribution Distribution::divided(int width) const {
  auto result = *this;
  for (auto& begin : result.offsets_) begin /= width;
  return result;
}

Distribution Distribution::gathered(int group) const {
  auto result = *this;
  int const size = comm_.size();
  for (int r = 0; r < size; ++r)
    result.offsets_[r] = offsets_[std::min((r + group - 1) / group * group, size)];
  return result;
}

int Distribution::active_ranks() const {
  int active = 0;
  for (int r = 0; r < comm_.size(); ++r) active += begin(r + 1) > begin(r) ? 1 : 0;
  return active;
}

bool Distribution::on_one_rank_with(Distribution const& other) const {
  int active = 0;
  for (int r = 0; r < comm_.size(); ++r)
    active += begin(r + 1) > begin(r) || other.begin(r + 1) > other.begin(r) ? 1 : 0;
  return active <= 1;
}

int Distribution::owner(GlobalIndex i) const {
  // The last rank that begins at or before i; earlier ranks with the same begin own nothing.
  return static_cast<int>(std::upper_bound(offsets_.begin(), offsets_.end(), i) - offsets_.begin()) - 1;
}

}  // namespace Tessera::comm
