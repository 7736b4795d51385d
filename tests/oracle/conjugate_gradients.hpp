#pragma once
/// \file
/// Conjugate gradients too simple to be wrong, on vectors of the host.
#include <cmath>
#include <vector>

namespace Tessera::oracle {

struct ConjugateGradients {
  std::vector<double> x;
  std::vector<double> norms;  ///< of the recurrence's residuals, the right-hand side's first
  bool converged = false;     ///< by the last of them
  int iterations() const { return static_cast<int>(norms.size()) - 1; }
};

/// Hestenes and Stiefel 1952 with a preconditioner (Saad 2003, Algorithm 9.1), from zero, until ||r|| <=
/// tolerance ||b||: two reductions per iteration, with (p, A p) by its definition. multiply(v) is A v,
/// precondition(r) is M^-1 r; `dot` defines what a vector is, for example one rank's part.
template <class Multiply, class Precondition, class Dot>
ConjugateGradients conjugate_gradients(Multiply const& multiply, Precondition const& precondition,
                                       Dot const& dot, std::vector<double> const& b, double tolerance,
                                       int limit = 100000) {
  auto const n = b.size();
  ConjugateGradients done{std::vector<double>(n, 0.0), {std::sqrt(dot(b, b))}};
  auto r = b;
  std::vector<double> p(n, 0.0);
  double const target = tolerance * done.norms[0];
  double before = 0;
  while (!(done.converged = done.norms.back() <= target) && done.iterations() < limit) {
    std::vector<double> const z = precondition(r);
    double const rz = dot(r, z), beta = before == 0 ? 0 : rz / before;
    for (std::size_t i = 0; i < n; ++i) p[i] = z[i] + beta * p[i];
    std::vector<double> const s = multiply(p);
    double const alpha = rz / dot(p, s);
    for (std::size_t i = 0; i < n; ++i) {
      done.x[i] += alpha * p[i];
      r[i] -= alpha * s[i];
    }
    before = rz;
    done.norms.push_back(std::sqrt(dot(r, r)));
  }
  return done;
}

}  // namespace Tessera::oracle
