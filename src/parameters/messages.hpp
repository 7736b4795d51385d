#pragma once
/// \file
/// Texts of messages: names of a list, exceptions of Trilinos.
#include <string>

#include "core/error.hpp"
#include "settings/settings.hpp"

namespace Teuchos {
class ParameterList;
}

namespace Tessera::parameters {

using namespace settings;

/// `path -> "name"`.
std::string where(Teuchos::ParameterList const& list, std::string const& name);

/// An exception's text without the lines that Teuchos adds for developers: the place in the source, the
/// number of the throw, the condition, and the table of all valid parameters.
std::string plain_text(std::string const& what);

/// Throws Error with the parts as its text. Teuchos' macro would put the place in the source, the number of
/// the throw and the condition before the text.
template <class Error, class... Parts>
void require(bool fulfilled, Parts const&... parts) {
  if (!fulfilled) throw Error(core::message(parts...));
}

}  // namespace Tessera::parameters
