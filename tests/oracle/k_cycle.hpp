#pragma once
/// \file
/// A K-cycle too simple to be wrong: recursive, on whole dense matrices.
#include <cmath>
#include <vector>

#include "oracle/dense.hpp"

namespace Tessera::oracle {

/// x = S b is smoothing from zero; P leads to the next level. On the coarsest level S is the solver.
struct KLevel {
  Dense A, S, P;
};

/// Levels 1 to k_levels take one or two steps of flexible conjugate gradients, except the level with the
/// exact S. As in Notay and Vassilevski 2008, the second direction is explicitly made conjugate to the first.
struct KCycle {
  std::vector<KLevel> level;
  std::size_t k_levels;
  bool coarsest_is_exact;
  int one_step = 0, two_steps = 0;  ///< how often each was enough

  using Vector = std::vector<double>;

  static double dot(Vector const& a, Vector const& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  /// a + s b
  static Vector sum(Vector a, double s, Vector const& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] += s * b[i];
    return a;
  }

  Vector cycle(std::size_t l, Vector const& b) {
    auto const& [A, S, P] = level[l];
    if (l + 1 == level.size()) return product(S, b);
    auto x = product(S, b);
    auto const r = sum(b, -1, product(A, x));
    x = sum(x, 1, product(P, coarse(l + 1, product(transposed(P), r))));
    return sum(x, 1, product(S, sum(b, -1, product(A, x))));
  }

  Vector coarse(std::size_t l, Vector const& b) {
    auto const p = cycle(l, b);
    if (l > k_levels || (l + 1 == level.size() && coarsest_is_exact)) return p;
    auto const Ap = product(level[l].A, p);
    double const alpha = dot(p, b) / dot(p, Ap);
    auto const r = sum(b, -alpha, Ap);
    Vector const x(b.size(), 0.0);
    if (std::sqrt(dot(r, r)) <= 0.25 * std::sqrt(dot(b, b))) {
      ++one_step;
      return sum(x, alpha, p);
    }
    ++two_steps;
    auto const d = cycle(l, r);
    auto const q = sum(d, -dot(d, Ap) / dot(p, Ap), p);
    double const gamma = dot(q, r) / dot(q, product(level[l].A, q));
    return sum(sum(x, alpha, p), gamma, q);
  }
};

}  // namespace Tessera::oracle
