#pragma once
/// \file
/// Rescaling on CUDA: a group of threads takes a row. Lanes compute terms, and sums add them in the host's
/// order.
#include "core/cuda_check.cuh"
#include "fsai/batch/postfilter_body.hpp"
#include "fsai/batch/row_task_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

/// Lanes of a row, and the number of rows of A that are loaded at once.
template <int Lanes>
struct ScalingShape {
  static constexpr int lanes = Lanes, threads = 128, groups = threads / Lanes, rows_at_once = 8;
};

template <class Shape>
struct DeviceRowScaling {
  static constexpr int lanes = Shape::lanes, rows_at_once = Shape::rows_at_once;
  core::ThreadGroup<lanes> group;
  sparse::CsrView<double> A;
  Index const* column;  ///< columns of the row; value and keep begin at the same entry
  double* value;
  unsigned char const* keep;
  int size;

  /// sum plus the terms of the lanes below `count`, in the order of the lanes.
  __device__ double ordered_sum(double sum, double term, int count) const {
    for (int l = 0; l < count; ++l) sum = sum + __shfl_sync(group.mask, term, l, lanes);
    return sum;
  }

  /// a_ac eps_c if c is a dropped column, else 0, which changes no sum.
  __device__ double term(Index c, Offset k, int top) const {
    int const position = find_column(column, size, top, c);
    return position >= 0 && keep[position] == 0 ? A.value[k] * value[position] : 0.0;
  }

  /// eps^T A eps. terms: rows_at_once x lanes numbers of the group. Lane u sums up row u of the loaded rows.
  __device__ double energy(double (*terms)[lanes + 1]) const {
    int const top = size > 1 ? 1 << (31 - __clz(size - 1)) : 0;
    double sum = 0;
    for (int a0 = 0; a0 < size; a0 += rows_at_once) {
      int const a = a0 + group.lane;
      Offset begin = 0;
      int length = 0;
      double epsilon = 0;
      if (group.lane < rows_at_once && a < size && keep[a] == 0) {
        epsilon = value[a];
        begin = A.offsets[column[a]];
        length = static_cast<int>(A.offsets[column[a] + 1] - begin);
      }
      int longest = length;
      for (int distance = lanes / 2; distance > 0; distance /= 2)
        longest = max(longest, __shfl_xor_sync(group.mask, longest, distance, lanes));
      double product = 0;
      for (int e0 = 0; e0 < longest; e0 += lanes) {
        Index c[rows_at_once];
        Offset from[rows_at_once];
#pragma unroll
        for (int u = 0; u < rows_at_once; ++u) {
          from[u] = __shfl_sync(group.mask, begin, u, lanes) + e0 + group.lane;
          c[u] = e0 + group.lane < __shfl_sync(group.mask, length, u, lanes) ? A.column[from[u]] : -1;
        }
#pragma unroll
        for (int u = 0; u < rows_at_once; ++u)
          terms[u][group.lane] = c[u] >= 0 ? term(c[u], from[u], top) : 0.0;
        __syncwarp(group.mask);
        if (group.lane < rows_at_once) {
#pragma unroll 8
          for (int l = 0; l < lanes; ++l) product = product + terms[group.lane][l];
        }
        __syncwarp(group.mask);
      }
      sum = ordered_sum(sum, epsilon * product, rows_at_once);
    }
    return sum;
  }

  __device__ void scale(double factor) const {
    for (int k = group.lane; k < size; k += lanes) {
      if (keep[k] != 0) value[k] = value[k] * factor;
    }
  }
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    scale_rows_kernel(sparse::CsrView<double> A, PatternView pattern, unsigned char const* keep,
                      double* value) {
  __shared__ double terms[Shape::groups][Shape::rows_at_once][Shape::lanes + 1];
  auto const r = static_cast<Index>(blockIdx.x * Shape::groups + threadIdx.x / Shape::lanes);
  if (r >= pattern.rows) return;
  auto const from = pattern.offsets[r];
  DeviceRowScaling<Shape> const row{{},           A,           pattern.column.data() + from,
                                    value + from, keep + from, pattern.size(r)};
  double const energy = row.energy(terms[threadIdx.x / Shape::lanes]);
  row.scale(1.0 / sqrt(1.0 + energy));
}

}  // namespace detail

template <>
struct Rescaling<Cuda> {
  static void run(Cuda const& space, LowerRows const& rows, PatternView pattern,
                  Span<unsigned char const> keep, Span<double> value) {
    if (pattern.rows == 0) return;
    auto const average = static_cast<double>(rows.A.column.size()) / rows.A.rows;
    auto const launch = [&](auto shape) {
      using Shape = decltype(shape);
      auto const groups = static_cast<unsigned>(Shape::groups);
      detail::scale_rows_kernel<Shape>
          <<<(pattern.rows + groups - 1) / groups, Shape::threads, 0, space.stream>>>(
              rows.A, pattern, keep.data(), value.data());
      TESSERA_CUDA_CHECK(cudaGetLastError());
    };
    if (average <= 10) {
      launch(detail::ScalingShape<8>{});
    } else if (average <= 24) {
      launch(detail::ScalingShape<16>{});
    } else {
      launch(detail::ScalingShape<32>{});
    }
  }
};

}  // namespace Tessera::fsai
