#pragma once
/// \file
/// Checks of XML for mistakes that Teuchos' reader accepts.
#include <Teuchos_XMLObject.hpp>
#include <string>
#include <vector>

namespace Tessera::parameters {

/// The limit on nesting, because parsers and readers recurse. Lists are nested a handful deep.
constexpr int deepest = 100;

/// Limits, because messages of Tessera and of other packages contain names, paths of names and strings.
constexpr std::size_t longest_name = 200, longest_string = 4096;

/// \throws core::InvalidInput (`name:line: ...`) if the text is not UTF-8, or has characters such as NUL,
/// which neither XML nor YAML allows. format: XML or YAML, for the message
void check_characters(std::string const& text, std::string const& name, char const* format);

/// check_characters(), and \throws core::InvalidInput if elements are nested more than `deepest` deep
void check_text(std::string const& text, std::string const& name);

/// Lines of the parts of a text, counted from 1.
struct XmlLines {
  std::vector<int> tags;  ///< of each opening tag, in the order of the text (a walk from parents to children)
  struct Stray {
    int line;
    std::string text;  ///< its first line
    bool bracket;      ///< only >, which some editors leave behind an element
  };
  std::vector<Stray> strays;  ///< text between tags, without blanks and comments
};

/// text: well-formed XML.
XmlLines xml_lines(std::string const& text);

/// Checks tags, attributes, names, types and values of the parsed text, and the text between its tags.
/// \returns warnings: a stray > between tags
/// \throws core::InvalidInput with a line for each mistake: `name:line: problem; what to do`
std::vector<std::string> check_xml(Teuchos::XMLObject const& root, std::string const& text,
                                   std::string const& name);

}  // namespace Tessera::parameters
