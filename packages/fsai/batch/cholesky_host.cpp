#include "fsai/batch/cholesky_host.hpp"

#include <algorithm>
#include <cmath>

/// Compiles a function for processors with fused multiply-add as well, whatever the target of the other code.
/// (Without fused multiply-add in hardware, std::fma gives the same numbers slowly.)
#if defined(__x86_64__) && defined(__linux__)
#define TESSERA_FMA_CLONES [[gnu::target_clones("avx512f", "fma", "default")]]
#else
#define TESSERA_FMA_CLONES
#endif

namespace Tessera::fsai {
namespace {

[[gnu::always_inline]] inline Lanes all(double x) {
  return {{x, x, x, x, x, x, x, x}};
}
[[gnu::always_inline]] inline Lanes product(Lanes const& a, Lanes const& b) {
  Lanes r;
  for (int w = 0; w < lanes; ++w) r.value[w] = a[w] * b[w];
  return r;
}
[[gnu::always_inline]] inline Lanes quotient(Lanes const& a, Lanes const& b) {
  Lanes r;
  for (int w = 0; w < lanes; ++w) r.value[w] = a[w] / b[w];
  return r;
}
/// s - v l
[[gnu::always_inline]] inline Lanes minus_product(Lanes const& s, Lanes const& v, Lanes const& l) {
  Lanes r;
  for (int w = 0; w < lanes; ++w) r.value[w] = std::fma(-v[w], l[w], s[w]);
  return r;
}

/// Columns `first` to `first` + 3 of a row of L D, minus their products with the columns before `end`.
/// l(t, k): entry of L in row `first` + t.
struct FourColumns {
  Lanes s0, s1, s2, s3;

