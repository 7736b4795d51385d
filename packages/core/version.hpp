#pragma once
#include <string>

namespace Tessera::core {

/// The version of Tessera, such as "1.0.0", from project() in CMakeLists.txt.
std::string version();

}  // namespace Tessera::core
