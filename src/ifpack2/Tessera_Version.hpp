#pragma once
/// \file
/// The version of the library.
#include <string>

namespace Tessera {

/// Such as "1.0.0".
std::string version();

}  // namespace Tessera
