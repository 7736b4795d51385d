#include "core/spare_memory.hpp"

#include <algorithm>
#include <new>

namespace Tessera::core {

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
