#pragma once
/// \file
/// Names and values of a list in messages.
#include <Teuchos_ParameterList.hpp>
#include <string>

namespace Tessera::parameters {

/// The text, or where it is long its first characters and how many it has; control characters as \xNN.
std::string excerpt(std::string const& text, std::size_t most = 60);

/// `path -> "name"`.
std::string where(Teuchos::ParameterList const& list, std::string const& name);

}  // namespace Tessera::parameters
