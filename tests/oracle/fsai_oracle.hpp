#pragma once
/// \file
/// Factored sparse approximate inverses of dense matrices by loops over everything.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "oracle/dense.hpp"

namespace Tessera::oracle {

/// present[i][j]
using DensePattern = std::vector<std::vector<bool>>;

inline constexpr Index all_columns = std::numeric_limits<Index>::max();

/// Low(Low(Low(I F) F) ...), k times, where F has the entries |a_ij| > tau sqrt(a_ii a_jj) of the first
/// `columns` columns and the diagonal.
inline DensePattern fsai_pattern(Dense const& A, int k, double tau, Index columns = all_columns) {
  auto const n = static_cast<std::size_t>(A.rows);
  DensePattern F(n, std::vector<bool>(n)), B(n, std::vector<bool>(n));
  for (Index i = 0; i < A.rows; ++i) {
    B[i][i] = true;
    for (Index j = 0; j < A.rows; ++j)
      F[i][j] = i == j || (j < columns && std::fabs(A(i, j)) > tau * std::sqrt(A(i, i) * A(j, j)));
  }
  for (int step = 0; step < k; ++step) {
    DensePattern product(n, std::vector<bool>(n));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < n; ++l) {
        for (std::size_t j = 0; j <= i && B[i][l]; ++j) product[i][j] = product[i][j] || F[l][j];
      }
    }
    B = product;
  }
  return B;
}

inline std::vector<Index> columns_of(DensePattern const& pattern, Index i) {
  std::vector<Index> columns;
  for (Index j = 0; j <= i; ++j) {
    if (pattern[i][j]) columns.push_back(j);
  }
  return columns;
}

/// x / sqrt(d_m) for A = L D L^T and L^T x = e_m, from the lower triangle of a symmetric matrix. Sums ascend
/// (factor) or descend (solution), with fused multiply-add. A(i, j) becomes l_ij d_j.
inline std::vector<double> fsai_row(Dense A) {
  auto const m = A.rows;
  std::vector<double> r(m), x(m, 0.0);
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j <= i; ++j) {
      for (Index k = 0; k < j; ++k) A(i, j) = std::fma(-A(i, k), A(j, k) * r[k], A(i, j));
    }
    r[i] = 1 / A(i, i);
  }
  x[m - 1] = 1;
  for (Index j = m - 2; j >= 0; --j) {
    for (Index i = m - 1; i > j; --i) x[j] = std::fma(-(A(i, j) * r[j]), x[i], x[j]);
  }
  double const scale = 1 / std::sqrt(A(m - 1, m - 1));
  for (auto& entry : x) entry *= scale;
  return x;
}

/// A[P, P]
inline Dense fsai_system(Dense const& A, std::vector<Index> const& P) {
  auto const m = static_cast<Index>(P.size());
  Dense system(m, m);
  for (Index a = 0; a < m; ++a) {
    for (Index b = 0; b < m; ++b) system(a, b) = A(P[a], P[b]);
  }
  return system;
}

/// The same for a semidefinite matrix: unknowns that depend on earlier unknowns get zeros. If the last
/// unknown is dependent, the row is its diagonal entry alone. (An unknown is dependent if its pivot, by
/// Cholesky, is below 1e-9 of the largest entry.)
inline std::vector<double> fsai_semidefinite_row(Dense const& A) {
  double largest = 0;
  for (Index i = 0; i < A.rows; ++i) largest = std::max(largest, A(i, i));
  std::vector<Index> independent;
  Dense L(A.rows, A.rows);  // its first rows are the factor of A[independent, independent]
  for (Index j = 0; j < A.rows; ++j) {
    auto const k = static_cast<Index>(independent.size());
    double pivot = A(j, j);
    for (Index c = 0; c < k; ++c) {
      double entry = A(j, independent[c]);
      for (Index b = 0; b < c; ++b) entry -= L(k, b) * L(c, b);
      L(k, c) = entry / L(c, c);
      pivot -= L(k, c) * L(k, c);
    }
    if (pivot <= 1e-9 * largest) continue;
    L(k, k) = std::sqrt(pivot);
    independent.push_back(j);
  }
  auto const last = A.rows - 1;
  if (independent.back() != last) independent = {last};
  std::vector<double> x(A.rows, 0.0);
  auto const g = fsai_row(fsai_system(A, independent));
  for (std::size_t k = 0; k < g.size(); ++k) x[independent[k]] = g[k];
  return x;
}

inline Dense fsai_factor(Dense const& A, DensePattern const& pattern, bool semidefinite = false) {
  Dense G(A.rows, A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    auto const P = columns_of(pattern, i);
    auto const system = fsai_system(A, P);
    auto const g = semidefinite ? fsai_semidefinite_row(system) : fsai_row(system);
    for (std::size_t a = 0; a < P.size(); ++a) G(i, P[a]) = g[a];
  }
  return G;
}

