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

/// The steps of one application of the smoother. rho: bound of rho(D^-1 A). D is the diagonal; for l1-Jacobi
/// D is the l1 row sums; for FSAI D^-1 is G^T G.
///  * Jacobi: sweeps steps with damping, or (4/3)/rho; l1-Jacobi: with damping, or 1 (Baker, Falgout, Kolev,
///  Yang 2011).
///  * first kind on [rho/ratio, rho]: Saad, Iterative Methods, Algorithm 12.1.
///  * fourth kind and its optimal weights on [0, rho]: Lottes, arXiv 2202.08830, Algorithms 2 and 3.
///  * foreign: none.
/// \throws core::InvalidInput for degrees without tabulated optimal weights (above 8)
std::vector<PolynomialStep> polynomial(SmootherParameters const& parameters, double rho);

/// The largest lambda / rho, at most 2, up to which the smoother contracts: |1 - lambda p(lambda)| < 1. If
/// D^-1 A has larger eigenvalues, a cycle is not positive definite. 2 for third-party smoothers, which have
/// no D^-1 A.
double contracts_up_to(SmootherParameters const& parameters);

/// The least ratio of a Lanczos estimate to rho(D^-1 A), for fewest_eigenvalue_steps steps or more. Measured
/// least ratios: 0.14 for 1 step, 0.76 for 5, 0.794 for 6, 0.82 for 7, 0.89 for 10. They are from 130 levels
/// of the gallery's problems and of 27 third-party matrices, each from ten starts. bcsstk15, a jump of
/// coefficients and a surface have the least ratios.
constexpr double worst_estimate = 0.79;
constexpr int fewest_eigenvalue_steps = 6;

/// The factor on an estimate for which the smoother contracts on the whole spectrum of A, at least
/// `eigenvalue_safety`.
double estimate_safety(Parameters const& parameters);

}  // namespace Tessera::multigrid
