#include "sparse/eigenvalue.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"

namespace Tessera::sparse {
namespace {

/// Whether all eigenvalues of T are below x: all pivots of T - x I = L D L^T are negative.
bool all_below(std::vector<double> const& alpha, std::vector<double> const& beta, double x) {
  double pivot = alpha[0] - x;
  for (std::size_t i = 1; i < alpha.size(); ++i) {
    if (pivot >= 0) return false;
    pivot = alpha[i] - x - beta[i - 1] * beta[i - 1] / pivot;
  }
  return pivot < 0;
}

}  // namespace

double tridiagonal_max_eigenvalue(std::vector<double> const& alpha, std::vector<double> const& beta) {
  auto const n = alpha.size();
  TESSERA_VALIDATE(n >= 1 && beta.size() + 1 == n, "a tridiagonal matrix with ", n, " diagonal and ",
                   beta.size(), " off-diagonal entries (n and n - 1 with n >= 1 are needed)");
  auto const finite = [](double v) { return std::isfinite(v); };
  TESSERA_VALIDATE(
      std::all_of(alpha.begin(), alpha.end(), finite) && std::all_of(beta.begin(), beta.end(), finite),
      "a tridiagonal matrix with an infinite entry or a NaN has no eigenvalues; check the matrix that "
      "Lanczos was given");
  // Gershgorin's discs; the largest eigenvalue is at least the largest diagonal entry.
  double low = alpha[0], high = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < n; ++i) {
    auto const radius = (i > 0 ? std::abs(beta[i - 1]) : 0.0) + (i + 1 < n ? std::abs(beta[i]) : 0.0);
    low = std::max(low, alpha[i]);
    high = std::max(high, alpha[i] + radius);
  }
  while (low < high) {
    auto const middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) break;
    if (all_below(alpha, beta, middle)) {
      high = middle;
    } else {
      low = middle;
    }
  }
  return low;
}

}  // namespace Tessera::sparse
