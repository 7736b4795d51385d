#include "core/pinned.hpp"

#include <cstring>
#include <new>
#include <stdexcept>

namespace Tessera::core {

template <>
void* allocate_pinned(Host const&, std::size_t bytes) {
  void* const pointer = ::operator new(bytes);
  std::memset(pointer, 0, bytes);
  return pointer;
}

template <>
void release_pinned(Host const&, void* pointer) noexcept {
  ::operator delete(pointer);
}

void wait_until(Host const&, std::int64_t const* counter, std::int64_t value) {
  if (observe(counter) < value) throw std::runtime_error("waited for work that the host was never given");
}

}  // namespace Tessera::core
