#pragma once
/// \file
/// Dense matrices on the host.
#include "core/dense.hpp"
#include "core/parallel.hpp"

namespace Tessera::core {

/// Rows [chunk * width, ...) of x = M b: walked by columns, so that neighbouring rows are neighbours in
/// memory (vector lanes) and each sum runs in the order of b.
template <class T, int width>
struct DenseRows {
  Span<double const> matrix;
  Span<T const> b;
  Span<T> x;
  void operator()(Index chunk) const {
    auto const n = static_cast<Index>(b.size());
    Index const begin = chunk * width;
    int const rows = n - begin < width ? static_cast<int>(n - begin) : width;
    double sum[width] = {};
    double const* column = matrix.data() + begin;
    for (Index j = 0; j < n; ++j, column += n) {
      double const b_j = b[j];
      if (rows == width) {
        for (int i = 0; i < width; ++i) sum[i] += column[i] * b_j;
      } else {
        for (int i = 0; i < rows; ++i) sum[i] += column[i] * b_j;
      }
    }
    for (int i = 0; i < rows; ++i) x[begin + i] = static_cast<T>(sum[i]);
  }
};

template <>
struct Dense<Host> {
  static constexpr bool inverts = false;

  template <class T>
  static void multiply(Host const& space, Span<double const> M, Span<T const> b, Span<T> x) {
    constexpr int width = 32;  // a cache line or two
    for_each_heavy(space, (b.size() + width - 1) / width, DenseRows<T, width>{M, b, x});
  }
};

}  // namespace Tessera::core
