#pragma once
/// \file
/// Checks of XML for mistakes that Teuchos' reader accepts.
#include <Teuchos_XMLObject.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

/// The limit on nesting, because parsers and readers recurse. Lists are nested a handful deep.
constexpr int deepest = 100;

/// \throws core::InvalidInput (`name:line: ...`) if the text is not UTF-8, holds characters that XML does not
/// allow, such as NUL, or nests elements more than `deepest` deep
void check_text(std::string const& text, std::string const& name);

/// Lines of the parts of a text, counted from 1.
struct XmlLines {
  std::vector<int> tags;  ///< of each opening tag, in the order of the text (a walk from parents to children)
  struct Stray {
    int line;
    std::string text;
  };
  std::vector<Stray> strays;  ///< text between tags, without blanks and comments; of each its first line
};

/// text: well-formed XML.
XmlLines xml_lines(std::string const& text);

/// Checks tags, attributes, names, types and values of the parsed text, and the text between its tags.
/// \throws core::InvalidInput with a line for each mistake: `name:line: problem; what to do`
void check_xml(Teuchos::XMLObject const& root, std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
