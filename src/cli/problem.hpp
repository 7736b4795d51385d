#pragma once
/// \file
/// The linear system that the command line asks for.
#include "cli/commands.hpp"
#include "cli/measure.hpp"

namespace Tessera::cli {

/// From the gallery or from files. `equations` is used where neither the problem nor the command line says
/// how many unknowns a node has. Collective. \throws core::InvalidInput naming the option, or the file and
/// line
LinearSystem make_system(ProblemOptions const& options, int equations, Comm const& comm);

}  // namespace Tessera::cli
