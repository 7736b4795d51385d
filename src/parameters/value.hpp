#pragma once
/// \file
/// Values of a Teuchos list, checked against a row of the table.
#include <Teuchos_ParameterEntry.hpp>
#include <optional>
#include <string>

#include "parameters/table.hpp"

namespace Tessera::parameters {

/// The entry as a value of the row (alias: the name it was given under; null: the canonical one). Nothing,
/// and what is wrong in `problem`, where type or value are not allowed.
std::optional<Value> converted(Parameter const& row, Alias const* alias, Teuchos::ParameterEntry const& entry,
                               std::string& problem);

/// Such an entry, of a value that the row allows, as lists spell it.
Teuchos::ParameterEntry entry_of(Parameter const& row, std::string const& value);

}  // namespace Tessera::parameters
