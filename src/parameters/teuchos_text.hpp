#pragma once
/// \file
/// What exceptions of Trilinos say to users.
#include <string>

namespace Tessera::parameters {

/// An exception's text without what Teuchos adds for developers: the place in the source, the number of the
/// throw, the condition, and the table of all valid parameters.
std::string plain_text(std::string const& what);

}  // namespace Tessera::parameters
