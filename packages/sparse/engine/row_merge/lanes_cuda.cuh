#pragma once
/// \file
/// Merges of many rows of few products: a thread takes a row, with a table of its own in shared memory, so
/// that nothing is exchanged and neighbouring rows, which reach for neighbouring rows of the right operand,
/// run side by side. Otherwise as groups_cuda.cuh; rows that turn out long are passed on to a list.
#include "sparse/engine/row_merge/groups_cuda.cuh"

namespace Tessera::sparse::hash {

struct LaneRows {
  static constexpr int threads = 128, slots = 32, limit = 24;
  static constexpr int ahead = 4;  ///< single products that are read together
};

/// take(column, factor, l) for the products of row `a` of the left operand, in order, until it returns false;
/// for those of single rows, what several read is on its way together.
template <class Row, class Right, class Take>
__device__ void for_lane_products(Row a, Right const& B, Take const& take) {
  if constexpr (Right::single) {
    for (auto k = a.begin; k < a.end; k += LaneRows::ahead) {
      Index source[LaneRows::ahead], column[LaneRows::ahead];
      double factor[LaneRows::ahead];
#pragma unroll
      for (int q = 0; q < LaneRows::ahead; ++q) {
        source[q] = -1;
        if (k + q >= a.end) continue;
        a.move(k + q);
        factor[q] = a.factor();
        if (a.keeps()) source[q] = a.source();
      }
#pragma unroll
      for (int q = 0; q < LaneRows::ahead; ++q)
        column[q] = source[q] >= 0 && B.begin(source[q]) < B.end(source[q]) ? B.column(source[q]) : -1;
#pragma unroll
      for (int q = 0; q < LaneRows::ahead; ++q) {
        if (column[q] >= 0 && !take(column[q], factor[q], Offset{source[q]})) return;
      }
    }
  } else {
    for (auto k = a.begin; k < a.end; ++k) {
      a.move(k);
      if (!a.keeps()) continue;
      auto const j = a.source();
      double const factor = a.factor();
      auto const last = B.end(j);
      for (auto l = B.begin(j); l < last; ++l) {
        if (!take(B.column(l), factor, l)) return;
      }
    }
  }
}

/// The threads' tables, interleaved, so that no two threads meet in a bank.
struct LaneTable {
  static constexpr int slots = LaneRows::slots, threads = LaneRows::threads, size = slots * threads;
  Index* key;
  __device__ explicit LaneTable(Index* keys) : key(keys + threadIdx.x) {
    for (int s = 0; s < slots; ++s) key[s * threads] = -1;
  }
  /// Where a column stands, or its free slot.
  __device__ int find(Index column) const {
    int s = static_cast<int>(static_cast<std::uint32_t>(column) * 0x9e3779b9u >> 27);
    while (key[s * threads] != column && key[s * threads] != -1) s = (s + 1) & (slots - 1);
    return s * threads;
  }
};
static_assert(LaneRows::slots == 1 << (32 - 27));

template <class Left, class Right>
struct CountLaneRows {
  Left A;
  Right B;
  Offset* counts;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable::size];
    LaneTable const table(keys);
    Index found = 0;
    for_lane_products(A.row(i), B, [&](Index c, double, Offset) {
      int const s = table.find(c);
      if (table.key[s] == -1) {
        table.key[s] = c;
        ++found;
      }
      return found <= LaneRows::limit;
    });
    counts[i] = found;
    if (found > LaneRows::limit) list.defer(i);
  }
};

template <class Left, class Right, class Epilogue>
struct MultiplyLaneRows {
  Left A;
  Right B;
  Epilogue epilogue;
  Offset const* offsets;
  Index* column;
  double* value;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable::size];
    __shared__ double sums[LaneTable::size];
    auto const begin = offsets[i];
    if (offsets[i + 1] - begin > LaneRows::limit) return list.defer(i);
    LaneTable const table(keys);
    double* const sum = sums + threadIdx.x;
    for_lane_products(A.row(i), B, [&](Index c, double factor, Offset l) {
      double const product = factor * B.value(l);
      int const s = table.find(c);
      double const before = table.key[s] == -1 ? 0.0 : sum[s];
      table.key[s] = c;
      sum[s] = before + product;
      return true;
    });
    int n = 0;
    for (int s = 0; s < LaneTable::size; s += LaneRows::threads) {
      if (table.key[s] == -1) continue;
      table.key[n] = table.key[s];
      sum[n] = sum[s];
      n += LaneRows::threads;
    }
    auto const of_row = epilogue.row(i);
    for (int e = 0; e < n; e += LaneRows::threads) {
      auto const c = table.key[e];
      auto const key = epilogue.key(c);
      int rank = 0;
      for (int f = 0; f < n; f += LaneRows::threads) rank += epilogue.key(table.key[f]) < key ? 1 : 0;
      column[begin + rank] = c;
      value[begin + rank] = of_row(c, sum[e]);
    }
  }
};

template <class Kernel>
__global__ void __launch_bounds__(LaneRows::threads) lane_rows_kernel(Kernel kernel, RowList list) {
  auto const i = static_cast<Offset>(blockIdx.x) * LaneRows::threads + threadIdx.x;
  if (i < list.rows) kernel(static_cast<Index>(i), list);
}

}  // namespace Tessera::sparse::hash
