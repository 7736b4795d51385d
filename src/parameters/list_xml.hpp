#pragma once
/// \file
/// A list as XML.
#include <Teuchos_ParameterList.hpp>
#include <ostream>

namespace Tessera::parameters {

/// As people write it: name, type and value, two blanks a depth. Numbers are those that read back.
/// \throws core::InvalidInput naming an entry whose type XML has no word for
void write_xml(std::ostream& out, Teuchos::ParameterList const& list, std::string const& name);

}  // namespace Tessera::parameters
