#pragma once
/// \file
/// Dense matrices on CUDA: the sweep operator in blocks, and products.
///
/// Except for the entries that it updates, a sweep reads only the columns K. So one grid-wide barrier for
/// each block of columns is enough.
#include <cooperative_groups.h>

#include <algorithm>

#include "core/cuda_check.cuh"
#include "core/dense.hpp"
#include "core/group.hpp"

namespace Tessera::core {

struct SweepShape {
  static constexpr int threads = 256;
  static constexpr int width = sweep_width;
  static constexpr int columns = 4;  ///< columns that a thread block updates together
};

namespace detail {

using Tile = double[SweepShape::width][SweepShape::width + 1];

/// Sets the leading b x b part of D[b % 2] to -D[0]^-1. Returns false if a pivot is not above the tolerance.
/// Each step reads one tile and writes the other tile, and divides for the next step before it waits.
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
                            : (c == m ? of_row * inverse : mine[e] - of_row * column);
      to[row[e]][c] = mine[e];
    }
    if (m + 1 < b) {
      pivot = from[m + 1][m + 1] - from[m + 1][m] * (from[m][m + 1] * inverse);
      inverse = 1 / pivot;
    }
    __syncthreads();
  }
  return true;
}

/// Replaces the lower part of S by that of -S^-1; *regular: whether every pivot was above the tolerance.
/// columns: room for 2 * n * width numbers, in which all thread blocks read the whole columns of the next
/// sweep.
__global__ void __launch_bounds__(SweepShape::threads)
    sweep_kernel(double* S, int n, double tolerance, double* columns, int* regular) {
  constexpr int width = SweepShape::width, group = SweepShape::columns, threads = SweepShape::threads;
  static_assert(width * group <= threads && group % 2 == 0);
  __shared__ Tile D[2];
  __shared__ double2 weights[width][group / 2];  // C times these is subtracted from a column
  auto const grid = cooperative_groups::this_grid();
  int const stride = gridDim.x * group;
  auto const published = [=](int k) { return columns + static_cast<std::size_t>(k / width % 2) * n * width; };
  auto const S_at = [=](int i, int j) -> double& { return S[i + static_cast<std::size_t>(j) * n]; };
  // s = S_ij, i >= j, is in column j and in column i.
  auto const publish = [=](int k, int i, int j, double s) {
    int const end = min(k + width, n);
    if (j >= k && j < end) published(k)[i + static_cast<std::size_t>(j - k) * n] = s;
    if (i >= k && i < end) published(k)[j + static_cast<std::size_t>(i - k) * n] = s;
  };
  for (int first = blockIdx.x * group; first < min(width, n); first += stride) {
    for (int e = threadIdx.x; e < group * n; e += threads) {
      int const i = e % n, j = first + e / n;
      if (j <= i) publish(0, i, j, S_at(i, j));
    }
  }
  bool good = true;
  for (int k = 0; k < n; k += width) {
    int const b = min(width, n - k);
    double const* const C = published(k);
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
          weight = swept[m][column - k];
        } else if (column < n) {
          double const mine = m < b ? __ldcg(C + column + static_cast<std::size_t>(m) * n) : 0;
#pragma unroll
          for (int l = 0; l < width; ++l) weight -= __shfl_sync(0xffffffffu, mine, l) * swept[l][m];
        }
        reinterpret_cast<double*>(weights[m])[q] = weight;
      }
      __syncthreads();
      for (int i = first + threadIdx.x; i < n; i += threads) {
        double s[group];
#pragma unroll
        for (int q_j = 0; q_j < group; ++q_j) {
          int const j = first + q_j;
          bool const swept_column = j >= k && j < k + b;
          s[q_j] = j <= i && !swept_column ? S_at(i, j) : 0;
        }
#pragma unroll 16
        for (int l = 0; l < b; ++l) {
          double const c = __ldcg(C + i + static_cast<std::size_t>(l) * n);
#pragma unroll
          for (int j = 0; j < group; j += 2) {
            double2 const weight = weights[l][j / 2];
            s[j] -= c * weight.x;
            s[j + 1] -= c * weight.y;
          }
        }
        bool const swept_row = i >= k && i < k + b;
#pragma unroll
        for (int q_j = 0; q_j < group; ++q_j) {
          int const j = first + q_j;
          if (j > i) break;
          bool const swept_column = j >= k && j < k + b;
          if (swept_row)
            s[q_j] =
                swept_column ? swept[i - k][j - k] : reinterpret_cast<double const*>(weights[i - k])[q_j];
          S_at(i, j) = s[q_j];
          publish(k + width, i, j, s[q_j]);
        }
      }
      __syncthreads();
    }
  }
  if (blockIdx.x == 0 && threadIdx.x == 0) *regular = good ? 1 : 0;
}

/// A row of x = M b. The butterfly reduction of a group gives lane 0 the bits of a fold in halves.
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
    for_each_group(space, b.size(), GroupShape<product_lanes, 128>{}, detail::DenseRow<X>{M, b, x});
  }
};

}  // namespace Tessera::core
