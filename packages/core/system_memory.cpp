#include "core/system_memory.hpp"

#include <cstdlib>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_MAPS_MEMORY
#include <sys/mman.h>

#include <cstdint>
#endif

namespace Tessera::core {
namespace {

constexpr std::size_t alignment = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

#if defined(TESSERA_MAPS_MEMORY)
constexpr std::size_t huge_page = std::size_t{2} << 20;
constexpr std::size_t page = std::size_t{64} << 10;  // a multiple of what systems have

bool is_mapped(std::size_t bytes) {
  return bytes >= 2 * huge_page;
}

/// A mapping that begins with a huge page: one that is longer, cut at both ends.
void* map(std::size_t bytes) {
  auto const wanted = rounded_up(bytes, page), longer = wanted + huge_page;
  void* const block = mmap(nullptr, longer, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (block == MAP_FAILED) return nullptr;
  auto* const begin = static_cast<char*>(block);
  auto const before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + wanted, longer - before - wanted);
  return begin + before;
}
#endif

}  // namespace

void* SystemMemory::take(std::size_t bytes, [[maybe_unused]] std::size_t used) {
#if defined(TESSERA_MAPS_MEMORY)
  if (is_mapped(bytes)) {
    void* const block = map(bytes);
    if (block != nullptr) madvise(block, used / huge_page * huge_page, MADV_HUGEPAGE);
    return block;
  }
#endif
  return std::aligned_alloc(alignment, rounded_up(bytes, alignment));
}

void SystemMemory::give_back(void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(TESSERA_MAPS_MEMORY)
  if (is_mapped(bytes)) {
    munmap(block, rounded_up(bytes, page));
    return;
  }
#endif
  std::free(block);
}

}  // namespace Tessera::core
