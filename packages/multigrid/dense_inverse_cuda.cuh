#pragma once
/// \file
/// The dense inverse on CUDA, by the sweep operator with diagonal pivoting.
///
/// Sweeping a symmetric matrix on pivot p (Goodnight 1979) turns a_ij into a_ij - a_ip a_pj / d, a_ip into
/// a_ip / d and the pivot d itself into -1 / d; after all n sweeps the matrix is -A^-1. Pivots are what the
/// pivoted Cholesky factorization divides by, in the same order. A sweep reads column p alone besides what it
/// updates, so one grid-wide barrier a pivot is enough: every block keeps the whole diagonal, which column p
/// updates, and finds the next pivot by itself.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/cuda_check.cuh"
#include "multigrid/dense_inverse_body.hpp"

namespace Tessera::multigrid {

struct SweepShape {
  static constexpr int threads = 512;
  static constexpr int columns_per_block = 8;
  /// The diagonal and column p lie in shared memory.
  static constexpr std::size_t shared_bytes(Index n) {
    return 2 * static_cast<std::size_t>(n) * sizeof(double);
  }
  static constexpr std::size_t shared_limit = 200u << 10;
};

namespace detail {

/// 1 / sqrt(a_ii), not positive where that cannot be.
struct UnitScale {
  sparse::CsrView<double> A;
  Span<double> scale;
  TESSERA_HD void operator()(Index i) const {
    double diagonal = 0, poison = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      poison += 0.0 * A.value[k];
      if (A.column[k] == i) diagonal += A.value[k];
    }
    scale[i] = diagonal > 0 && poison == 0 ? 1.0 / sqrt(diagonal) : 0.0;
  }
};

struct Unusable {
  Span<double const> scale;
  TESSERA_HD int operator()(Index i) const { return scale[i] > 0 && scale[i] < 1e300 ? 0 : 1; }
};

/// The scaled matrix; every column of entries has been cleared before.
struct Scatter {
  sparse::CsrView<double> A;
  Span<double const> scale;
  double* S;
  TESSERA_HD void operator()(Index i) const {
    auto* const row = S + static_cast<std::size_t>(i) * A.rows;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      row[A.column[k]] += A.value[k] * (scale[i] * scale[A.column[k]]);
    }
  }
};

/// The inverse of what was scaled.
template <class T>
struct Unscale {
  double const* S;
  Span<double const> scale;
  Span<T> inverse;
  TESSERA_HD void operator()(Index k) const {
    auto const n = static_cast<Index>(scale.size());
    inverse[k] = static_cast<T>(-S[k] * (scale[k / n] * scale[k % n]));
  }
};

/// The largest of diagonal[i], the first of equals; thread 0's whole block gets it.
struct Pivot {
  double value;
  int index;
};

__device__ inline Pivot better(Pivot const& a, Pivot const& b) {
  if (b.value > a.value || (b.value == a.value && b.index < a.index)) return b;
  return a;
}

__device__ inline Pivot largest(double const* diagonal, int n) {
  __shared__ Pivot of_warp[SweepShape::threads / 32];
  Pivot mine{-1.0, n};
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine = better(mine, {diagonal[i], i});
  for (int half = 16; half > 0; half /= 2) {
    mine = better(mine, {__shfl_xor_sync(0xffffffffu, mine.value, half),
                         __shfl_xor_sync(0xffffffffu, mine.index, half)});
  }
  if (threadIdx.x % 32 == 0) of_warp[threadIdx.x / 32] = mine;
  __syncthreads();
  Pivot all = of_warp[0];
  for (int w = 1; w < SweepShape::threads / 32; ++w) all = better(all, of_warp[w]);
  __syncthreads();
  return all;
}

