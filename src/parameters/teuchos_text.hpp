#pragma once
/// \file
/// What exceptions of Trilinos say to users.
#include <string>

#include "core/error.hpp"

namespace Tessera::parameters {

/// An exception's text without what Teuchos adds for developers: the place in the source, the number of the
/// throw, the condition, and the table of all valid parameters.
std::string plain_text(std::string const& what);

/// Throws Error with the parts as its text, where Teuchos' macro would put a place in the source, the number
/// of the throw and the condition before it.
template <class Error, class... Parts>
void require(bool fulfilled, Parts const&... parts) {
  if (!fulfilled) throw Error(core::message(parts...));
}

}  // namespace Tessera::parameters
