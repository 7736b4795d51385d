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
  next_ = moment_ = 0;
  notes_.clear();
  open_.clear();
  placed_ = false;
  complete_ = true;
}

std::optional<std::size_t> BlockPlan::place(std::size_t bytes) {
  auto const found = std::find_if(places_.begin() + static_cast<std::ptrdiff_t>(next_), places_.end(),
                                  [bytes](Place const& place) { return place.bytes == bytes; });
  if (found == places_.end()) return {};
  auto const behind = in_use_.lower_bound(found->offset);
  bool const ends_before_next = behind == in_use_.end() || found->offset + bytes <= behind->first;
  bool const begins_after_last =
      behind == in_use_.begin() || std::prev(behind)->first + std::prev(behind)->second <= found->offset;
  if (!ends_before_next || !begins_after_last) return {};
  next_ = static_cast<std::size_t>(found - places_.begin()) + 1;
  in_use_.emplace(found->offset, bytes);
  placed_ = true;
  return found->offset;
}

void BlockPlan::taken(void const* block, std::size_t bytes) {
  open_[block] = notes_.size();
  notes_.push_back({bytes, moment_++, never, std::exchange(placed_, false)});
}

void BlockPlan::given_back(void const* block) {
  auto const found = open_.find(block);
  if (found == open_.end()) return;  // it is older than the run
  auto& note = notes_[found->second];
  note.given_back = moment_++;
  complete_ = complete_ && note.placed;
  open_.erase(found);
}

std::size_t BlockPlan::lay_out() {
  notes_.erase(
      std::remove_if(notes_.begin(), notes_.end(), [](Note const& note) { return note.given_back == never; }),
      notes_.end());
  // The largest first, each at the lowest place that is free as long as it is in use.
  std::vector<Note*> order;
  for (auto& note : notes_) order.push_back(&note);
  std::stable_sort(order.begin(), order.end(), [](Note* a, Note* b) { return a->bytes > b->bytes; });
  std::size_t end = 0;
  std::vector<Note const*> met;
  for (std::size_t k = 0; k < order.size(); ++k) {
    auto& note = *order[k];
    met.clear();
    std::copy_if(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(k), std::back_inserter(met),
                 [&note](Note const* other) { return note.meets(*other); });
    std::sort(met.begin(), met.end(), [](Note const* a, Note const* b) { return a->offset < b->offset; });
    for (auto const* other : met) {
      if (note.offset + note.bytes <= other->offset) break;
      note.offset = std::max(note.offset, rounded(other->offset + other->bytes));
    }
    end = std::max(end, note.offset + note.bytes);
  }
  places_.clear();
  for (auto const& note : notes_) places_.push_back({note.bytes, note.offset});
  return rounded(end);
}

}  // namespace Tessera::core