  template <class Lower>
  [[gnu::always_inline]] FourColumns(Lanes const* row, Index first, Index end, Lower const& l)
      : s0(row[first]), s1(row[first + 1]), s2(row[first + 2]), s3(row[first + 3]) {
    for (Index k = 0; k < end; ++k) {
      Lanes const v = row[k];
      s0 = minus_product(s0, v, l(0, k));
      s1 = minus_product(s1, v, l(1, k));
      s2 = minus_product(s2, v, l(2, k));
      s3 = minus_product(s3, v, l(3, k));
    }
  }
  [[gnu::always_inline]] void store(Lanes* row, Index first) const {
    row[first] = s0, row[first + 1] = s1, row[first + 2] = s2, row[first + 3] = s3;
  }
};

/// The same for columns left of the diagonal square, with the products among the four columns.
template <class Lower>
[[gnu::always_inline]] inline void four_columns(Lanes* row, Index first, Lower const& l) {
  FourColumns c(row, first, first, l);
  c.s1 = minus_product(c.s1, c.s0, l(1, first));
  c.s2 = minus_product(c.s2, c.s0, l(2, first));
  c.s3 = minus_product(c.s3, c.s0, l(3, first));
  c.s2 = minus_product(c.s2, c.s1, l(2, first + 1));
  c.s3 = minus_product(c.s3, c.s1, l(3, first + 1));
  c.s3 = minus_product(c.s3, c.s2, l(3, first + 2));
  c.store(row, first);
}

}  // namespace

/// A row keeps v until all its columns are final; then l replaces v.
TESSERA_FMA_CLONES void factorise_batch(Index m, Lanes* A, Lanes* reciprocal, BadPivots& pivots) {
  for (Index i = 0; i < m; ++i) {
    Lanes* const row = A + triangle(i);
    Index j = 0;
    for (; j + 4 <= i; j += 4) {
      Lanes const* const other[4] = {A + triangle(j), A + triangle(j + 1), A + triangle(j + 2),
                                     A + triangle(j + 3)};
      four_columns(row, j, [&](int t, Index k) -> Lanes const& { return other[t][k]; });
    }
    for (; j < i; ++j) {
      Lanes const* const other = A + triangle(j);
      Lanes s = row[j];
      for (Index k = 0; k < j; ++k) s = minus_product(s, row[k], other[k]);
      row[j] = s;
    }
    Lanes s = row[i];
    for (Index k = 0; k < i; ++k) {
      Lanes const v = row[k], l = product(v, reciprocal[k]);
      s = minus_product(s, v, l);
      row[k] = l;
    }
    row[i] = s;
    pivots.check(s);
    reciprocal[i] = quotient(all(1.0), s);
  }
}

TESSERA_FMA_CLONES void substitute_batch(Index m, Lanes const* L, Lanes* g) {
  Index j = m;
  for (; j >= 4; j -= 4) {
    Lanes* const x = g + (j - 4);
    Lanes x0 = x[0], x1 = x[1], x2 = x[2], x3 = x[3];
    auto const row = [=](Index i) { return L + triangle(i) + (j - 4); };
    for (Index i = m - 1; i >= j; --i) {
      Lanes const* const l = row(i);
      Lanes const xi = g[i];
      x0 = minus_product(x0, l[0], xi);
      x1 = minus_product(x1, l[1], xi);
      x2 = minus_product(x2, l[2], xi);
      x3 = minus_product(x3, l[3], xi);
    }
    x2 = minus_product(x2, row(j - 1)[2], x3);
    x1 = minus_product(x1, row(j - 1)[1], x3);
    x0 = minus_product(x0, row(j - 1)[0], x3);
    x1 = minus_product(x1, row(j - 2)[1], x2);
    x0 = minus_product(x0, row(j - 2)[0], x2);
    x0 = minus_product(x0, row(j - 3)[0], x1);
    x[0] = x0, x[1] = x1, x[2] = x2, x[3] = x3;
  }
  for (; j > 0; --j) {
    Lanes x = g[j - 1];
    for (Index i = m - 1; i >= j; --i) x = minus_product(x, L[triangle(i) + (j - 1)], g[i]);
    g[j - 1] = x;
  }
}

TESSERA_FMA_CLONES bool factorise_single(Index panels, PanelTriangle A, double* D, double* reciprocal,
                                         Lanes* L) {
  for (Index I = 0; I < panels; ++I) {
    Lanes* const row = A.panel(I);
    Index const square = I * lanes;
    for (Index j = 0; j < square; j += 4) {
      auto const* const other = reinterpret_cast<double const*>(A.panel(j / lanes)) + j % lanes;
      four_columns(row, j, [=](int t, Index k) { return all(other[k * lanes + t]); });
    }
    for (Index k = 0; k < square; ++k) L[k] = product(row[k], all(reciprocal[k]));
    for (int w = 0; w < lanes; w += 4)
      FourColumns(row, square + w, square, [=](int t, Index k) {
        return all(L[k][w + t]);
      }).store(row, square + w);
    for (int w = 0; w < lanes; ++w) {
      Index const j = square + w;
      Lanes const v = row[j];
      D[j] = v[w];
      if (!is_pivot(D[j])) return false;
      reciprocal[j] = 1.0 / D[j];
      L[j] = product(v, all(reciprocal[j]));
      for (int u = w + 1; u < lanes; ++u) row[square + u] = minus_product(row[square + u], v, all(L[j][u]));
    }
    std::copy_n(L, square + lanes, row);
  }
  return true;
}

TESSERA_FMA_CLONES void substitute_single(Index panels, PanelTriangle L, double* g) {
  for (Index I = panels - 1; I >= 0; --I) {
    auto const* const row = reinterpret_cast<double const*>(L.panel(I));
    double* const x = g + I * lanes;
    for (int i = lanes - 1; i > 0; --i) {
      for (int j = 0; j < i; ++j) x[j] = std::fma(-row[(I * lanes + j) * lanes + i], x[i], x[j]);
    }
    for (Index j = 0; j < I * lanes; ++j) {
      double s = g[j];
      for (int i = lanes - 1; i >= 0; --i) s = std::fma(-row[j * lanes + i], x[i], s);
      g[j] = s;
    }
  }
}

}  // namespace Tessera::fsai
