#pragma once
/// \file
/// The text of an XML file: what is settled before, or beside, the parser.
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

}  // namespace Tessera::parameters
