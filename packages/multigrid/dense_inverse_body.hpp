#pragma once
/// \file
/// The dense inverse, and how the host makes it and multiplies with it.
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/dense_inverse.hpp"

namespace Tessera::multigrid {

/// Rows [chunk * width, ...) of x = M b, M symmetric: walked by columns, so that neighbouring rows are
/// neighbours in memory (vector lanes) and each sum, in double, runs in the order of b.
template <class T, int width>
struct DenseProduct {
  Span<double const> matrix;
  Span<T const> b;
  Span<T> x;
  Index n;
  TESSERA_HD void operator()(Index chunk) const {
    Index const begin = chunk * width;
    int const rows = n - begin < width ? static_cast<int>(n - begin) : width;
    double sum[width];
    for (int i = 0; i < width; ++i) sum[i] = 0;
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

/// A's inverse into inverse, if *regular is 1 afterwards; else that is left to the host, whose LAPACK finds
/// the pseudo-inverse, or the row to name. Nothing is waited for. dense_inverse_cuda.cuh has CUDA's.
inline void invert_regular(Host const&, sparse::Csr<double, Host> const&, Span<double>, int* regular) {
  *regular = 0;
}
void invert_regular(Cuda const& space, sparse::Csr<double, Cuda> const& A, Span<double> inverse,
                    int* regular);

/// x = M b for a symmetric M.
template <class T>
void multiply_dense(Host const& space, Span<double const> matrix, Span<T const> b, Span<T> x);
template <class T>
void multiply_dense(Cuda const& space, Span<double const> matrix, Span<T const> b, Span<T> x);

template <class T, class Space>
DenseInverse<T, Space>::DenseInverse(Space const& space, sparse::Csr<double, Space> const& A)
    : size_(A.rows), inverse_(space, static_cast<std::size_t>(A.rows) * A.rows), regular_(space, 1) {
  refresh(space, A);
}

template <class T, class Space>
void DenseInverse<T, Space>::refresh(Space const& space, sparse::Csr<double, Space> const& A) {
  begin_refresh(space, A);
  end_refresh(space, A);
}

template <class T, class Space>
void DenseInverse<T, Space>::begin_refresh(Space const& space, sparse::Csr<double, Space> const& A) {
  TESSERA_VALIDATE(A.rows == size_ && A.columns == size_, "the coarsest matrix is ", A.rows, " x ", A.columns,
                   ", but its solver was made for ", size_, " unknowns; compute the preconditioner anew");
  if (size_ > 0) invert_regular(space, A, inverse_.span(), regular_.data());
}

template <class T, class Space>
void DenseInverse<T, Space>::apply(Space const& space, Span<T const> b, Span<T> x) const {
  multiply_dense(space, inverse_.view(), b, x);
}

/// The inverse, made by the host's LAPACK, and the rank.
template <class Space>
Index invert_on_host(Space const& space, sparse::Csr<double, Space> const& A, Span<double> inverse) {
  auto const offsets = core::to_vector(space, A.offsets.view());
  auto const column = core::to_vector(space, A.column.view());
  auto const value = core::to_vector(space, A.value.view());
  Index const n = A.rows;
  std::vector<double> dense(static_cast<std::size_t>(n) * n, 0.0);
  for (Index i = 0; i < n; ++i) {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      dense[i + static_cast<std::size_t>(column[k]) * n] += value[k];
    }
  }
  Index const rank = invert_semidefinite(dense, n);
  core::copy(Host{}, Span<double const>(dense.data(), dense.size()), space, inverse);
  return rank;
}

template <class T, class Space>
void DenseInverse<T, Space>::end_refresh(Space const& space, sparse::Csr<double, Space> const& A) {
  bool const inverted = size_ > 0 && core::to_vector(space, regular_.view()).front() != 0;
  rank_ = inverted ? size_ : invert_on_host(space, A, inverse_.span());
}

template <class T>
void multiply_dense(Host const& space, Span<double const> matrix, Span<T const> b, Span<T> x) {
  constexpr int width = 32;  // a cache line or two
  auto const n = b.size();
  core::for_each_heavy(space, (n + width - 1) / width,
                       DenseProduct<T, width>{matrix, b, x, static_cast<Index>(n)});
}

}  // namespace Tessera::multigrid
