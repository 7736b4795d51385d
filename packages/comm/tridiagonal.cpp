#include <algorithm>
#include <cmath>
#include <limits>

#include "comm/lanczos.hpp"

namespace Tessera::comm {

namespace {

/// Whether some eigenvalue lies above x: a pivot of T - x I that is not negative.
bool any_above(std::vector<double> const& alpha, std::vector<double> const& beta, double x) {
  constexpr double tiny = std::numeric_limits<double>::min();
  double pivot = alpha[0] - x;
  for (std::size_t j = 1; pivot < 0 && j < alpha.size(); ++j) {
    pivot = alpha[j] - x - beta[j - 1] * beta[j - 1] / std::min(pivot, -tiny);
  }
  return !(pivot < 0);
}

}  // namespace

double largest_eigenvalue(std::vector<double> const& alpha, std::vector<double> const& beta) {
  if (alpha.empty()) return 0;
  double low = alpha[0], high = alpha[0];
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    double const radius =
        (j > 0 ? std::abs(beta[j - 1]) : 0) + (j + 1 < alpha.size() ? std::abs(beta[j]) : 0);
    low = std::max(low, alpha[j]);
    high = std::max(high, alpha[j] + radius);
  }
  for (;;) {
    double const middle = low + (high - low) / 2;
    if (!(low < middle && middle < high)) return high;
    (any_above(alpha, beta, middle) ? low : high) = middle;
  }
}

}  // namespace Tessera::comm
