#pragma once
/// \file
/// Counts the bytes of one space; shared by the host and the CUDA allocator.
#include <atomic>
#include <cstddef>

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
  void reset_peak() { peak_.store(in_use_.load()); }

 private:
  std::atomic<std::size_t> in_use_{0};
  std::atomic<std::size_t> peak_{0};
  std::atomic<std::size_t> allocations_{0};
  std::atomic<std::size_t> limit_{static_cast<std::size_t>(-1)};
};

}  // namespace Tessera::core
