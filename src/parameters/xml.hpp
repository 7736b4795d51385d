#pragma once
/// \file
/// Parameter lists from text in XML or YAML, and as such text.
#include <Teuchos_ParameterList.hpp>
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

}  // namespace Tessera::parameters
