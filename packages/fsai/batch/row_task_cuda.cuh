#pragma once
/// \file
/// What the kernels of dense systems have in common: where a row's system comes from and where its solution
/// goes.
#include <climits>

#include "core/group_cuda.cuh"
#include "fsai/lower_rows.hpp"

namespace Tessera::fsai::detail {

/// Positive and finite: by its bits, since comparisons of doubles take their time.
__device__ inline bool is_pivot(double d) {
  auto const bits = __double_as_longlong(d);
  return bits > 0 && bits < 0x7ff0000000000000ll;
}

/// Position of c among the ascending numbers P[0 .. n), or -1. top: the largest power of two below n.
__device__ inline int place_in(Index const* P, int n, int top, Index c) {
  int place = 0;
  for (int step = top; step > 0; step >>= 1) {
    if (place + step < n && P[place + step] <= c) place += step;
  }
  return P[place] == c ? place : -1;
}

/// A[P_r, P_r] for rows r of a list.
struct RowTask {
  sparse::CsrView<double> A;
  PatternView pattern;
  Index const* list;
  Index count;
  double* value;
  unsigned char* failed;  ///< of all rows

  __device__ int size(Index p) const {
    auto const r = list[p];
    return static_cast<int>(pattern.offsets[r + 1] - pattern.offsets[r]);
  }
  /// The columns of the row, for the lanes of one group.
  template <class Group>
  __device__ void columns(Group const& group, int lanes, Index p, int size, Index* P) const {
    Index const* source = pattern.column.data() + pattern.offsets[list[p]];
    for (int k = group.lane; k < size; k += lanes) P[k] = source[k];
  }
  /// place(i, j, a_ij), j <= i, for rows i = first, first + stride, ..., by `lanes` consecutive lanes, this
  /// one being `lane`. P: columns, -1 at the first `pad`. Eight rows at a time, so that their loads go out
  /// together; values are loaded before it is known whether they are wanted.
  template <class Place>
  __device__ void gather(int lane, int lanes, Index const* P, int pad, int n, int top, int first, int stride,
                         Place const& place) const {
    constexpr int together = 8;
    for (int i0 = pad + first; i0 < n; i0 += together * stride) {
      Offset k[together], end[together];
      Index row[together];
#pragma unroll
      for (int u = 0; u < together; ++u) {
        int const i = i0 + u * stride;
        k[u] = end[u] = 0;
        row[u] = i < n ? P[i] : -1;
        if (i < n) k[u] = A.offsets[row[u]] + lane, end[u] = A.offsets[row[u] + 1];
      }
      for (bool more = true; more;) {
        Index c[together];
        double a[together];
        int at[together];
#pragma unroll
        for (int u = 0; u < together; ++u) {
          c[u] = k[u] < end[u] ? A.column[k[u]] : INT_MAX;
          at[u] = 0;
        }
#pragma unroll
        for (int u = 0; u < together; ++u) a[u] = c[u] <= row[u] ? A.value[k[u]] : 0.0;
        for (int step = top; step > 0; step >>= 1) {
#pragma unroll
          for (int u = 0; u < together; ++u) {
            int const next = at[u] + step;
            if (P[next < n ? next : 0] <= c[u] && next < n) at[u] = next;
          }
        }
        more = false;
#pragma unroll
        for (int u = 0; u < together; ++u) {
          if (c[u] > row[u]) continue;
          if (P[at[u]] == c[u]) place(i0 + u * stride, at[u], a[u]);
          k[u] += lanes;
          more = more || k[u] < end[u];
        }
      }
    }
  }
  __device__ double* target(Index p) const {
    return value + pattern.offsets[list[p]];
  }
  __device__ void fail(Index p) const {
    failed[list[p]] = 1;
  }
};

}  // namespace Tessera::fsai::detail
