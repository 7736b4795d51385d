#include "core/system_memory.hpp"

#include <cstdlib>

#if defined(__linux__) && !defined(__SANITIZE_ADDRESS__)
#define TESSERA_MAPS_MEMORY
#include <sys/mman.h>

#include <atomic>
#include <cstdint>
#endif

namespace Tessera::core {
namespace {

constexpr std::size_t alignment = 64;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

#if defined(TESSERA_MAPS_MEMORY)
constexpr std::size_t huge_page = SystemMemory::huge_page;

void* map_at(void* wish, std::size_t bytes) {
  void* const block = mmap(wish, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return block == MAP_FAILED ? nullptr : block;
}

bool is_aligned(void const* block) {
  return reinterpret_cast<std::uintptr_t>(block) % huge_page == 0;
}

/// A mapping that begins with a huge page, below the one before it if it may be, so that they can be joined.
/// Else one that is longer, cut at both ends.
void* map(std::size_t bytes) {
  static std::atomic<char*> lowest{nullptr};
  auto* const above = lowest.load();
  void* block = above == nullptr ? nullptr : map_at(above - bytes, bytes);
  if (block == nullptr || !is_aligned(block)) {
    if (block != nullptr) munmap(block, bytes);
    block = map_at(nullptr, bytes + huge_page);
    if (block == nullptr) return nullptr;
    auto* const begin = static_cast<char*>(block);
    auto const before = (huge_page - reinterpret_cast<std::uintptr_t>(begin) % huge_page) % huge_page;
    if (before > 0) munmap(begin, before);
    if (before < huge_page) munmap(begin + before + bytes, huge_page - before);
    block = begin + before;
  }
  lowest = static_cast<char*>(block);
  return block;
}
#endif

}  // namespace

void* SystemMemory::take(std::size_t bytes, [[maybe_unused]] std::size_t used) {
#if defined(TESSERA_MAPS_MEMORY)
  if (bytes >= large) {
    void* const block = map(rounded_up(bytes, page));
    if (block != nullptr) madvise(block, used / huge_page * huge_page, MADV_HUGEPAGE);
    return block;
  }
#endif
  return std::aligned_alloc(alignment, rounded_up(bytes, alignment));
}

void SystemMemory::give_back(void* block, [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(TESSERA_MAPS_MEMORY)
  if (bytes >= large) return give_back_pages(block, rounded_up(bytes, page));
#endif
  std::free(block);
}

void SystemMemory::give_back_pages([[maybe_unused]] void* begin,
                                   [[maybe_unused]] std::size_t bytes) noexcept {
#if defined(TESSERA_MAPS_MEMORY)
  munmap(begin, bytes);
#endif
}

}  // namespace Tessera::core
