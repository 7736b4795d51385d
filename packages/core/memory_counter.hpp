#pragma once
/// \file
/// Counts the bytes of one space; shared by the host and the CUDA allocator.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "core/memory.hpp"

namespace Tessera::core {

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
  std::int64_t fail_after(std::int64_t allocations) { return left_.exchange(allocations); }
  /// Asked once an allocation.
  bool fails_now() { return left_.load() >= 0 && left_.fetch_sub(1) == 0; }
  void reset_peak() { peak_.store(in_use_.load()); }

 private:
  std::atomic<std::size_t> in_use_{0};
  std::atomic<std::size_t> peak_{0};
  std::atomic<std::size_t> allocations_{0};
  std::atomic<std::size_t> limit_{static_cast<std::size_t>(-1)};
  std::atomic<std::int64_t> left_{-1};  ///< allocations before one that fails; negative: none does
};

}  // namespace Tessera::core
