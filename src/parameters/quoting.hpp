#pragma once
/// \file
/// Names of a list in messages.
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "core/excerpt.hpp"

namespace Tessera::parameters {

/// `path -> "name"`.
inline std::string where(Teuchos::ParameterList const& list, std::string const& name) {
  return core::excerpt(list.name(), 300) + " -> \"" + core::excerpt(name) + "\"";
}

}  // namespace Tessera::parameters
