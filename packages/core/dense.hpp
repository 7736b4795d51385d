#pragma once
/// \file
/// Dense symmetric matrices in the memory of a space, n x n numbers, column-major. All spaces compute the
/// same bits.
///
///     Dense<Space>::multiply(space, M, b, x)
///         x = M b, for vectors or blocks (interleaved.hpp). Sums are in double for all types of b and x. A
///         sum has `product_lanes` parts: lane l adds every product_lanes-th term from l on; lanes are folded
///         in halves
///     Dense<Space>::negate_inverse(space, S, n, tolerance, regular)
///         replaces the lower part of S, positive definite with unit diagonal, by that of -S^-1; does not
///         wait. *regular, on the space, becomes 1 if every pivot was above the tolerance; otherwise 0, and S
///         is undefined
///
/// Sweeping a symmetric matrix on the rows and columns K (Goodnight 1979), with P = S_KK^-1, turns S_ij into
/// S_ij - S_iK P S_Kj, S_iK into S_iK P, S_Kj into P S_Kj and S_KK into -P. After all sweeps the matrix is
/// -S^-1. Each K has `sweep_width` rows, in order and without interchanges, as in Cholesky's factorization.
#include <algorithm>

#include "core/array.hpp"
#include "core/interleaved.hpp"
#include "core/parallel.hpp"

namespace Tessera::core {

constexpr int product_lanes = 32;
constexpr int sweep_width = 32;

template <class Space>
struct Dense;

/// Rows [chunk * width, ...) of x = M b. Loops run over columns, so that vector lanes have neighbouring rows.
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
    Sum lane[product_lanes][width];
    for (int l = 0; l < product_lanes; ++l) add_lane(l, begin, rows, lane[l]);
    for (int half = product_lanes / 2; half > 0; half /= 2) {
      for (int l = 0; l < half; ++l) {
        for (int i = 0; i < width; ++i) lane[l][i] += lane[l + half][i];
      }
    }
    for (int i = 0; i < rows; ++i) x[begin + i] = static_cast<X>(lane[0][i]);
  }

 private:
  void add_lane(int l, Index begin, int rows, Sum (&result)[width]) const {
    auto const n = static_cast<Index>(b.size());
    Sum sum[width] = {};
    for (Index j = l; j < n; j += product_lanes) {
      double const* const column = matrix.data() + begin + Offset{j} * n;
      auto const b_j = static_cast<Sum>(b[j]);
      if (rows == width) {
        for (int i = 0; i < width; ++i) sum[i] += column[i] * b_j;
      } else {
        for (int i = 0; i < rows; ++i) sum[i] += column[i] * b_j;
      }
    }
    std::copy_n(sum, width, result);
  }
};

/// Sweeps of a symmetric matrix. Only its lower part is updated, column by column.
class DenseSweeps {
 public:
  static constexpr Index width = sweep_width;

  DenseSweeps(Host const& space, Span<double> S, Index n)
      : space_(space),
        S_(S.data()),
        n_(n),
        columns_(space, static_cast<std::size_t>((n + rows - 1) / rows) * rows * width),
        weights_(space, std::size_t{width} * static_cast<std::size_t>(n)) {
    fill(space, columns_.span(), 0.0);  // also after the last row: numbers left in memory may be slow to add
  }