/// S <- -S^-1; *rank is the number of pivots above the tolerance. Swept places of the diagonal are -2.
__global__ void __launch_bounds__(SweepShape::threads)
    sweep_kernel(double* S, int n, double tolerance, double* columns, int* rank) {
  extern __shared__ double shared[];
  double* const diagonal = shared;
  double* const c = shared + n;
  auto const grid = cooperative_groups::this_grid();
  for (int i = threadIdx.x; i < n; i += blockDim.x) diagonal[i] = S[i + static_cast<std::size_t>(i) * n];
  __syncthreads();
  int step = 0;
  for (; step < n; ++step) {
    auto const pivot = largest(diagonal, n);
    int const p = pivot.index;
    double const d = pivot.value;
    if (!(d > tolerance)) break;
    double* const published = columns + (step % 2) * n;
    if (p % gridDim.x == blockIdx.x) {
      for (int i = threadIdx.x; i < n; i += blockDim.x) published[i] = S[i + static_cast<std::size_t>(p) * n];
    }
    grid.sync();
    for (int i = threadIdx.x; i < n; i += blockDim.x) c[i] = __ldcg(published + i);
    __syncthreads();
    for (int j = blockIdx.x; j < n; j += gridDim.x) {
      double* const column = S + static_cast<std::size_t>(j) * n;
      double const factor = c[j] / d;
      for (int i = threadIdx.x; i < n; i += blockDim.x) {
        if (j == p) {
          column[i] = i == p ? -1 / d : c[i] / d;
        } else {
          column[i] = i == p ? factor : column[i] - c[i] * factor;
        }
      }
    }
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
      if (i == p) {
        diagonal[i] = -2;
      } else if (diagonal[i] != -2) {
        diagonal[i] -= c[i] * (c[i] / d);
      }
    }
    __syncthreads();
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *rank = step;
}

/// A warp a row, whose lanes' sums are folded in halves.
template <class T>
__global__ void dense_product_kernel(T const* matrix, T const* b, T* x, int n) {
  int const row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n) return;
  T const* const entries = matrix + static_cast<std::size_t>(row) * n;
  T sum = 0;
#pragma unroll 4
  for (int j = threadIdx.x % 32; j < n; j += 32) sum += entries[j] * b[j];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) x[row] = sum;
}

}  // namespace detail

/// A singular matrix, and one that is refused, are the host's: LAPACK finds the pseudo-inverse, or the row to
/// name.
template <class T>
Index invert(Cuda const& space, sparse::Csr<double, Cuda> const& A, Span<T> inverse) {
  Index const n = A.rows;
  if (n == 0) return 0;
  if (SweepShape::shared_bytes(n) > SweepShape::shared_limit) return invert_on_host(space, A, inverse);
  auto const size = static_cast<std::size_t>(n);
  Array<double, Cuda> scale(space, size), S(space, size * size), columns(space, 2 * size);
  core::for_each(space, size, detail::UnitScale{A.view(), scale.span()});
  if (core::sum(space, size, detail::Unusable{scale.view()}) > 0) return invert_on_host(space, A, inverse);
  core::fill(space, S.span(), 0.0);
  core::for_each(space, size, detail::Scatter{A.view(), scale.view(), S.data()});

  auto* const rank = static_cast<int*>(core::detail::mailbox());
  auto* matrix = S.data();
  auto* published = columns.data();
  int order = n;
  double tolerance = rank_tolerance(n);
  int* result = rank;
  void* arguments[] = {&matrix, &order, &tolerance, &published, &result};
  auto const bytes = SweepShape::shared_bytes(n);
  auto const* kernel = reinterpret_cast<void const*>(&detail::sweep_kernel);
  TESSERA_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
  int processors = 0;
  TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
  int const blocks = std::clamp(n / SweepShape::columns_per_block, 1, processors);
  TESSERA_CUDA_CHECK(
      cudaLaunchCooperativeKernel(kernel, blocks, SweepShape::threads, arguments, bytes, space.stream));
  if (core::detail::collected<int>(space) < n) return invert_on_host(space, A, inverse);
  core::for_each(space, size * size, detail::Unscale<T>{S.data(), scale.view(), inverse});
  return n;
}

template <class T>
void multiply_dense(Cuda const& space, Span<T const> matrix, Span<T const> b, Span<T> x) {
  if (b.empty()) return;
  constexpr unsigned threads = 128;
  auto const n = static_cast<unsigned>(b.size());
  detail::dense_product_kernel<<<(n * 32 + threads - 1) / threads, threads, 0, space.stream>>>(
      matrix.data(), b.data(), x.data(), static_cast<int>(n));
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::multigrid
