#pragma once
/// \file
/// What Teuchos' XML reader lets pass, and should not.
#include <Teuchos_XMLObject.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

/// The line of each opening tag of well-formed XML, in the order of the text (which is the order in which a
/// walk from parents to children meets the elements). Lines count from 1.
std::vector<int> tag_lines(std::string const& text);

/// Checks tags, attributes, names, types and values.
/// \throws core::InvalidInput: one line for each mistake, `name:line: problem; what to do`
void check_xml(Teuchos::XMLObject const& root, std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