  /// Sweeps on the rows and columns from `first` on. Returns false if a pivot is not above the tolerance.
  bool run(Index first, double tolerance) {
    first_ = first;
    swept_ = std::min(width, n_ - first);
    for_each(space_, n_, [this](Index i) { copy_row(i); });
    if (!sweep_tile(tolerance)) return false;
    for_each(space_, n_, [this](Index i) { set_weights(i); });
    auto const entries = static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_) / 2;
    for_each_heavy(space_, n_, entries * width, [this](Index j) { update(j); });
    return true;
  }

 private:
  static constexpr Index rows = 32;  ///< rows whose entries of a swept column are contiguous

  double& at(Index i, Index j) { return S_[i + static_cast<std::size_t>(j) * n_]; }
  /// Copy of an entry of a swept column before the sweep.
  double& old_entry(Index i, Index l) { return columns_[Offset{i / rows * width + l} * rows + i % rows]; }
  bool is_swept(Index i) const { return i >= first_ && i < first_ + swept_; }

  void copy_row(Index i) {
    for (Index l = 0; l < width; ++l)
      old_entry(i, l) = l >= swept_ ? 0 : i < first_ + l ? at(first_ + l, i) : at(i, first_ + l);
  }

  /// Replaces the square of swept rows and columns by the negative of its inverse, pivot by pivot.
  bool sweep_tile(double tolerance) {
    for (Index m = 0; m < width; ++m) {
      for (Index l = 0; l < width; ++l) tile_[m][l] = m < swept_ ? old_entry(first_ + m, l) : 0;
    }
    for (Index p = 0; p < swept_; ++p) {
      auto& pivot_row = tile_[p];
      if (!(pivot_row[p] > tolerance)) return false;
      double const inverse = 1 / pivot_row[p];
      for (Index l = 0; l < swept_; ++l) pivot_row[l] *= inverse;
      for (Index m = 0; m < swept_; ++m) {
        if (m == p) continue;
        double const factor = tile_[m][p];
        for (Index l = 0; l < swept_; ++l) tile_[m][l] -= factor * pivot_row[l];
        tile_[m][p] = factor * inverse;
      }
      pivot_row[p] = -inverse;
    }
    return true;
  }

  /// Weights of the swept columns that are subtracted from column i.
  void set_weights(Index i) {
    double sum[width] = {};
    for (Index m = 0; m < swept_; ++m) {
      double const entry = old_entry(i, m);
      for (Index l = 0; l < width; ++l) sum[l] -= entry * tile_[m][l];
    }
    std::copy_n(sum, width, &weights_[Offset{i} * width]);
  }

  void update(Index j) {
    double* const column = &at(0, j);
    if (is_swept(j)) {
      for (Index i = 0; i < n_; ++i)
        column[i] = is_swept(i) ? tile_[i - first_][j - first_] : weights_[Offset{i} * width + j - first_];
      return;
    }
    double const* const weight = &weights_[Offset{j} * width];
    for (Index i = j / rows * rows; i < n_; i += rows) subtract(i, weight, column);
    std::copy_n(weight, swept_, column + first_);
  }

  void subtract(Index first, double const* weight, double* column) {
    double const* entries = &old_entry(first, 0);
    Index const count = std::min(rows, n_ - first);
    double sum[rows] = {};
    std::copy_n(column + first, count, sum);
    for (Index l = 0; l < width; ++l, entries += rows) {
      for (Index i = 0; i < rows; ++i) sum[i] -= entries[i] * weight[l];
    }
    std::copy_n(sum, count, column + first);
  }

  Host space_;
  double* S_;
  Index n_, first_ = 0, swept_ = 0;
  Array<double, Host> columns_, weights_;
  double tile_[width][width];
};

template <>
struct Dense<Host> {
  static void negate_inverse(Host const& space, Span<double> S, Index n, double tolerance, int* regular) {
    DenseSweeps sweeps(space, S, n);
    bool good = true;
    for (Index first = 0; good && first < n; first += DenseSweeps::width) good = sweeps.run(first, tolerance);
    *regular = good ? 1 : 0;
  }

  template <class X>
  static void multiply(Host const& space, Span<double const> M, Span<X const> b, Span<X> x) {
    constexpr int width = 32 / columns_of<X>;  // for vectors, a chunk of x is a few cache lines
    for_each_heavy(space, (b.size() + width - 1) / width, M.size() * columns_of<X>,
                   DenseRows<X, width>{M, b, x});
  }
};

}  // namespace Tessera::core

#if defined(TESSERA_CUDA_UNIT)
#include "core/dense_cuda.cuh"
#endif
