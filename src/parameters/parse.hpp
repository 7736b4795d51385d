#pragma once
/// \file
/// From a Teuchos list to settings.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <utility>
#include <vector>

#include "settings/settings.hpp"

namespace Tessera::parameters {

using namespace settings;

/// The settings of a list; absent parameters have their defaults. The list is complete, not a change to an
/// earlier one. Marks its entries as used and changes nothing else. Names may be at the top or in the
/// sublists that Parameter::sublist allows. A double may be given as an int, a choice in any case. \param
/// warnings gets the entries without effect that `tessera: strict` does not refuse \param method its defaults
/// hold; null: method_of(list) \throws core::InvalidInput with a line for each mistake: path of the list,
/// mistake, allowed values
Settings parse(Teuchos::ParameterList const& list, std::vector<std::string>* warnings = nullptr,
               Method const* method = nullptr);

/// The method that `multigrid algorithm` selects. The list may contain mistakes.
Method const& method_of(Teuchos::ParameterList const& list);

/// The settings as text: (name, value) of every parameter, with the default if the list has no value.
std::vector<std::pair<std::string, std::string>> parsed_values(Teuchos::ParameterList const& list);

}  // namespace Tessera::parameters
