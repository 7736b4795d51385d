#pragma once
/// \file
/// Polynomial smoothers: Jacobi and the Chebyshev kinds as one recurrence.
#include <vector>

#include "multigrid/parameters.hpp"

namespace Tessera::multigrid {

/// Step k of x_k = x_{k-1} + weight z_k, z_k = previous z_{k-1} + residual D^-1 r_{k-1}, r_k = r_{k-1} - A
/// z_k, with z_0 = 0.
struct PolynomialStep {
  double previous = 0;
  double residual = 0;
  double weight = 1;
};

/// The steps of one application of the smoother. rho: bound of rho(D^-1 A), where D is the diagonal or, for
/// l1-Jacobi, the l1 row sums; for FSAI D^-1 is G^T G.
///  * Jacobi: sweeps steps with damping, or (4/3)/rho; l1-Jacobi: with damping, or 1 (Baker, Falgout, Kolev,
///  Yang 2011).
///  * first kind on [rho/ratio, rho]: Saad, Iterative Methods, Algorithm 12.1.
///  * fourth kind and its optimal weights on [0, rho]: Lottes, arXiv 2202.08830, Algorithms 2 and 3.
/// \throws core::InvalidInput for degrees without tabulated optimal weights (above 8)
std::vector<PolynomialStep> polynomial(SmootherParameters const& parameters, double rho);

}  // namespace Tessera::multigrid
