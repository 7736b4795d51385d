#pragma once
/// \file
/// Dense matrices on the host.
#include "core/dense.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"

namespace Tessera::core {

/// Rows [chunk * width, ...) of x = M b: walked by columns, so that neighbouring rows are neighbours in
/// memory (vector lanes) and each sum runs in the order of b.
template <class X, int width>
struct DenseRows {
  using Sum = RowOf<double, X>;
  Span<double const> matrix;
  Span<X const> b;
  Span<X> x;
  void operator()(Index chunk) const {
    auto const n = static_cast<Index>(b.size());
    Index const begin = chunk * width;
    int const rows = n - begin < width ? static_cast<int>(n - begin) : width;
    Sum sum[width] = {};
    double const* column = matrix.data() + begin;
    for (Index j = 0; j < n; ++j, column += n) {
      auto const b_j = static_cast<Sum>(b[j]);
      if (rows == width) {
        for (int i = 0; i < width; ++i) sum[i] += column[i] * b_j;
      } else {
        for (int i = 0; i < rows; ++i) sum[i] += column[i] * b_j;
      }
    }
    for (int i = 0; i < rows; ++i) x[begin + i] = static_cast<X>(sum[i]);
  }
};

template <>
struct Dense<Host> {
  static constexpr bool inverts = false;

  template <class X>
  static void multiply(Host const& space, Span<double const> M, Span<X const> b, Span<X> x) {
    constexpr int width = 32 / columns_of<X>;  // for vectors a cache line or two
    for_each_heavy(space, (b.size() + width - 1) / width, DenseRows<X, width>{M, b, x});
  }
};

}  // namespace Tessera::core
