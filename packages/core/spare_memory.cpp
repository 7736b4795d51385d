#include "core/spare_memory.hpp"

#include <new>

#include "core/system_memory.hpp"

namespace Tessera::core {

std::size_t SpareMemory::rounded(std::size_t bytes) {
  if (!is_large(bytes)) return bytes;
  std::size_t power = large;
  while (power <= bytes / 2) power *= 2;
  std::size_t const step = power / 8;
  return (bytes + step - 1) / step * step;
}

void* SpareMemory::take(std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  auto const found = blocks_.find(rounded(bytes));
  if (found == blocks_.end()) return nullptr;
  void* const block = found->second;
  bytes_ -= found->first;
  blocks_.erase(found);
  return block;
}

void SpareMemory::keep(void* block, std::size_t bytes) {
  std::lock_guard const lock(mutex_);
  try {
    blocks_.emplace(rounded(bytes), block);
    bytes_ += rounded(bytes);
  } catch (std::bad_alloc const&) {
    SystemMemory::give_back(block, rounded(bytes));
  }
}

void SpareMemory::drop() {
  std::lock_guard const lock(mutex_);
  for (auto const& [size, block] : blocks_) SystemMemory::give_back(block, size);
  blocks_.clear();
  bytes_ = 0;
}

}  // namespace Tessera::core
