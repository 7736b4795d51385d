#pragma once
/// \file
/// Blocks of the host's memory, from the system and back to it.
#include <cstddef>

namespace Tessera::core {

/// Large blocks are mapped one by one, so that each goes back to the system as soon as it is given back: in
/// the heap, freed blocks of this size lay about between others, and a second setup needed a tenth more. They
/// ask for huge pages: the first touch of 56 MB took 31 ms in 4 KiB pages and 6.5 ms in
/// 2 MiB ones, and a setup touches every array for the first time. Where the system refuses, nothing is lost.
struct SystemMemory {
  /// Aligned to 64 bytes: one cache line, one AVX-512 register. The first `used` bytes are likely to be
  /// touched: behind the last huge page in them, pages are small ones. Null when there is none.
  static void* take(std::size_t bytes, std::size_t used);
  static void give_back(void* block, std::size_t bytes) noexcept;
  /// Whole pages of a large block, or of several that lie side by side, where such are divisible.
  static void give_back_pages(void* begin, std::size_t bytes) noexcept;
  static constexpr std::size_t huge_page = std::size_t{2} << 20;
  static constexpr std::size_t page = std::size_t{64} << 10;  ///< the largest that systems have by default
  static constexpr std::size_t large = huge_page / 8;
  /// Whether large blocks can be cut and joined. Not under AddressSanitizer, which must see every array come
  /// and go.
#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
  static constexpr bool divisible = true;
#else
  static constexpr bool divisible = false;
#endif
};

}  // namespace Tessera::core
