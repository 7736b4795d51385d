#pragma once
/// \file
/// What Teuchos' XML reader lets pass, and should not.
#include <Teuchos_XMLObject.hpp>
#include <string>

namespace Tessera::parameters {

/// Checks tags, attributes, names, types and values of what was parsed from this text, and what stands
/// between its tags. \throws core::InvalidInput: one line for each mistake, `name:line: problem; what to do`
void check_xml(Teuchos::XMLObject const& root, std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
