#pragma once
/// \file
/// Ifpack2's preconditioners as smoothers, and Amesos2's solvers: what levels take from other packages.
#include "parameters/settings.hpp"

namespace Tessera::ifpack2 {

/// The settings of a hierarchy with who make its foreign smoothers and direct solver.
/// \throws core::Unavailable where this Trilinos has no such solver
multigrid::Parameters with_foreign_parts(parameters::Settings const& settings);

}  // namespace Tessera::ifpack2
