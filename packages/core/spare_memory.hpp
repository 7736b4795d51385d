#pragma once
/// \file
/// Large blocks of the host that were given back and wait for the next requests.
#include <cstddef>
#include <map>
#include <mutex>

#include "core/system_memory.hpp"

namespace Tessera::core {

/// The system clears every page that it hands out, which took a seventh of a setup's time: its large
/// temporary arrays come and go. Blocks that lie side by side are joined and cut as requests want them: with
/// blocks of equal sizes only, a setup and two refreshes of Laplace3D 101^3 spent half as much time again on
/// clearing pages (171 ms, now 113). Spare blocks never raise the peak: who needs memory beyond it takes away
/// from them first.
class SpareMemory {
 public:
  /// Requests of several huge pages are rounded up to whole ones, those of a quarter of a megabyte and more
  /// to pages; pages that nobody touches cost nothing. Small ones are as they are.
  static std::size_t rounded(std::size_t bytes);
  static bool is_large(std::size_t bytes) { return bytes >= SystemMemory::large; }

  /// A block of rounded(bytes), or null.
  void* take(std::size_t bytes);
  /// Keeps a block of rounded(bytes).
  void keep(void* block, std::size_t bytes);
  /// Gives at least so much back to the system, or all that there is.
  void give_back(std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

  SpareMemory() = default;
  SpareMemory(SpareMemory const&) = delete;
  SpareMemory& operator=(SpareMemory const&) = delete;
  ~SpareMemory() { give_back(bytes_); }

 private:
  using Blocks = std::map<char*, std::size_t>;  ///< no two side by side
  /// The smallest of at least so many bytes.
  Blocks::iterator smallest(std::size_t least);
  /// The front of a block.
  char* cut(Blocks::iterator block, std::size_t bytes);

  std::mutex mutex_;
  Blocks blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace Tessera::core
