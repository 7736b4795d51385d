#pragma once
/// \file
/// The names that may stand in a list of ours.
#include <map>
#include <string>

#include "parameters/table.hpp"

namespace Tessera::parameters {

/// A name, and the row of the table that it belongs to.
struct Name {
  Parameter const* row;
  Alias const* alias;  ///< null: the canonical name
};

std::map<std::string, Name> const& names();

}  // namespace Tessera::parameters
