#pragma once
/// \file
/// The ready lists of Tessera's (xml_params) as text in the library.
#include <string>

namespace Tessera::tuning {

/// xml_params/NAME.xml as it was when the library was built; null where there is none.
char const* ready_xml(std::string const& name);

}  // namespace Tessera::tuning
