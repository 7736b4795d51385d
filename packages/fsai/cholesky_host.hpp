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
/// Systems up to this size are taken together: eight of them take 0.8 MB.
inline constexpr Index largest_together = 160;

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

  /// Notes those among d, which are divided by next.
  void check(Lanes::Vector const& d) {
    for (int w = 0; w < lanes; ++w) {
      if (is_pivot(d[w]) || bad[w]) continue;
      any = bad[w] = true;
      pivot[w] = d[w];
    }
  }
};

/// L in the place of the lower triangle of A, row by row, D on its diagonal; reciprocal: m numbers for 1 / D.
/// A row keeps its v until it is done.
inline void factorise_together(Index m, Lanes* A, Lanes* reciprocal, BadPivots& pivots) {
  using Vector = Lanes::Vector;
  for (Index i = 0; i < m; ++i) {
    Lanes* const row = A + triangle(i);
    Index j = 0;
    for (; j + 4 <= i; j += 4) {  // four sums of row i at a time
      Lanes const *const r0 = A + triangle(j), *const r1 = r0 + (j + 1), *const r2 = r1 + (j + 2),
                         *const r3 = r2 + (j + 3);
      Vector s0 = row[j].value, s1 = row[j + 1].value, s2 = row[j + 2].value, s3 = row[j + 3].value;
      for (Index k = 0; k < j; ++k) {
        Vector const v = row[k].value;
        s0 -= v * r0[k].value;
        s1 -= v * r1[k].value;
        s2 -= v * r2[k].value;
        s3 -= v * r3[k].value;
      }
      s1 -= s0 * r1[j].value;
      s2 -= s0 * r2[j].value;
      s2 -= s1 * r2[j + 1].value;
      s3 -= s0 * r3[j].value;
      s3 -= s1 * r3[j + 1].value;
      s3 -= s2 * r3[j + 2].value;
      row[j].value = s0, row[j + 1].value = s1, row[j + 2].value = s2, row[j + 3].value = s3;
    }
    for (; j < i; ++j) {
      Lanes const* const other = A + triangle(j);
      Vector s = row[j].value;
      for (Index k = 0; k < j; ++k) s -= row[k].value * other[k].value;
      row[j].value = s;
    }
    Vector s = row[i].value;
    for (Index k = 0; k < i; ++k) {
      Vector const l = row[k].value * reciprocal[k].value;
      s -= row[k].value * l;
      row[k].value = l;
    }
    row[i].value = s;
    pivots.check(s);
    reciprocal[i].value = 1.0 / s;
  }
}

/// g: unit vectors, then the solutions of L^T g.
inline void substitute_together(Index m, Lanes const* L, Lanes* g) {
  for (Index i = m - 1; i >= 0; --i) {
    Lanes const* const row = L + triangle(i);
    auto const x = g[i].value;
    for (Index j = 0; j < i; ++j) g[j].value -= row[j].value * x;
  }
}

/// The same for one system whose lower triangle lies column by column: column j from j * m + j on; v stays in
/// place, 1 / D goes to reciprocal (m numbers). Returns the first pivot that is none, else the last.
inline double factorise_alone(Index m, double* A, double* reciprocal) {
  auto const column = [=](Index j) { return A + static_cast<std::size_t>(j) * m; };
  constexpr Index width = 4;
  for (Index from = 0; from < m; from += width) {
    Index const to = from + width < m ? from + width : m;
    if (to - from == width) {
      double *const c0 = column(from), *const c1 = column(from + 1), *const c2 = column(from + 2),
                    *const c3 = column(from + 3);
      for (Index k = 0; k < from; ++k) {
        double const* const v = column(k);
        double const r = reciprocal[k];
        double const l0 = v[from] * r, l1 = v[from + 1] * r, l2 = v[from + 2] * r, l3 = v[from + 3] * r;
#pragma GCC ivdep
        for (Index i = from; i < m; ++i) {  // what it writes above the diagonal nobody reads
          c0[i] -= v[i] * l0;
          c1[i] -= v[i] * l1;
          c2[i] -= v[i] * l2;
          c3[i] -= v[i] * l3;
        }
      }
    }
    for (Index j = from; j < to; ++j) {
      double* const c = column(j);
      for (Index k = to - from == width ? from : 0; k < j; ++k) {
        double const* const v = column(k);
        double const lj = v[j] * reciprocal[k];
#pragma GCC ivdep
        for (Index i = j; i < m; ++i) c[i] -= v[i] * lj;
      }
      if (!is_pivot(c[j])) return c[j];
      reciprocal[j] = 1.0 / c[j];
    }
  }
  return column(m - 1)[m - 1];
}

inline void substitute_alone(Index m, double const* V, double const* reciprocal, double* g) {
  for (Index j = m - 1; j >= 0; --j) {
    double const* const c = V + static_cast<std::size_t>(j) * m;
    double s = j == m - 1 ? 1.0 : 0.0;
    for (Index i = m - 1; i > j; --i) s -= c[i] * reciprocal[j] * g[i];
    g[j] = s;
  }
}

}  // namespace Tessera::fsai
