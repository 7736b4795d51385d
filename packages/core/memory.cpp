#include "core/memory.hpp"

#include <atomic>

#include "core/error.hpp"
#include "core/host_memory.hpp"

namespace Tessera::core {
namespace {

SpareMemory& spares() {
  static auto& host = *new SpareMemory;  // never destroyed: static objects release arrays after main
  return host;
}

/// Number of living MemoryReuse objects.
std::atomic<int>& reuses() {
  static std::atomic<int> count{0};
  return count;
}

/// Allocates from the system. In a setup, a large array below a huge page gets a part of one; the rest stays
/// spare for the next arrays.
void* allocate_from_system(std::size_t bytes) {
  auto const size = SpareMemory::rounded(bytes);
  if (!SystemMemory::divisible || reuses() == 0 || !SpareMemory::is_large(bytes))
    return SystemMemory::take(size, bytes);
  constexpr auto page = SystemMemory::huge_page;
  auto const whole = (size + page - 1) / page * page;
  auto* const block = static_cast<char*>(SystemMemory::take(whole, whole > size ? whole : bytes));
  if (block != nullptr && whole > size) spares().keep(block + size, whole - size);
  return block;
}

}  // namespace

MemoryCounter& memory_counter(Host const&) {
  static MemoryCounter host;
  return host;
}

template <>
void* allocate(Host const& space, std::size_t bytes) {
  auto& counter = memory_counter(space);
  if (bytes == 0) return nullptr;
  // No memory has more than PTRDIFF_MAX bytes, and rounding up to the alignment could overflow.
  bool const possible =
      bytes < static_cast<std::size_t>(-1) / 2 && counter.allows(bytes) && !counter.fails_now();
  void* pointer = possible && SpareMemory::is_large(bytes) ? spares().take(bytes) : nullptr;
  if (possible && pointer == nullptr) {
    auto const use = counter.use();
    auto const total = use.in_use + spares().bytes() + bytes;
    if (total > use.peak) spares().give_back(total - use.peak);
    pointer = allocate_from_system(bytes);
    counter.note_allocation();
  }
  if (pointer == nullptr) throw OutOfMemory(Host::name, bytes, counter.use().in_use, counter.use().peak);
  counter.add(bytes);
  return pointer;
}

template <>
void release(Host const&, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  if (SystemMemory::divisible && reuses() > 0 && SpareMemory::is_large(bytes)) {
    spares().keep(pointer, bytes);
  } else {
    SystemMemory::give_back(pointer, SpareMemory::rounded(bytes));
  }
  memory_counter(Host{}).remove(bytes);
}

template <>
MemoryReuse<Host>::MemoryReuse(Host const&) {
  ++reuses();
}

template <>
MemoryReuse<Host>::~MemoryReuse() {
  if (--reuses() == 0) spares().give_back(spares().bytes());
}

}  // namespace Tessera::core
