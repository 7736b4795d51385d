#pragma once
/// \file
/// Large blocks of the host that were given back and wait for the next request of their size.
#include <cstddef>
#include <map>
#include <mutex>

namespace Tessera::core {

/// The system clears every page that it hands out, which took a seventh of a setup's time: its large
/// temporary arrays come and go in a few sizes. Spare blocks never raise the peak: who needs memory beyond it
/// drops them first.
class SpareMemory {
 public:
  /// Large requests are rounded up to one of eight sizes per power of two, so that blocks of similar arrays
  /// fit each other; pages that nobody touches cost nothing. Small ones are as they are.
  static std::size_t rounded(std::size_t bytes);
  static bool is_large(std::size_t bytes) { return bytes >= large; }
  static constexpr std::size_t large = std::size_t{4} << 20;

  /// A block of rounded(bytes), or null.
  void* take(std::size_t bytes);
  /// Keeps a block of rounded(bytes).
  void keep(void* block, std::size_t bytes);
  /// Gives everything back to the system.
  void drop();
  std::size_t bytes() const { return bytes_; }

  SpareMemory() = default;
  SpareMemory(SpareMemory const&) = delete;
  SpareMemory& operator=(SpareMemory const&) = delete;
  ~SpareMemory() { drop(); }

 private:
  std::mutex mutex_;
  std::multimap<std::size_t, void*> blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace Tessera::core
