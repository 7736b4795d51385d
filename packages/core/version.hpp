#pragma once
#include <string>

namespace Tessera::core {

/// Tessera's, such as "0.1.0": that of project() in CMakeLists.txt, where alone it stands.
std::string version();

}  // namespace Tessera::core
