#pragma once
/// \file
/// Where the temporary blocks of repeated work lie in one piece of memory.
#include <cstddef>
#include <map>
#include <optional>
#include <unordered_map>
#include <vector>

namespace Tessera::core {

/// Notes which blocks a run asks for and gives back, gives each of those a place such that blocks in use at
/// the same time do not overlap, and hands the places out to later runs, which ask in the same order. A
/// request that the plan does not have, or whose place is taken, gets none.
class BlockPlan {
 public:
  static constexpr std::size_t alignment = 256;  ///< of places, bytes

  /// A run begins; notes of the one before are forgotten.
  void begin();
  /// The offset of the next block of so many bytes, which is in use from now on.
  std::optional<std::size_t> place(std::size_t bytes);
  /// Notes that the run has got a block, from the plan or from elsewhere.
  void taken(void const* block, std::size_t bytes);
  void given_back(void const* block);
  /// The block at this offset is free again.
  void vacate(std::size_t offset) { in_use_.erase(offset); }

  /// Whether the run that has ended got a place for all that it gave back.
  bool complete() const { return complete_; }
  bool any_in_use() const { return !in_use_.empty(); }
  /// Plans for runs such as the last one. Returns the bytes of all places together. O(blocks^2).
  std::size_t lay_out();

 private:
  static constexpr std::size_t never = static_cast<std::size_t>(-1);
  struct Note {
    std::size_t bytes, taken, given_back;  ///< the latter two: moments of the run
    bool placed;
    std::size_t offset = 0;
    bool meets(Note const& other) const { return taken < other.given_back && other.taken < given_back; }
  };
  struct Place {
    std::size_t bytes, offset;
  };

  std::vector<Place> places_;  ///< in the order of requests
  std::size_t next_ = 0;
  std::map<std::size_t, std::size_t> in_use_;  ///< offsets and bytes

  std::vector<Note> notes_;
  std::unordered_map<void const*, std::size_t> open_;  ///< notes of blocks that are in use
  std::size_t moment_ = 0;
  bool placed_ = false;  ///< the block that is noted next has a place
  bool complete_ = false;
};

}  // namespace Tessera::core
