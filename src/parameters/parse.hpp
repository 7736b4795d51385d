#pragma once
/// \file
/// A Teuchos list becomes settings.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <utility>
#include <vector>

#include "parameters/method.hpp"

namespace Tessera::parameters {

/// What the list says; anything it does not say has its default. The list is a complete snapshot, not a
/// change to earlier ones. Its entries are marked used; nothing else about it changes. Names may stand at the
/// top or in the sublists that Parameter::sublist allows; an int is taken where a double is expected; values
/// of choices may be written in any case. warnings: what has no effect and is not refused, by `tessera:
/// strict`. \throws core::InvalidInput with one line for every mistake: path of the list, what is wrong, what
/// is allowed method: whose defaults hold; null: method_of(list).
Settings parse(Teuchos::ParameterList const& list, std::vector<std::string>* warnings = nullptr,
               Method const* method = nullptr);

/// The method that `multigrid algorithm` asks for, of a list that need not be right.
Method const& method_of(Teuchos::ParameterList const& list);

/// The same in words: every parameter and its value, the default where the list says nothing.
std::vector<std::pair<std::string, std::string>> parsed_values(Teuchos::ParameterList const& list);

}  // namespace Tessera::parameters
