#pragma once
/// \file
/// What is said to the user.
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// Why the solve did not converge and what to do, in a sentence. failed: the number that stopped it.
std::string explain(Result const& result, double failed, Parameters const& parameters);

/// What others than solve() say in the same words. residual, tolerance: relative.
std::string rounding_level_text(double residual, double tolerance, double backward_error);
/// share: of ||b||, along a vector of the nullspace.
std::string singular_text(double share);
/// what: such as "an inner product"; value: NaN or infinite.
std::string not_finite_text(char const* what, double value);

/// \throws core::InvalidInput
void check(Parameters const& parameters);

}  // namespace Tessera::krylov
