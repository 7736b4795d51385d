#pragma once
/// \file
/// Blocks of the host's memory: allocation from the system, and reuse of released blocks.
#include <cstddef>
#include <map>
#include <mutex>

namespace Tessera::core {

/// Allocates and releases blocks. A large block is a mapping of its own, so that its release returns the
/// memory to the system. In the heap, free blocks of this size lay between used blocks, and a second setup
/// needed a tenth more memory. Large blocks request huge pages: the first touch of 56 MB took 31 ms in pages
/// of 4 KiB, and 6.5 ms in pages of 2 MiB, and a setup touches every array for the first time. If the system
/// has no huge pages, it uses small ones.
struct SystemMemory {
  /// Aligned to 64 bytes: one cache line, one AVX-512 register. The caller is likely to touch the first
  /// `used` bytes: the block has huge pages as far as they are filled by these, then small pages. Null if
  /// there is no memory.
  static void* take(std::size_t bytes, std::size_t used);
  static void give_back(void* block, std::size_t bytes) noexcept;
  /// Releases whole pages of a large block, or of adjacent large blocks; only if blocks are divisible.
  static void give_back_pages(void* begin, std::size_t bytes) noexcept;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::size_t page = std::size_t{64} << 10;  ///< the largest default page size of systems
  static constexpr std::size_t large = huge_page / 8;
  /// Whether large blocks can be cut and joined. Not under AddressSanitizer, which must see the allocation
  /// and the release of every array.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
  static constexpr bool divisible = true;
#else
  static constexpr bool divisible = false;
#endif
};

/// Released large blocks, kept for later requests. The system clears every page that it hands out, which took
/// a seventh of the time of a setup. Adjacent blocks are joined, and requests cut them: with reuse only of
/// blocks of the same size, a setup and two refreshes of Laplace3D 101^3 cleared pages for 171 ms instead of
/// 113 ms. Spare blocks never raise the peak: an allocation beyond the peak first releases spare blocks.
class SpareMemory {
 public:
  /// Sizes of several huge pages are rounded up to huge pages, and sizes of a quarter of a megabyte and more
  /// to pages; untouched pages cost nothing. Smaller sizes stay.
  static std::size_t rounded(std::size_t bytes);
  static bool is_large(std::size_t bytes) { return bytes >= SystemMemory::large; }

  /// A block of rounded(bytes), or null.
  void* take(std::size_t bytes);
  /// Keeps a block of rounded(bytes).
  void keep(void* block, std::size_t bytes);
  /// Releases at least `bytes`, or all blocks, to the system.
  void give_back(std::size_t bytes);
  std::size_t bytes() const { return bytes_; }

  SpareMemory() = default;
  SpareMemory(SpareMemory const&) = delete;
  SpareMemory& operator=(SpareMemory const&) = delete;
  ~SpareMemory() { give_back(bytes_); }

 private:
  using Blocks = std::map<char*, std::size_t>;  ///< no two are adjacent
  /// The smallest block of at least `least` bytes.
  Blocks::iterator smallest(std::size_t least);
  /// Cuts off the front of a block.
  char* cut(Blocks::iterator block, std::size_t bytes);

  std::mutex mutex_;
  Blocks blocks_;
  std::size_t bytes_ = 0;
};

}  // namespace Tessera::core
