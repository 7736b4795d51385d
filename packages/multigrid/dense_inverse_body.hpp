#pragma once
/// \file
/// DenseInverse for any space: assembled and inverted on the host, applied where it lies.
#include <type_traits>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "multigrid/dense_inverse.hpp"

namespace Tessera::multigrid {

/// Rows [chunk * width, ...) of x = M b, M symmetric: walked by columns, so that neighbouring rows are
/// neighbours in memory (vector lanes on the host, threads of a warp on the GPU) and each sum runs in the
/// order of b.
template <class T, int width>
struct DenseProduct {
  Span<T const> matrix;
  Span<T const> b;
  Span<T> x;
  Index n;
  TESSERA_HD void operator()(Index chunk) const {
    Index const begin = chunk * width;
    int const rows = n - begin < width ? static_cast<int>(n - begin) : width;
    T sum[width];
    for (int i = 0; i < width; ++i) sum[i] = 0;
    T const* column = matrix.data() + begin;
    for (Index j = 0; j < n; ++j, column += n) {
      T const b_j = b[j];
      if (rows == width) {
        for (int i = 0; i < width; ++i) sum[i] += column[i] * b_j;
      } else {
        for (int i = 0; i < rows; ++i) sum[i] += column[i] * b_j;
      }
    }
    for (int i = 0; i < rows; ++i) x[begin + i] = sum[i];
  }
};

/// Rows a chunk: a cache line or two of the host's vectors, one row a thread on the GPU.
template <class Space>
constexpr int dense_product_width = std::is_same_v<Space, Host> ? 32 : 1;

template <class T, class Space>
DenseInverse<T, Space>::DenseInverse(Space const& space, sparse::Csr<double, Space> const& A)
    : size_(A.rows), inverse_(space, static_cast<std::size_t>(A.rows) * A.rows) {
  refresh(space, A);
}

template <class T, class Space>
void DenseInverse<T, Space>::refresh(Space const& space, sparse::Csr<double, Space> const& A) {
  TESSERA_VALIDATE(A.rows == size_ && A.columns == size_, "the coarsest matrix is ", A.rows, " x ", A.columns,
                   ", but its solver was made for ", size_, " unknowns; compute the preconditioner anew");
  auto const offsets = core::to_vector(space, A.offsets.view());
  auto const column = core::to_vector(space, A.column.view());
  auto const value = core::to_vector(space, A.value.view());
  std::vector<double> dense(static_cast<std::size_t>(size_) * size_, 0.0);
  for (Index i = 0; i < size_; ++i) {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      dense[i + static_cast<std::size_t>(column[k]) * size_] += value[k];
    }
  }
  rank_ = invert_semidefinite(dense, size_);
  std::vector<T> const rounded(dense.begin(), dense.end());
  core::copy(Host{}, Span<T const>(rounded.data(), rounded.size()), space, inverse_.span());
}

template <class T, class Space>
void DenseInverse<T, Space>::apply(Space const& space, Span<T const> b, Span<T> x) const {
  constexpr int width = dense_product_width<Space>;
  core::for_each_heavy(space, (static_cast<std::size_t>(size_) + width - 1) / width,
                       DenseProduct<T, width>{inverse_.view(), b, x, size_});
}

}  // namespace Tessera::multigrid
