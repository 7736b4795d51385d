#pragma once
/// \file
/// Parameter lists from XML text, and as XML text.
#include <Teuchos_ParameterList.hpp>
#include <ostream>
#include <string>

#include "parameters/Tessera_ReadXml.hpp"

namespace Tessera::parameters {

/// readXml() from text; `name` stands for the file in messages. Not collective.
Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& text, std::string const& name);

/// Writes name, type and value of each entry, indented by two blanks a depth. Numbers have the digits that
/// read back. \throws core::InvalidInput naming an entry whose type XML cannot hold
void write_xml(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name);

}  // namespace Tessera::parameters
