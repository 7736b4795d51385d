// Builds without CUDA; reachable.cu is its counterpart.
#include "core/reachable.hpp"

namespace Tessera::core {

std::string elsewhere(Host const&, void const*) {
  return {};
}

}  // namespace Tessera::core
