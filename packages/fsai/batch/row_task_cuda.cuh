#pragma once
/// \file
/// Access of the dense-system kernels to A, to the patterns and to the values of G.
#include <climits>

#include "core/group_cuda.cuh"
#include "fsai/pattern.hpp"

namespace Tessera::fsai::detail {

/// Positive and finite. The test uses bits, because comparisons of doubles are slow.
__device__ inline bool is_pivot(double d) {
  auto const bits = __double_as_longlong(d);
  return bits > 0 && bits < 0x7ff0000000000000ll;
}

/// Position of c among the ascending numbers P[0 .. n), or -1. top: the largest power of two below n.
__device__ inline int find_column(Index const* P, int n, int top, Index c) {
  int position = 0;
  for (int step = top; step > 0; step >>= 1) {
    if (position + step < n && P[position + step] <= c) position += step;
  }
  return P[position] == c ? position : -1;
}

/// The systems A[P_r, P_r] of the rows r of a list.
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
  /// Copies the columns of the row, by the lanes of one group.
  template <class Group>
  __device__ void columns(Group const& group, int lanes, Index p, int size, Index* P) const {
    Index const* source = pattern.column.data() + pattern.offsets[list[p]];
    for (int k = group.lane; k < size; k += lanes) P[k] = source[k];
  }
  /// Calls store(i, j, a_ij), j <= i, for rows i = first, first + stride, ..., on `lanes` consecutive lanes,
  /// of which this is number `lane`. P: columns, -1 in the first `pad` places. Eight rows are loaded at once,
  /// so that their loads overlap; a value is loaded before the search has found whether it belongs to P.
  template <class Store>
  __device__ void gather(int lane, int lanes, Index const* P, int pad, int n, int top, int first, int stride,
                         Store const& store) const {
    constexpr int rows_at_once = 8;
    for (int i0 = pad + first; i0 < n; i0 += rows_at_once * stride) {
      Offset k[rows_at_once], end[rows_at_once];
      Index row[rows_at_once];
#pragma unroll
      for (int u = 0; u < rows_at_once; ++u) {
        int const i = i0 + u * stride;
        k[u] = end[u] = 0;
        row[u] = i < n ? P[i] : -1;
        if (i < n) k[u] = A.offsets[row[u]] + lane, end[u] = A.offsets[row[u] + 1];
      }
      for (bool more = true; more;) {
        Index c[rows_at_once];
        double a[rows_at_once];
        int at[rows_at_once];
#pragma unroll
        for (int u = 0; u < rows_at_once; ++u) {
          c[u] = k[u] < end[u] ? A.column[k[u]] : INT_MAX;
          at[u] = 0;
        }
#pragma unroll
        for (int u = 0; u < rows_at_once; ++u) a[u] = c[u] <= row[u] ? A.value[k[u]] : 0.0;
        for (int step = top; step > 0; step >>= 1) {
#pragma unroll
          for (int u = 0; u < rows_at_once; ++u) {
            int const next = at[u] + step;
            if (P[next < n ? next : 0] <= c[u] && next < n) at[u] = next;
          }
        }
        more = false;
#pragma unroll
        for (int u = 0; u < rows_at_once; ++u) {
          if (c[u] > row[u]) continue;
          if (P[at[u]] == c[u]) store(i0 + u * stride, at[u], a[u]);
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
