#pragma once
/// \file
/// Words of users in messages.
#include <string>

namespace Tessera::core {

/// The text, or where it is long its first characters and how many bytes it has; control characters and
/// no-break spaces: \xNN.
std::string excerpt(std::string const& text, std::size_t most = 60);

}  // namespace Tessera::core
