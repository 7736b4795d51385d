// Builds without CUDA; reachable.cu is its counterpart.
#include "core/reachable.hpp"

namespace Tessera::core {

std::string memory_space_mismatch(Host const&, void const*) {
  return {};
}

int device_of(void const*) {
  return -1;
}

}  // namespace Tessera::core
