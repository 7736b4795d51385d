#pragma once
/// \file
/// The postfilter on CUDA: a group of threads takes a row. Sums run in the host's order, so lanes compute
/// terms and then add them in turn.
#include "core/cuda_check.cuh"
#include "fsai/postfilter.hpp"
#include "fsai/row_task_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

/// Lanes that take a row; `together` rows of A are read at a time.
template <int Lanes>
struct ScalingShape {
  static constexpr int lanes = Lanes, threads = 128, groups = threads / Lanes, together = 8;
};

template <class Shape>
struct RowScaling {
  static constexpr int lanes = Shape::lanes, together = Shape::together;
  core::ThreadGroup<lanes> group;
  sparse::CsrView<double> A;
  Index const* column;  ///< of the row, and what belongs to it
  double* value;
  unsigned char* keep;
  int size;
  double const* diagonal;  ///< of A, for the energy norm, else null

  /// Sum over the lanes below `count`, in their order.
  __device__ double in_turn(double sum, double term, int count) const {
    for (int l = 0; l < count; ++l) sum = sum + __shfl_sync(group.mask, term, l, lanes);
    return sum;
  }

  /// |g_ij| up to which entries leave, or g_ij g_ij a_jj.
  __device__ double least(double delta) const {
    if (diagonal != nullptr) return delta * delta;
    double squares = 0;
    for (int k0 = 0; k0 < size; k0 += lanes) {
      int const k = k0 + group.lane;
      double const g = k < size ? value[k] : 0.0;
      squares = in_turn(squares, g * g, min(lanes, size - k0));
    }
    return delta * sqrt(squares);
  }
  __device__ double magnitude(int k) const {
    return diagonal == nullptr ? fabs(value[k]) : value[k] * value[k] * diagonal[column[k]];
  }

  /// Marks what stays; returns how much does.
  __device__ int mark(double delta) const {
    double const bound = least(delta);
    int kept = 0;
    for (int k0 = 0; k0 < size; k0 += lanes) {
      int const k = k0 + group.lane;
      bool const stays = k < size && (k + 1 == size || magnitude(k) > bound);
      if (k < size) keep[k] = stays ? 1 : 0;
      kept += group.count(stays);
    }
    __syncwarp(group.mask);
    return kept;
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

/// kept null: the marks are given.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    scale_rows_kernel(sparse::CsrView<double> A, PatternView pattern, double delta, double const* diagonal,
                      double* value, unsigned char* keep, Index* kept) {
  __shared__ double terms[Shape::groups][Shape::together][Shape::lanes + 1];
  auto const r = static_cast<Index>(blockIdx.x * Shape::groups + threadIdx.x / Shape::lanes);
  if (r >= pattern.rows) return;
  auto const from = pattern.offsets[r];
  RowScaling<Shape> const row{{},           A,           pattern.column.data() + from,
                              value + from, keep + from, static_cast<int>(pattern.offsets[r + 1] - from),
                              diagonal};
  if (kept != nullptr) {
    int const stay = row.mark(delta);
    if (row.group.lane == 0) kept[r] = stay;
  }
  double const energy = row.energy(terms[threadIdx.x / Shape::lanes]);
  row.scale(1.0 / sqrt(1.0 + energy));
}

inline void scale_rows(Cuda const& space, LowerRows const& rows, PatternView pattern, double delta,
                       double const* diagonal, double* value, unsigned char* keep, Index* kept) {
  if (pattern.rows == 0) return;
  auto const average = static_cast<double>(rows.A.column.size()) / rows.A.rows;
  auto const launch = [&](auto shape) {
    using Shape = decltype(shape);
    auto const groups = static_cast<unsigned>(Shape::groups);
    scale_rows_kernel<Shape><<<(pattern.rows + groups - 1) / groups, Shape::threads, 0, space.stream>>>(
        rows.A, pattern, delta, diagonal, value, keep, kept);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  };
  if (average <= 10) {
    launch(ScalingShape<8>{});
  } else if (average <= 24) {
    launch(ScalingShape<16>{});
  } else {
    launch(ScalingShape<32>{});
  }
}

}  // namespace detail

template <>
void postfilter(Cuda const& space, LowerRows const& rows, PatternView pattern, double delta,
                PostfilterNorm norm, Span<double> value, Span<unsigned char> keep, Span<Index> kept) {
  auto const diagonal = energy_diagonal(space, rows, norm);
  detail::scale_rows(space, rows, pattern, delta, diagonal.empty() ? nullptr : diagonal.data(), value.data(),
                     keep.data(), kept.data());
}

template <>
void rescale(Cuda const& space, LowerRows const& rows, PatternView pattern, Span<unsigned char const> keep,
             Span<double> value) {
  detail::scale_rows(space, rows, pattern, 0, nullptr, value.data(), const_cast<unsigned char*>(keep.data()),
                     nullptr);
}

}  // namespace Tessera::fsai
