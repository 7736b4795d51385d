#include "core/host_memory.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

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

/// A mapping that begins at the start of a huge page. It lies below the mapping before it if that place is
/// free, so that both can be joined; otherwise it is cut from a longer mapping.
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

std::size_t SpareMemory::rounded(std::size_t bytes) {
  auto const step = bytes < 2 * SystemMemory::huge_page ? SystemMemory::page : SystemMemory::huge_page;
  return is_large(bytes) ? (bytes + step - 1) / step * step : bytes;
}

SpareMemory::Blocks::iterator SpareMemory::smallest(std::size_t least) {
  auto found = blocks_.end();
  for (auto block = blocks_.begin(); block != blocks_.end(); ++block) {
    if (block->second >= least && (found == blocks_.end() || block->second < found->second)) found = block;
  }
  return found;
}

char* SpareMemory::cut(Blocks::iterator block, std::size_t bytes) {
  char* const begin = block->first;
  auto rest = blocks_.extract(block);
  bytes_ -= bytes;
  rest.key() += bytes;
  rest.mapped() -= bytes;
  if (rest.mapped() > 0) blocks_.insert(std::move(rest));
  return begin;
}

void* SpareMemory::take(std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  auto const found = smallest(rounded(bytes));
  return found == blocks_.end() ? nullptr : cut(found, rounded(bytes));
}

void SpareMemory::keep(void* block, std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  auto* const begin = static_cast<char*>(block);
  auto const size = rounded(bytes);
  try {
    auto here = blocks_.emplace(begin, size).first;
    bytes_ += size;
    if (auto const next = std::next(here); next != blocks_.end() && begin + size == next->first) {
      here->second += next->second;
      blocks_.erase(next);
    }
    if (here == blocks_.begin()) return;
    if (auto const before = std::prev(here); before->first + before->second == begin) {
      before->second += here->second;
      blocks_.erase(here);
    }
  } catch (std::bad_alloc const&) {
    SystemMemory::give_back(block, size);
  }
}

void SpareMemory::give_back(std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  auto const wanted =
      (bytes + SystemMemory::huge_page - 1) / SystemMemory::huge_page * SystemMemory::huge_page;
  for (std::size_t given = 0; given < wanted && !blocks_.empty();) {
    auto const block = smallest(0);
    auto const size = std::min(block->second, wanted - given);
    SystemMemory::give_back_pages(cut(block, size), size);
    given += size;
  }
}

}  // namespace Tessera::core
