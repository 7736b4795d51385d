#pragma once
/// \file
/// Amesos2's sparse direct solvers for the coarsest level.
#include <string>

#include "sparse/engine/direct/direct_solver.hpp"

namespace Tessera::ifpack2 {

/// The solver of that name. Each matrix is one of a communicator of its rank alone: on distributed matrices
/// Debian's Amesos2 of Trilinos 13.2 solves wrongly.
/// \throws core::Unavailable where this Trilinos has no Amesos2, or Amesos2 no such solver
sparse::DirectSolvers<Host> amesos2_solvers(std::string const& name);

}  // namespace Tessera::ifpack2
