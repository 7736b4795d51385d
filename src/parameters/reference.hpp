#pragma once
/// \file
/// The table in print.
#include <ostream>

namespace Tessera::parameters {

/// One parameter a paragraph, for a terminal.
void print_reference(std::ostream& out);

/// docs/parameters.md.
void print_markdown(std::ostream& out);

}  // namespace Tessera::parameters
