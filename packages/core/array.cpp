#include "core/array.hpp"

#include <cstring>

namespace Tessera::core {

void copy_bytes(Host const&, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes != 0) std::memmove(target, source, bytes);
}

}  // namespace Tessera::core
