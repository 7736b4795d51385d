#include "core/version.hpp"

namespace Tessera::core {

std::string version() {
  return TESSERA_VERSION;
}

}  // namespace Tessera::core
