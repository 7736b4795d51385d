#include "Tessera_Version.hpp"

#include "core/version.hpp"

std::string Tessera::version() {
  return core::version();
}
