#pragma once
/// \file
/// Rescaling on CUDA: a group of threads takes a row. Sums run in the host's order, so lanes compute terms
/// and then add them in turn.
#include "core/cuda_check.cuh"
#include "fsai/batch/rescaling.hpp"
#include "fsai/batch/row_task_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

/// Lanes that take a row; `together` rows of A are read at a time.
template <int Lanes>
struct ScalingShape {
  static constexpr int lanes = Lanes, threads = 128, groups = threads / Lanes, together = 8;
};

template <class Shape>
struct DeviceRowScaling {
  static constexpr int lanes = Shape::lanes, together = Shape::together;
  core::ThreadGroup<lanes> group;
  sparse::CsrView<double> A;
  Index const* column;  ///< of the row, and what belongs to it
  double* value;
  unsigned char const* keep;
  int size;

  /// Sum over the lanes below `count`, in their order.
  __device__ double in_turn(double sum, double term, int count) const {
    for (int l = 0; l < count; ++l) sum = sum + __shfl_sync(group.mask, term, l, lanes);
    return sum;
  }

  /// a_ac eps_c where c is a column that was dropped, else 0, which changes no sum.
  __device__ double term(Index c, Offset k, int top) const {
    int const place = place_in(column, size, top, c);
    return place >= 0 && keep[place] == 0 ? A.value[k] * value[place] : 0.0;
  }

  /// eps^T A eps. terms: together x lanes numbers of the group. Lane u sums up row u of those read together.
  __device__ double energy(double (*terms)[lanes + 1]) const {
    int const top = size > 1 ? 1 << (31 - __clz(size - 1)) : 0;
    double sum = 0;
    for (int a0 = 0; a0 < size; a0 += together) {
      int const a = a0 + group.lane;
      Offset begin = 0;
      int length = 0;
      double epsilon = 0;
      if (group.lane < together && a < size && keep[a] == 0) {
        epsilon = value[a];
        begin = A.offsets[column[a]];
        length = static_cast<int>(A.offsets[column[a] + 1] - begin);
      }
      int longest = length;
      for (int distance = lanes / 2; distance > 0; distance /= 2)
        longest = max(longest, __shfl_xor_sync(group.mask, longest, distance, lanes));
      double product = 0;
      for (int e0 = 0; e0 < longest; e0 += lanes) {
        Index c[together];
        Offset from[together];
#pragma unroll
        for (int u = 0; u < together; ++u) {
          from[u] = __shfl_sync(group.mask, begin, u, lanes) + e0 + group.lane;
          c[u] = e0 + group.lane < __shfl_sync(group.mask, length, u, lanes) ? A.column[from[u]] : -1;
        }
#pragma unroll
        for (int u = 0; u < together; ++u) terms[u][group.lane] = c[u] >= 0 ? term(c[u], from[u], top) : 0.0;
        __syncwarp(group.mask);
        if (group.lane < together) {
#pragma unroll 8
          for (int l = 0; l < lanes; ++l) product = product + terms[group.lane][l];
        }
        __syncwarp(group.mask);
      }
      sum = in_turn(sum, epsilon * product, together);
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
  __shared__ double terms[Shape::groups][Shape::together][Shape::lanes + 1];
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
