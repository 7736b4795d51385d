#pragma once
/// \file
/// A Teuchos list becomes settings.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <utility>
#include <vector>

#include "parameters/settings.hpp"

namespace Tessera::parameters {

/// What the list says; anything it does not say has its default. The list is a complete snapshot, not a
/// change to earlier ones. Its entries are marked used; nothing else about it changes. Names may stand at the
/// top or in the sublists that Parameter::sublist allows; an int is taken where a double is expected; values
/// of choices may be written in any case. warnings: unknown names, where `tessera: strict` is false. \throws
/// core::InvalidInput with one line for every mistake: path of the list, what is wrong, what is allowed
/// algorithm: of a list that does not say `multigrid algorithm`.
Settings parse(Teuchos::ParameterList const& list, std::vector<std::string>* warnings = nullptr,
               Algorithm algorithm = Algorithm::smoothed);

/// The same in words: every parameter and its value, the default where the list says nothing.
std::vector<std::pair<std::string, std::string>> parsed_values(Teuchos::ParameterList const& list);

}  // namespace Tessera::parameters
