#pragma once
/// \file
/// Parameter lists from text in XML or YAML, and as such text.
#include <Teuchos_ParameterList.hpp>
#include <Teuchos_XMLObject.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "parameters/Tessera_ReadXml.hpp"

namespace Tessera::parameters {

/// Whether the file's name ends in .yaml or .yml.
bool is_yaml(std::string const& file);

/// readXml() from text; `name` stands for the file in messages. Not collective. warnings: may be null
Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& text, std::string const& name,
                                               std::vector<std::string>* warnings = nullptr);
/// The same from YAML, as Teuchos' parser reads it.
Teuchos::RCP<Teuchos::ParameterList> parse_yaml(std::string const& text, std::string const& name);

/// Writes name, type and value of each entry, indented by two blanks a depth. Numbers have the digits that
/// read back. \throws core::InvalidInput naming an entry whose type XML cannot hold
void write_xml(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name);

/// Writes YAML if is_yaml(file), otherwise XML.
void write_list(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name,
                std::string const& file);

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
