#pragma once
/// \file
/// The dense systems on the host: eight of one padded size side by side, so that each operation is one of
/// eight numbers, or a large one by itself. The order of operations on each number is that of
/// row_systems.hpp.
#include <cmath>
#include <cstddef>
#include <limits>

#include "core/types.hpp"

namespace Tessera::fsai {

/// Systems that are factorised together.
inline constexpr int lanes = 8;
/// Systems up to this size are taken together: eight of them fit into a second-level cache.
inline constexpr Index largest_together = 96;

/// One number of each of the systems.
struct Lanes {
  using Vector = double __attribute__((vector_size(lanes * sizeof(double))));
  Vector value;
};

inline std::size_t triangle(Index m) {
  return static_cast<std::size_t>(m) * (static_cast<std::size_t>(m) + 1) / 2;
}

inline bool is_pivot(double x) {
  return x > 0 && x <= std::numeric_limits<double>::max();
}

/// The first pivot of each system that is none.
struct BadPivots {
  bool any = false;
  bool bad[lanes] = {};
  double pivot[lanes] = {};

  Lanes::Vector root(Lanes::Vector x) {
    Lanes::Vector result{};
    for (int w = 0; w < lanes; ++w) {
      result[w] = std::sqrt(x[w]);
      if (is_pivot(x[w]) || bad[w]) continue;
      any = bad[w] = true;
      pivot[w] = x[w];
    }
    return result;
  }
};

/// L in the place of the lower triangle of A, row by row.
inline void factorise_together(Index m, Lanes* A, BadPivots& pivots) {
  using Vector = Lanes::Vector;
  for (Index i = 0; i < m; ++i) {
    Lanes* const row = A + triangle(i);
    Index j = 0;
    for (; j + 4 <= i; j += 4) {  // four sums of row i at a time
      Lanes const *const r0 = A + triangle(j), *const r1 = r0 + (j + 1), *const r2 = r1 + (j + 2),
                         *const r3 = r2 + (j + 3);
      Vector s0 = row[j].value, s1 = row[j + 1].value, s2 = row[j + 2].value, s3 = row[j + 3].value;
      for (Index k = 0; k < j; ++k) {
        Vector const l = row[k].value;
        s0 -= l * r0[k].value;
        s1 -= l * r1[k].value;
        s2 -= l * r2[k].value;
        s3 -= l * r3[k].value;
      }
      s0 /= r0[j].value;
      s1 -= s0 * r1[j].value;
      s1 /= r1[j + 1].value;
      s2 -= s0 * r2[j].value;
      s2 -= s1 * r2[j + 1].value;
      s2 /= r2[j + 2].value;
      s3 -= s0 * r3[j].value;
      s3 -= s1 * r3[j + 1].value;
      s3 -= s2 * r3[j + 2].value;
      s3 /= r3[j + 3].value;
      row[j].value = s0, row[j + 1].value = s1, row[j + 2].value = s2, row[j + 3].value = s3;
    }
    for (; j < i; ++j) {
      Lanes const* const other = A + triangle(j);
      Vector s = row[j].value;
      for (Index k = 0; k < j; ++k) s -= row[k].value * other[k].value;
      row[j].value = s / other[j].value;
    }
    Vector s = row[i].value;
    for (Index k = 0; k < i; ++k) s -= row[k].value * row[k].value;
    row[i].value = pivots.root(s);
  }
}

/// g: the right-hand sides, then the solutions of L^T g.
inline void substitute_together(Index m, Lanes const* L, Lanes* g) {
  for (Index i = m - 1; i >= 0; --i) {
    Lanes const* const row = L + triangle(i);
    auto const x = g[i].value / row[i].value;
    g[i].value = x;
    for (Index j = 0; j < i; ++j) g[j].value -= row[j].value * x;
  }
}

/// The same for one system whose lower triangle lies column by column: column j from j * m + j on. Returns
/// the first pivot that is none, else 1.
inline double factorise_alone(Index m, double* A) {
  auto const column = [=](Index j) { return A + static_cast<std::size_t>(j) * m; };
  constexpr Index width = 4;
  for (Index from = 0; from < m; from += width) {
    Index const to = from + width < m ? from + width : m;
    if (to - from == width) {
      double *const c0 = column(from), *const c1 = column(from + 1), *const c2 = column(from + 2),
                    *const c3 = column(from + 3);
      for (Index k = 0; k < from; ++k) {
        double const* const l = column(k);
        double const l0 = l[from], l1 = l[from + 1], l2 = l[from + 2], l3 = l[from + 3];
#pragma GCC ivdep
        for (Index i = from; i < m; ++i) {  // what it writes above the diagonal nobody reads
          c0[i] -= l[i] * l0;
          c1[i] -= l[i] * l1;
          c2[i] -= l[i] * l2;
          c3[i] -= l[i] * l3;
        }
      }
    }
    for (Index j = from; j < to; ++j) {
      double* const c = column(j);
      for (Index k = to - from == width ? from : 0; k < j; ++k) {
        double const* const l = column(k);
        double const lj = l[j];
#pragma GCC ivdep
        for (Index i = j; i < m; ++i) c[i] -= l[i] * lj;
      }
      if (!is_pivot(c[j])) return c[j];
      c[j] = std::sqrt(c[j]);
      for (Index i = j + 1; i < m; ++i) c[i] /= c[j];
    }
  }
  return 1;
}

inline void substitute_alone(Index m, double const* L, double* g) {
  for (Index j = m - 1; j >= 0; --j) {
    double const* const c = L + static_cast<std::size_t>(j) * m;
    double s = j == m - 1 ? 1.0 : 0.0;
    for (Index i = m - 1; i > j; --i) s -= c[i] * g[i];
    g[j] = s / c[j];
  }
}

}  // namespace Tessera::fsai
