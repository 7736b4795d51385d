#pragma once
/// \file
/// How the dense inverse is made: by the space, or, if the matrix is not clearly regular, by the host's
/// LAPACK, which finds the pseudo-inverse, or the row for the error message.
#include <cmath>

#include "core/dense.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/reduce_into.hpp"
#include "multigrid/dense_inverse.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::multigrid {

/// D^-1/2; zero if it does not exist, which makes a pivot zero.
struct ScaleOfRow {
  sparse::CsrView<double> A;
  Span<double const> diagonal_scale;
  Span<double> scale;
  TESSERA_HD void operator()(Index i) const {
    double diagonal = 0, poison = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      poison += 0.0 * A.value[k];
      if (A.column[k] == i) diagonal += A.value[k];
    }
    double const s = diagonal_scale.size() == 0 ? diagonal : diagonal_scale[i];
    scale[i] = diagonal > 0 && poison == 0 ? 1.0 / std::sqrt(s > diagonal ? s : diagonal) : 0.0;
  }
};

/// Adds the entries of the scaled matrix to S, which was set to zero.
struct Scatter {
  sparse::CsrView<double> A;
  Span<double const> scale;
  double* S;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD void operator()(Index i, Offset k) const {
    auto* const row = S + static_cast<std::size_t>(i) * A.rows;
    row[A.column[k]] += A.value[k] * (scale[i] * scale[A.column[k]]);
  }
};

/// A^-1 = D^-1/2 S^-1 D^-1/2, from the lower part of -S^-1.
struct Unscale {
  double const* S;
  Span<double const> scale;
  Span<double> inverse;
  TESSERA_HD void operator()(Index k) const {
    auto const n = static_cast<Index>(scale.size());
    Index const i = k / n, j = k % n;
    inverse[k] = -(i > j ? S[i + static_cast<Offset>(j) * n] : S[k]) * (scale[i] * scale[j]);
  }
};

/// 1 / pivot of a row, if the row came last.
struct InverseOfLastPivot {
  double const* negative;  ///< -S^-1
  Index n;
  TESSERA_HD double operator()(Index i) const { return -negative[static_cast<Offset>(i) * n + i]; }
};

/// Changes `clear` to `doubtful` if a pivot is not clearly above zero. For a matrix with one null vector, the
/// last pivot is its rounding errors divided by the row's share in that vector. A small share hides the
/// nullspace.
struct DoubtSmallPivots {
  int* found;
  double largest;  ///< of 1 / pivot
  TESSERA_HD void operator()(double inverse) const {
    if (*found == InverseStatus::clear && !(inverse <= largest)) *found = InverseStatus::doubtful;
  }
};

template <class T, class Space>
DenseInverse<T, Space>::DenseInverse(Space const& space, sparse::Csr<double, Space> const& A,
                                     Span<double const> diagonal_scale, std::vector<GlobalIndex> row_ids,
                                     NearNullspaceOfRows near)
    : size_(A.rows),
      row_ids_(std::move(row_ids)),
      near_(std::move(near)),
      inverse_(space, static_cast<std::size_t>(A.rows) * A.rows),
      found_(space, 1) {
  begin_refresh(space, A, diagonal_scale);
  end_refresh(space, A, diagonal_scale);
}

/// Without pivoting, as on a space, the last pivot of a singular matrix has larger rounding errors. The host
/// handles matrices with a pivot below this multiple of rank_tolerance().
constexpr double regular_pivot_factor = 1000;

template <class T, class Space>
void DenseInverse<T, Space>::begin_refresh(Space const& space, sparse::Csr<double, Space> const& A,
                                           Span<double const> diagonal_scale) {
  TESSERA_VALIDATE(A.rows == size_ && A.columns == size_, "the coarsest matrix is ", A.rows, " x ", A.columns,
                   ", but its solver was made for ", size_, " unknowns; compute the preconditioner anew");
  if (size_ == 0) return;
  auto const n = static_cast<std::size_t>(size_);
  Array<double, Space> scale(space, n), S(space, n * n);
  core::for_each(space, n, ScaleOfRow{A.view(), diagonal_scale, scale.span()});
  core::fill(space, S.span(), 0.0);
  sparse::for_each_entry(space, size_, A.column.size(), Scatter{A.view(), scale.view(), S.data()});
  double const least_pivot = regular_pivot_factor * rank_tolerance(size_);
  core::Dense<Space>::negate_inverse(space, S.span(), size_, least_pivot, found_.data());
  core::ReduceScratch<Space> scratch(space, n, sizeof(double));
  core::reduce_into(space, n, InverseOfLastPivot{S.data(), size_}, core::Max{}, 0.0,
                    DoubtSmallPivots{found_.data(), 1 / least_pivot}, scratch);
  core::for_each(space, n * n, Unscale{S.data(), scale.view(), inverse_.span()});
}

template <class T, class Space>
template <class X>
void DenseInverse<T, Space>::apply(Space const& space, Span<X const> b, Span<X> x) const {
  core::Dense<Space>::multiply(space, inverse_.view(), b, x);
}

template <class T, class Space>
void DenseInverse<T, Space>::end_refresh(Space const& space, sparse::Csr<double, Space> const& A,
                                         Span<double const> diagonal_scale) {
  rank_ = size_;
  if (size_ == 0) return;
  int const found = core::to_vector(space, found_.view()).front();
  if (found == InverseStatus::clear) return;
  auto const offsets = core::to_vector(space, A.offsets.view());
  auto const column = core::to_vector(space, A.column.view());
  auto const value = core::to_vector(space, A.value.view());
  std::vector<double> dense(inverse_.size(), 0.0);
  for (Index i = 0; i < size_; ++i) {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k)
      dense[i + static_cast<std::size_t>(column[k]) * size_] += value[k];
  }
  auto const scale = inverse_scale(dense, size_, core::to_vector(space, diagonal_scale), row_ids_);
  for (Index j = 0; j < size_; ++j) {
    for (Index i = 0; i < size_; ++i) dense[i + static_cast<std::size_t>(j) * size_] *= scale[i] * scale[j];
  }
  auto const known = known_nullspace(dense, size_, scale, near_);
  if (found == InverseStatus::doubtful && known.empty()) return;  // ill-conditioned, but regular
  rank_ = invert_semidefinite(dense, size_, scale, known, row_ids_);
  core::copy(Host{}, Span<double const>(dense.data(), dense.size()), space, inverse_.span());
}

}  // namespace Tessera::multigrid

// Instantiates apply() for vectors and blocks.
#define TESSERA_DENSE_APPLY_OF(Space, T, ...) \
  template void DenseInverse<T, Space>::apply(Space const&, Span<__VA_ARGS__ const>, Span<__VA_ARGS__>) const;
#define TESSERA_DENSE_APPLY(Space, T)                       \
  TESSERA_DENSE_APPLY_OF(Space, T, T)                       \
  TESSERA_DENSE_APPLY_OF(Space, T, core::Interleaved<T, 4>) \
  TESSERA_DENSE_APPLY_OF(Space, T, core::Interleaved<T, 8>)
