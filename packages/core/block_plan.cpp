#include "core/block_plan.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace Tessera::core {
namespace {

std::size_t rounded(std::size_t bytes) {
  return (bytes + BlockPlan::alignment - 1) / BlockPlan::alignment * BlockPlan::alignment;
}

}  // namespace

void BlockPlan::begin() {
  next_ = event_ = 0;
  records_.clear();
  open_.clear();
  placed_ = false;
  complete_ = true;
}

std::optional<std::size_t> BlockPlan::place(std::size_t bytes) {
  auto const found = std::find_if(places_.begin() + static_cast<std::ptrdiff_t>(next_), places_.end(),
                                  [bytes](Place const& place) { return place.bytes == bytes; });
  if (found == places_.end()) return {};
  auto const next_place = in_use_.lower_bound(found->offset);
  bool const ends_before_next = next_place == in_use_.end() || found->offset + bytes <= next_place->first;
  bool const begins_after_last =
      next_place == in_use_.begin() ||
      std::prev(next_place)->first + std::prev(next_place)->second <= found->offset;
  if (!ends_before_next || !begins_after_last) return {};
  next_ = static_cast<std::size_t>(found - places_.begin()) + 1;
  in_use_.emplace(found->offset, bytes);
  placed_ = true;
  return found->offset;
}

void BlockPlan::record_allocation(void const* block, std::size_t bytes) {
  open_[block] = records_.size();
  records_.push_back({bytes, event_++, never, std::exchange(placed_, false)});
}

void BlockPlan::record_release(void const* block) {
  auto const found = open_.find(block);
  if (found == open_.end()) return;  // allocated before the run
  auto& record = records_[found->second];
  record.released = event_++;
  complete_ = complete_ && record.placed;
  open_.erase(found);
}

std::size_t BlockPlan::assign_places() {
  records_.erase(std::remove_if(records_.begin(), records_.end(),
                                [](Record const& record) { return record.released == never; }),
                 records_.end());
  // Largest blocks first; each at the lowest offset that is free during its use.
  std::vector<Record*> order;
  for (auto& record : records_) order.push_back(&record);
  std::stable_sort(order.begin(), order.end(), [](Record* a, Record* b) { return a->bytes > b->bytes; });
  std::size_t end = 0;
  std::vector<Record const*> overlapping;
  for (std::size_t k = 0; k < order.size(); ++k) {
    auto& record = *order[k];
    overlapping.clear();
    std::copy_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k),
                 std::back_inserter(overlapping),
                 [&record](Record const* other) { return record.overlaps(*other); });
    std::sort(overlapping.begin(), overlapping.end(),
              [](Record const* a, Record const* b) { return a->offset < b->offset; });
    for (auto const* other : overlapping) {
      if (record.offset + record.bytes <= other->offset) break;
      record.offset = std::max(record.offset, rounded(other->offset + other->bytes));
    }
    end = std::max(end, record.offset + record.bytes);
  }
  places_.clear();
  for (auto const& record : records_) places_.push_back({record.bytes, record.offset});
  return rounded(end);
}

}  // namespace Tessera::core
