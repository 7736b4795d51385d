#pragma once
/// \file
/// Strict reading of XML parameter lists.
#include <Teuchos_ParameterList.hpp>
#include <string>

#include "parameters/Tessera_ReadXml.hpp"

namespace Tessera::parameters {

/// As readXml, from text; `name` stands for the file in messages. Not collective.
Teuchos::RCP<Teuchos::ParameterList> parse_xml(std::string const& text, std::string const& name);

}  // namespace Tessera::parameters
