#pragma once
/// \file
/// Dense matrices on CUDA: the sweep operator in blocks, and products.
///
/// Sweeping a symmetric matrix on the rows and columns K (Goodnight 1979), with P = S_KK^-1, turns S_ij into
/// S_ij - S_iK P S_Kj, S_iK into S_iK P, S_Kj into P S_Kj and S_KK into -P; after all sweeps the matrix is
/// -S^-1. A sweep reads the columns K alone besides what it updates, so one grid-wide barrier a block of
/// columns is enough. Without interchanges, as Cholesky's factorization.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/cuda_check.cuh"
#include "core/dense.hpp"
#include "core/group.hpp"

namespace Tessera::core {

struct SweepShape {
  static constexpr int threads = 256;
  static constexpr int width = 32;   ///< columns that are swept together
  static constexpr int columns = 8;  ///< that a thread block updates together
};

namespace detail {

using Tile = double[SweepShape::width][SweepShape::width + 1];

/// The leading b x b part of D <- -D^-1. False when a pivot is not above the tolerance.
__device__ inline bool sweep_tile(Tile& D, int b, double tolerance) {
  constexpr int elements = SweepShape::width * SweepShape::width / SweepShape::threads;
  for (int m = 0; m < b; ++m) {
    double const d = D[m][m];
    if (!(d > tolerance)) return false;
    double const inverse = 1 / d;
    double updated[elements];
#pragma unroll
    for (int e = 0; e < elements; ++e) {
      int const r = (threadIdx.x + e * SweepShape::threads) / SweepShape::width;
      int const c = (threadIdx.x + e * SweepShape::threads) % SweepShape::width;
      double const row = D[r][m], column = D[m][c];
      updated[e] = r == m ? (c == m ? -inverse : column * inverse)
                          : (c == m ? row * inverse : D[r][c] - row * (column * inverse));
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

/// A row of x = M b; the lanes' sums are folded in halves.
template <class T>
struct DenseRow {
  Span<double const> matrix;
  Span<T const> b;
  Span<T> x;
  template <class Group>
  __device__ void operator()(Group const& group, Index row) const {
    auto const n = static_cast<int>(b.size());
    double const* const entries = matrix.data() + static_cast<std::size_t>(row) * n;
    double sum = 0;
#pragma unroll 4
    for (int j = group.lane; j < n; j += Group::size) sum += entries[j] * b[j];
    sum = group.sum(sum);
    if (group.lane == 0) x[row] = static_cast<T>(sum);
  }
};

}  // namespace detail

template <>
struct Dense<Cuda> {
  static constexpr bool inverts = true;

  static void negate_inverse(Cuda const& space, Span<double> S, Index n, double tolerance, int* regular) {
    Array<double, Cuda> columns(space, std::size_t{2} * SweepShape::width * n);
    auto* matrix = S.data();
    auto* published = columns.data();
    void* arguments[] = {&matrix, &n, &tolerance, &published, &regular};
    auto const* kernel = reinterpret_cast<void const*>(&detail::sweep_kernel);
    int processors = 0;
    TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
    int const blocks = std::min((n + SweepShape::columns - 1) / SweepShape::columns, processors);
    TESSERA_CUDA_CHECK(
        cudaLaunchCooperativeKernel(kernel, blocks, SweepShape::threads, arguments, 0, space.stream));
  }

  template <class T>
  static void multiply(Cuda const& space, Span<double const> M, Span<T const> b, Span<T> x) {
    for_each_group(space, b.size(), GroupShape<32, 128>{}, detail::DenseRow<T>{M, b, x});
  }
};

}  // namespace Tessera::core
