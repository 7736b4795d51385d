#pragma once
/// \file
/// What Teuchos' XML reader lets pass, and should not.
#include <Teuchos_XMLObject.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

/// Lists are nested a handful deep; parsers and readers recurse.
constexpr int deepest = 100;

/// \throws core::InvalidInput (`name:line: ...`) where the text is not UTF-8, holds characters that XML does
/// not have (NUL, say), or nests elements more than `deepest` deep
void check_text(std::string const& text, std::string const& name);

/// Where the parts of a text stand. Lines count from 1.
struct XmlLines {
  std::vector<int> tags;  ///< of each opening tag, in the order of the text (a walk from parents to children)
  struct Stray {
    int line;
    std::string text;
  };
  std::vector<Stray> strays;  ///< first lines of what stands between tags, blanks and comments left out
};

/// Of well-formed XML.
XmlLines xml_lines(std::string const& text);

/// Checks tags, attributes, names, types and values of what was parsed from this text, and what stands
/// between its tags. \throws core::InvalidInput: one line for each mistake, `name:line: problem; what to do`
void check_xml(Teuchos::XMLObject const& root, std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
