#pragma once
/// \file
/// The dense inverse on CUDA, by the sweep operator in blocks.
///
/// Sweeping a symmetric matrix on the rows and columns K (Goodnight 1979), with P = S_KK^-1, turns S_ij into
/// S_ij - S_iK P S_Kj, S_iK into S_iK P, S_Kj into P S_Kj and S_KK into -P; after all sweeps the matrix is
/// -S^-1. A sweep reads the columns K alone besides what it updates, so one grid-wide barrier a block of
/// columns is enough. Without interchanges, as Cholesky's factorization: S is positive definite with unit
/// diagonal.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/cuda_check.cuh"
#include "multigrid/dense_inverse_body.hpp"
#include "sparse/engine/for_each_entry.hpp"

namespace Tessera::multigrid {

struct SweepShape {
  static constexpr int threads = 256;
  static constexpr int width = 32;   ///< columns that are swept together
  static constexpr int columns = 8;  ///< that a thread block updates together
};

namespace detail {

/// 1 / sqrt(a_ii), zero where that cannot be, which makes a pivot zero.
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

/// The scaled matrix; every column of entries has been cleared before.
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

/// The inverse of what was scaled.
struct Unscale {
  double const* S;
  Span<double const> scale;
  Span<double> inverse;
  TESSERA_HD void operator()(Index k) const {
    auto const n = static_cast<Index>(scale.size());
    inverse[k] = -S[k] * (scale[k / n] * scale[k % n]);
  }
};

using Tile = double[SweepShape::width][SweepShape::width + 1];

/// The leading b x b part of D <- -D^-1. False when a pivot is not above the tolerance.
__device__ inline bool sweep_tile(Tile& D, int b, double tolerance) {
  constexpr int elements = SweepShape::width * SweepShape::width / SweepShape::threads;
  for (int m = 0; m < b; ++m) {
    double const d = D[m][m];
    if (!(d > tolerance)) return false;
    double updated[elements];
#pragma unroll
    for (int e = 0; e < elements; ++e) {
      int const r = (threadIdx.x + e * SweepShape::threads) / SweepShape::width;
      int const c = (threadIdx.x + e * SweepShape::threads) % SweepShape::width;
      double const row = D[r][m], column = D[m][c];
      updated[e] =
          r == m ? (c == m ? -1 / d : column / d) : (c == m ? row / d : D[r][c] - row * (column / d));
    }
    __syncthreads();
#pragma unroll
    for (int e = 0; e < elements; ++e) {
      int const r = (threadIdx.x + e * SweepShape::threads) / SweepShape::width;
      int const c = (threadIdx.x + e * SweepShape::threads) % SweepShape::width;
      D[r][c] = updated[e];
    }
    __syncthreads();
  }
  return true;
}

/// S <- -S^-1, column-major; *regular says whether every pivot was above the tolerance. columns: room for 2 *
/// n * width numbers.
__global__ void __launch_bounds__(SweepShape::threads)
    sweep_kernel(double* S, int n, double tolerance, double* columns, int* regular) {
  constexpr int width = SweepShape::width, group = SweepShape::columns;
  static_assert(width * group == SweepShape::threads);
  __shared__ Tile D;
  __shared__ double weights[group][width];
  auto const grid = cooperative_groups::this_grid();
  int const stride = gridDim.x * group;
  bool good = true;
  for (int k = 0, panel = 0; k < n; k += width, ++panel) {
    int const b = min(width, n - k);
    double* const C = columns + static_cast<std::size_t>(panel % 2) * n * width;
    for (int first = blockIdx.x * group; first < n; first += stride) {
      for (int j = max(first, k); j < min(first + group, k + b); ++j) {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
          C[i + static_cast<std::size_t>(j - k) * n] = S[i + static_cast<std::size_t>(j) * n];
        }
      }
    }
    grid.sync();
    for (int e = threadIdx.x; e < width * width; e += blockDim.x) {
      int const r = e % width, c = e / width;
      D[r][c] = r < b && c < b ? __ldcg(C + k + r + static_cast<std::size_t>(c) * n) : 0;
    }
    __syncthreads();
    good = sweep_tile(D, b, tolerance);
    if (!good) break;  // all thread blocks see the same numbers
    for (int first = blockIdx.x * group; first < n; first += stride) {
      // What is taken from column j is C times the negative of these.
      int const q = threadIdx.x / width, m = threadIdx.x % width, column = first + q;
      double weight = 0;
      if (column < n && m < b) {
        if (column >= k && column < k + b) {
          weight = -D[m][column - k];
        } else {
          for (int l = 0; l < b; ++l) weight -= D[m][l] * S[k + l + static_cast<std::size_t>(column) * n];
        }
      }
      weights[q][m] = weight;
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += blockDim.x) {
        bool const swept_row = i >= k && i < k + b;
        double c[width];
#pragma unroll
        for (int l = 0; l < width; ++l) c[l] = l < b ? __ldcg(C + i + static_cast<std::size_t>(l) * n) : 0;
        for (int j = first; j < min(first + group, n); ++j) {
          bool const swept_column = j >= k && j < k + b;
          double& s = S[i + static_cast<std::size_t>(j) * n];
          if (swept_row) {
            s = swept_column ? D[i - k][j - k] : weights[j - first][i - k];
          } else {
            double sum = 0;
#pragma unroll
            for (int l = 0; l < width; ++l) sum += c[l] * weights[j - first][l];
            s = swept_column ? sum : s - sum;
          }
        }
      }
      __syncthreads();
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *regular = good ? 1 : 0;
}

/// A warp a row, whose lanes' sums are folded in halves.
template <class T>
__global__ void dense_product_kernel(double const* matrix, T const* b, T* x, int n) {
  int const row = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (row >= n) return;
  double const* const entries = matrix + static_cast<std::size_t>(row) * n;
  double sum = 0;
#pragma unroll 4
  for (int j = threadIdx.x % 32; j < n; j += 32) sum += entries[j] * b[j];
  for (int half = 16; half > 0; half /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, half);
  if (threadIdx.x % 32 == 0) x[row] = static_cast<T>(sum);
}

}  // namespace detail

inline void invert_regular(Cuda const& space, sparse::Csr<double, Cuda> const& A, Span<double> inverse,
                           int* regular) {
  Index const n = A.rows;
  auto const size = static_cast<std::size_t>(n);
  Array<double, Cuda> scale(space, size), S(space, size * size), columns(space, 2 * size * SweepShape::width);
  core::for_each(space, size, detail::UnitScale{A.view(), scale.span()});
  core::fill(space, S.span(), 0.0);
  sparse::for_each_entry(space, n, A.column.size(), detail::Scatter{A.view(), scale.view(), S.data()});

  auto* matrix = S.data();
  auto* published = columns.data();
  int order = n;
  double tolerance = rank_tolerance(n);
  void* arguments[] = {&matrix, &order, &tolerance, &published, &regular};
  auto const* kernel = reinterpret_cast<void const*>(&detail::sweep_kernel);
  int processors = 0;
  TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
  int const blocks = std::min((n + SweepShape::columns - 1) / SweepShape::columns, processors);
  TESSERA_CUDA_CHECK(
      cudaLaunchCooperativeKernel(kernel, blocks, SweepShape::threads, arguments, 0, space.stream));
  core::for_each(space, size * size, detail::Unscale{S.data(), scale.view(), inverse});
}

template <class T>
void multiply_dense(Cuda const& space, Span<double const> matrix, Span<T const> b, Span<T> x) {
  if (b.empty()) return;
  constexpr unsigned threads = 128;
  auto const n = static_cast<unsigned>(b.size());
  detail::dense_product_kernel<<<(n * 32 + threads - 1) / threads, threads, 0, space.stream>>>(
      matrix.data(), b.data(), x.data(), static_cast<int>(n));
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::multigrid
