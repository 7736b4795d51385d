#pragma once
#include <string>

namespace Tessera::core {

/// Tessera's, such as "1.0.0": that of project() in CMakeLists.txt, where alone it stands.
std::string version();

}  // namespace Tessera::core
