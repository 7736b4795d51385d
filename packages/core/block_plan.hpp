#pragma once
/// \file
/// Places for the temporary blocks of repeated work in one piece of memory.
#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace Tessera::core {

/// Records the allocations and releases of a run. Assigns a place to each released block, such that blocks in
/// use at the same time do not overlap. Later runs, which allocate in the same order, get these places. A
/// request gets no place if the plan does not have it, or if its place is in use.
class BlockPlan {
 public:
  static constexpr std::size_t alignment = 256;  ///< of places, in bytes

  /// Begins a run, and discards the records of the run before.
  void begin();
  /// The offset of the next block of this size, which is in use from now on.
  std::optional<std::size_t> place(std::size_t bytes);
  /// Records the allocation of a block, with or without a place, and its release.
  void record_allocation(void const* block, std::size_t bytes);
  void record_release(void const* block);
  /// Frees the place at this offset.
  void vacate(std::size_t offset) { in_use_.erase(offset); }

  /// Whether every block that the last run released had a place.
  bool complete() const { return complete_; }
  bool any_in_use() const { return !in_use_.empty(); }
  /// Assigns places for runs like the last one. Returns the size of the piece of memory. O(blocks^2).
  std::size_t assign_places();

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  struct Record {
    std::size_t bytes, allocated, released;  ///< the latter two: event numbers in the run
    bool placed;
    std::size_t offset = 0;
    bool overlaps(Record const& other) const {
      return allocated < other.released && other.allocated < released;
    }
  };
  struct Place {
    std::size_t bytes, offset;
  };

  std::vector<Place> places_;  ///< in the order of requests
  std::size_t next_ = 0;
  std::map<std::size_t, std::size_t> in_use_;  ///< offsets and bytes

  std::vector<Record> records_;
  std::unordered_map<void const*, std::size_t> open_;  ///< records of blocks in use
  std::size_t event_ = 0;
  bool placed_ = false;  ///< whether the next recorded block has a place
  bool complete_ = false;
};

}  // namespace Tessera::core
