#pragma once
/// \file
/// A small symmetric tridiagonal matrix in the memory of host or device.
#include "core/types.hpp"

namespace Tessera::sparse {

/// n >= 1; beta[i] couples alpha[i] and alpha[i + 1].
struct Tridiagonal {
  double const *alpha, *beta;
  int n;

  /// Whether all eigenvalues are below x: all pivots of T - x I = L D L^T are negative. Monotone in x in
  /// floating-point arithmetic too (Demmel, Dhillon, Ren, ETNA 3, 1995, theorem 3.1), so that every bisection
  /// finds the same number.
  TESSERA_HD bool all_below(double x) const {
    double pivot = alpha[0] - x;
    for (int i = 1; i < n; ++i) {
      if (pivot >= 0) return false;
      pivot = alpha[i] - x - beta[i - 1] * beta[i - 1] / pivot;
    }
    return pivot < 0;
  }
  /// The largest diagonal entry, a lower bound of the largest eigenvalue.
  TESSERA_HD double low() const {
    double result = alpha[0];
    for (int i = 1; i < n; ++i) result = alpha[i] > result ? alpha[i] : result;
    return result;
  }
  /// Gershgorin's upper bound of the largest eigenvalue.
  TESSERA_HD double high() const {
    double result = 0;
    for (int i = 0; i < n; ++i) {
      double const left = i > 0 ? beta[i - 1] : 0.0, right = i + 1 < n ? beta[i] : 0.0;
      double const end = alpha[i] + ((left < 0 ? -left : left) + (right < 0 ? -right : right));
      result = i == 0 || end > result ? end : result;
    }
    return result;
  }
};

/// The largest eigenvalue, by Sturm sequences (Golub, Van Loan, Matrix Computations, section 8.4) at as many
/// points at a time as the group (core/group.hpp) has lanes, down to neighbouring doubles. The result does
/// not depend on the group.
template <class Group>
TESSERA_HD double largest_eigenvalue(Group const& group, Tridiagonal const& T) {
  double low = T.low(), high = T.high();
  for (bool narrower = true; narrower && low < high;) {
    double const begin = low, width = (high - low) / (Group::size + 1);
    auto const point = [begin, width](int k) { return begin + width * (k + 1); };
    double const mine = point(group.lane);
    bool const below = mine >= high || (mine > low && T.all_below(mine));
    int const first = group.count(!below);  // that is below
    narrower = false;
    if (first > 0 && point(first - 1) > low) low = point(first - 1), narrower = true;
    if (first < Group::size && point(first) < high) high = point(first), narrower = true;
  }
  return low;
}

}  // namespace Tessera::sparse
