#pragma once
/// \file
/// What is said to the user.
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// Why the solve did not converge and what to do, in a sentence. failed: the number that stopped it.
std::string explain(Result const& result, double failed, Parameters const& parameters);

/// \throws core::InvalidInput
void check(Parameters const& parameters);

}  // namespace Tessera::krylov
