#pragma once
/// \file
/// The tables of parameters in print.
#include <ostream>

namespace Tessera::parameters {

/// Tessera's parameters for a terminal, one a paragraph.
void print_reference(std::ostream& out);

/// docs/parameters.md: Tessera's parameters.
void print_markdown(std::ostream& out);

/// docs/translation.md: the parameters of MueLu, ML and Ifpack2.
void print_vocabulary(std::ostream& out);

}  // namespace Tessera::parameters
