#pragma once
/// \file
/// Accounts of the memory of a space (memory.hpp), and limits for tests.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/space.hpp"

namespace Tessera::core {

/// Bytes that Tessera holds in one space, process-wide.
struct MemoryUse {
  std::size_t in_use = 0;
  std::size_t peak = 0;
  std::size_t allocations = 0;  ///< blocks allocated from the system since the process began
};

/// The account of one space. The allocators of host and CUDA have one each.
class MemoryCounter {
 public:
  void add(std::size_t bytes) {
    auto const now = in_use_.fetch_add(bytes) + bytes;
    auto seen = peak_.load();
    while (seen < now && !peak_.compare_exchange_weak(seen, now)) {
    }
  }
  void remove(std::size_t bytes) { in_use_.fetch_sub(bytes); }
  void note_allocation() { ++allocations_; }
  MemoryUse use() const { return {in_use_.load(), peak_.load(), allocations_.load()}; }
  void limit(std::size_t bytes) { limit_.store(bytes); }
  bool allows(std::size_t bytes) const {
    auto const limit = limit_.load(), now = in_use_.load();
    return now <= limit && bytes <= limit - now;
  }
  std::int64_t fail_after(std::int64_t allocations) { return until_failure_.exchange(allocations); }
  /// Called once for each allocation.
  bool fails_now() { return until_failure_.load() >= 0 && until_failure_.fetch_sub(1) == 0; }
  void reset_peak() { peak_.store(in_use_.load()); }

 private:
  std::atomic<std::size_t> in_use_{0};
  std::atomic<std::size_t> peak_{0};
  std::atomic<std::size_t> allocations_{0};
  std::atomic<std::size_t> limit_{static_cast<std::size_t>(-1)};
  std::atomic<std::int64_t> until_failure_{-1};  ///< allocations before the one that fails; negative: none
};

/// One for all devices. Pinned memory adds its allocations, without its bytes.
MemoryCounter& memory_counter(Host const& space);
MemoryCounter& memory_counter(Cuda const& space);

template <class Space>
MemoryUse memory_use(Space const& space) {
  return memory_counter(space).use();
}

/// Sets the peak to the bytes that are in use now.
template <class Space>
void reset_peak(Space const& space) {
  memory_counter(space).reset_peak();
}

/// During its lifetime, an allocation of device memory by this thread throws std::logic_error.
class WithoutAllocations {
 public:
  WithoutAllocations();
  ~WithoutAllocations();
  WithoutAllocations(WithoutAllocations const&) = delete;
  WithoutAllocations& operator=(WithoutAllocations const&) = delete;
};

/// For tests: from now on an allocation fails if more than `bytes` would be in use. (size_t)-1: no limit.
template <class Space>
void limit_memory(Space const& space, std::size_t bytes) {
  memory_counter(space).limit(bytes);
}

/// For tests: the next `allocations` allocations succeed, and the one after them fails, once. Negative: none
/// fails. Returns the number of allocations that were left before a failure; negative if that failure has
/// occurred.
template <class Space>
std::int64_t fail_after(Space const& space, std::int64_t allocations) {
  return memory_counter(space).fail_after(allocations);
}

}  // namespace Tessera::core
