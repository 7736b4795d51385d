#include "core/memory.hpp"

#include <cstdlib>

#include "core/error.hpp"
#include "core/memory_counter.hpp"

namespace Tessera::core {
namespace {

constexpr std::size_t alignment = 64;  // one cache line, one AVX-512 register

MemoryCounter& counter() {
  static MemoryCounter host;
  return host;
}

}  // namespace

template <>
void* allocate(Host const&, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  // A size beyond PTRDIFF_MAX cannot be had, and rounding it up to the alignment could wrap to a small one.
  bool const possible = bytes < static_cast<std::size_t>(-1) / 2;
  void* pointer =
      possible ? std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment) : nullptr;
  if (pointer == nullptr) throw OutOfMemory(Host::name, bytes, counter().use().in_use, counter().use().peak);
  counter().add(bytes);
  return pointer;
}

template <>
void release(Host const&, void* pointer, std::size_t bytes) noexcept {
  if (pointer == nullptr) return;
  std::free(pointer);
  counter().remove(bytes);
}

template <>
MemoryUse memory_use(Host const&) {
  return counter().use();
}

template <>
void reset_peak(Host const&) {
  counter().reset_peak();
}

}  // namespace Tessera::core
