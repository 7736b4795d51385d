#pragma once
/// \file
/// What Lanczos leaves behind: a small symmetric tridiagonal matrix.
#include <vector>

namespace Tessera::sparse {

/// Largest eigenvalue of the symmetric tridiagonal matrix with diagonal alpha (n >= 1) and off-diagonal beta
/// (n - 1), by bisection on Sturm sequences (Golub, Van Loan, Matrix Computations, section 8.4) down to
/// neighbouring doubles: the same on every machine. \throws core::InvalidInput for n = 0, other sizes, or
/// entries that are not finite
double tridiagonal_max_eigenvalue(std::vector<double> const& alpha, std::vector<double> const& beta);

}  // namespace Tessera::sparse