/// Drops entries |g_ij| <= delta ||g_i||, or in the energy norm |g_ij| <= delta / sqrt(a_jj), and divides the
/// others by sqrt(1 + eps^T A eps).
inline Dense fsai_postfiltered(Dense const& A, Dense G, double delta, bool energy_norm = false) {
  auto const n = A.rows;
  for (Index i = 0; i < n; ++i) {
    double squares = 0, energy = 0;
    for (Index j = 0; j <= i; ++j) squares += G(i, j) * G(i, j);
    std::vector<double> epsilon(n, 0.0);
    for (Index j = 0; j < i; ++j) {
      if (energy_norm ? G(i, j) * G(i, j) * A(j, j) > delta * delta
                      : std::fabs(G(i, j)) > delta * std::sqrt(squares))
        continue;
      std::swap(epsilon[j], G(i, j));
    }
    for (Index j = 0; j < n; ++j) {
      double product = 0;
      for (Index l = 0; l < n; ++l) product += A(j, l) * epsilon[l];
      energy += epsilon[j] * product;
    }
    for (Index j = 0; j <= i; ++j) G(i, j) *= 1 / std::sqrt(1 + energy);
  }
  return G;
}

/// Adds to each row `count` columns, or half of its size if that is more: the columns among the first
/// `columns` with the largest (A g_i)_j^2 / a_jj above the tolerance.
inline DensePattern fsai_grown(Dense const& A, Dense const& G, DensePattern pattern, int count,
                               double tolerance = 0, Index columns = all_columns) {
  for (Index i = 0; i < A.rows; ++i) {
    std::vector<std::pair<double, Index>> candidates;
    for (Index j = 0; j < std::min(i, columns); ++j) {
      double t = 0;
      for (Index p = 0; p <= i; ++p) t += A(p, j) * G(i, p);
      if (!pattern[i][j] && t * t / A(j, j) > tolerance) candidates.emplace_back(-t * t / A(j, j), j);
    }
    std::sort(candidates.begin(), candidates.end());
    auto const room = std::max(count, static_cast<int>(columns_of(pattern, i).size()) / 2);
    for (int c = 0; c < room && c < static_cast<int>(candidates.size()); ++c)
      pattern[i][candidates[c].second] = true;
  }
  return pattern;
}

/// fsai_pattern with at most `most` entries per row. Longer rows take fewer steps, and then the columns of
/// one more step with the largest (F g_i)_j^2 / a_jj.
inline DensePattern fsai_cut_pattern(Dense const& A, int k, double tau, int most) {
  Dense F(A.rows, A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.rows; ++j)
      F(i, j) = i == j || std::fabs(A(i, j)) > tau * std::sqrt(A(i, i) * A(j, j)) ? A(i, j) : 0.0;
  }
  auto const whole = fsai_pattern(A, k, tau);
  auto pattern = whole;
  auto const too_long = [&](Index i) { return static_cast<int>(columns_of(pattern, i).size()) > most; };
  for (Index i = 0; i < A.rows; ++i) {
    for (int steps = k; too_long(i); --steps) pattern[i] = fsai_pattern(A, steps - 1, tau)[i];
  }
  auto const G = fsai_factor(A, pattern);
  for (Index i = 0; i < A.rows; ++i) {
    if (pattern[i] == whole[i]) continue;
    auto const room = most - static_cast<int>(columns_of(pattern, i).size());
    std::vector<std::pair<double, Index>> candidates;
    for (Index j = 0; j < i; ++j) {
      double t = 0;
      for (Index p = 0; p <= i; ++p) t += F(p, j) * G(i, p);
      if (!pattern[i][j] && t * t / A(j, j) > 0) candidates.emplace_back(-t * t / A(j, j), j);
    }
    std::sort(candidates.begin(), candidates.end());
    for (int c = 0; c < room && c < static_cast<int>(candidates.size()); ++c)
      pattern[i][candidates[c].second] = true;
  }
  return pattern;
}

/// The largest |(G A G^T)_ii - 1|.
inline double distance_from_unit_diagonal(Dense const& A, Dense const& G) {
  double largest = 0;
  auto const GA = product(G, A);
  for (Index i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (Index j = 0; j <= i; ++j) sum += GA(i, j) * G(i, j);
    largest = std::max(largest, std::fabs(sum - 1));
  }
  return largest;
}

/// The logarithm of the Kaporin number (trace / n) / det^(1/n) of G A G^T, times det(A)^(1/n), which does not
/// depend on G; trace = n.
inline double log_kaporin(Dense const& G) {
  double sum = 0;
  for (Index i = 0; i < G.rows; ++i) sum -= 2 * std::log(G(i, i));
  return G.rows == 0 ? 0 : sum / G.rows;
}

}  // namespace Tessera::oracle
