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
  static constexpr int columns = 4;  ///< that a thread block updates together
};

namespace detail {

using Tile = double[SweepShape::width][SweepShape::width + 1];

/// The leading b x b part of D[b % 2] is -D[0]^-1. False when a pivot is not above the tolerance. Each step
/// reads one of the tiles and writes the other, and divides for the next one before it waits.
__device__ inline bool sweep_tile(Tile (&D)[2], int b, double tolerance) {
  constexpr int elements = SweepShape::width * SweepShape::width / SweepShape::threads;
  int const c = static_cast<int>(threadIdx.x) % SweepShape::width;
  double mine[elements];
  int row[elements];
#pragma unroll
  for (int e = 0; e < elements; ++e) {
    row[e] = static_cast<int>(threadIdx.x + e * SweepShape::threads) / SweepShape::width;
    mine[e] = D[0][row[e]][c];
  }
  double pivot = D[0][0][0], inverse = 1 / pivot;
  for (int m = 0; m < b; ++m) {
    if (!(pivot > tolerance)) return false;
    Tile const& from = D[m % 2];
    Tile& to = D[1 - m % 2];
    double const column = from[m][c] * inverse;
#pragma unroll
    for (int e = 0; e < elements; ++e) {
      double const of_row = from[row[e]][m];
      mine[e] = row[e] == m ? (c == m ? -inverse : column)
                            : (c == m ? of_row * inverse : __fma_rn(-of_row, column, mine[e]));
      to[row[e]][c] = mine[e];
    }
    if (m + 1 < b) {
      pivot = __fma_rn(-from[m + 1][m], from[m][m + 1] * inverse, from[m + 1][m + 1]);
      inverse = 1 / pivot;
    }
    __syncthreads();
  }
  return true;
}

/// S <- -S^-1, column-major; *regular says whether every pivot was above the tolerance. columns: room for 2 *
/// n * width numbers, where the columns that are swept next are for all to read.
__global__ void __launch_bounds__(SweepShape::threads)
    sweep_kernel(double* S, int n, double tolerance, double* columns, int* regular) {
  constexpr int width = SweepShape::width, group = SweepShape::columns, threads = SweepShape::threads;
  static_assert(width * group <= threads && group % 2 == 0);
  __shared__ Tile D[2];
  __shared__ double2 weights[width][group / 2];  // what is taken from a column is C times the negative
  auto const grid = cooperative_groups::this_grid();
  int const stride = gridDim.x * group;
  auto const published = [=](int k) { return columns + static_cast<std::size_t>(k / width % 2) * n * width; };
  auto const S_at = [=](int i, int j) -> double& { return S[i + static_cast<std::size_t>(j) * n]; };
  for (int first = blockIdx.x * group; first < min(width, n); first += stride) {
    for (int e = threadIdx.x; e < group * n; e += threads) {
      int const i = e % n, j = first + e / n;
      if (j < min(width, n)) columns[i + static_cast<std::size_t>(j) * n] = S_at(i, j);
    }
  }
  bool good = true;
  for (int k = 0; k < n; k += width) {
    int const b = min(width, n - k), next = k + width, next_end = min(next + width, n);
    double const* const C = published(k);
    double* const next_C = published(next);
    grid.sync();
    for (int e = threadIdx.x; e < width * width; e += threads) {
      int const r = e % width, c = e / width;
      D[0][r][c] = r < b && c < b ? __ldcg(C + k + r + static_cast<std::size_t>(c) * n) : 0;
    }
    __syncthreads();
    good = sweep_tile(D, b, tolerance);
    if (!good) break;  // all thread blocks see the same numbers
    Tile const& swept = D[b % 2];
    for (int first = blockIdx.x * group; first < n; first += stride) {
      int const q = threadIdx.x / width, m = threadIdx.x % width, column = first + q;
      if (q < group) {
        double weight = 0;
        if (column >= k && column < k + b) {
          weight = -swept[m][column - k];
        } else if (column < n) {
          double const mine = m < b ? S_at(k + m, column) : 0;
#pragma unroll
          for (int l = 0; l < width; ++l)
            weight = __fma_rn(-swept[m][l], __shfl_sync(0xffffffffu, mine, l), weight);
        }
        reinterpret_cast<double*>(weights[m])[q] = weight;
      }
      __syncthreads();
      for (int i = threadIdx.x; i < n; i += threads) {
        double sum[group] = {};
#pragma unroll 16
        for (int l = 0; l < b; ++l) {
          double const c = __ldcg(C + i + static_cast<std::size_t>(l) * n);
#pragma unroll
          for (int j = 0; j < group; j += 2) {
            double2 const weight = weights[l][j / 2];
            sum[j] = __fma_rn(c, weight.x, sum[j]);
            sum[j + 1] = __fma_rn(c, weight.y, sum[j + 1]);
          }
        }
        bool const swept_row = i >= k && i < k + b;
#pragma unroll
        for (int q_j = 0; q_j < group; ++q_j) {
          int const j = first + q_j;
          if (j >= n) break;
          bool const swept_column = j >= k && j < k + b;
          double s = sum[q_j];
          if (swept_row) {
            s = swept_column ? swept[i - k][j - k] : reinterpret_cast<double const*>(weights[i - k])[q_j];
          } else if (!swept_column) {
            s = S_at(i, j) - s;
          }
          S_at(i, j) = s;
          if (j >= next && j < next_end) next_C[i + static_cast<std::size_t>(j - next) * n] = s;
        }
      }
      __syncthreads();
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *regular = good ? 1 : 0;
}

/// A row of x = M b; the lanes' sums are folded in halves.
template <class X>
struct DenseRow {
  Span<double const> matrix;
  Span<X const> b;
  Span<X> x;
  template <class Group>
  __device__ void operator()(Group const& group, Index row) const {
    auto const n = static_cast<int>(b.size());
    double const* const entries = matrix.data() + static_cast<std::size_t>(row) * n;
    RowOf<double, X> sum{};
#pragma unroll 4
    for (int j = group.lane; j < n; j += Group::size) sum += entries[j] * b[j];
    sum = group.sum(sum);
    if (group.lane == 0) x[row] = static_cast<X>(sum);
  }
};

}  // namespace detail

template <>
struct Dense<Cuda> {
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

  template <class X>
  static void multiply(Cuda const& space, Span<double const> M, Span<X const> b, Span<X> x) {
    for_each_group(space, b.size(), GroupShape<32, 128>{}, detail::DenseRow<X>{M, b, x});
  }
};

}  // namespace Tessera::core
