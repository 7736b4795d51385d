#pragma once
/// \file
/// Merges of many rows of few products: a thread takes a row, with a table of its own in shared memory, so
/// that nothing is exchanged and neighbouring rows, which reach for neighbouring rows of the right operand,
/// run side by side. Otherwise as merge_groups_cuda.cuh; rows that turn out long are passed on to a list.
#include "sparse/engine/row_merge/groups_cuda.cuh"

namespace Tessera::sparse::hash {

struct LaneRows {
  static constexpr int threads = 128, slots = 32, limit = 24;
  static constexpr int ahead = 4;  ///< single products that are read together
};

/// Half as large, where rows are so short: twice the threads find room.
struct ShortLaneRows : LaneRows {
  static constexpr int slots = 16, limit = 12;
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
        auto const j = a.source(k + q);
        factor[q] = a.factor(k + q, j);
        if (a.keeps_all || a.keeps(k + q, j)) source[q] = j;
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
      auto const j = a.source(k);
      if (!a.keeps_all && !a.keeps(k, j)) continue;
      double const factor = a.factor(k, j);
      auto const last = B.end(j);
      for (auto l = B.begin(j); l < last; ++l) {
        if (!take(B.column(l), factor, l)) return;
      }
    }
  }
}

/// The threads' tables, interleaved, so that no two threads meet in a bank.
template <class Shape>
struct LaneTable {
  static constexpr int size = Shape::slots * Shape::threads;
  Index* key;
  __device__ explicit LaneTable(Index* keys) : key(keys + threadIdx.x) {
    for (int s = 0; s < Shape::slots; ++s) key[s * Shape::threads] = -1;
  }
  /// Where a column stands, or its free slot.
  __device__ int find(Index column) const {
    int s = static_cast<int>(static_cast<std::uint32_t>(column) * 0x9e3779b9u >> 27) % Shape::slots;
    while (key[s * Shape::threads] != column && key[s * Shape::threads] != -1)
      s = (s + 1) & (Shape::slots - 1);
    return s * Shape::threads;
  }
};
static_assert(LaneRows::slots == 1 << (32 - 27));

template <class Left, class Right>
struct CountLaneRows {
  Left A;
  Right B;
  Offset* counts;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable<LaneRows>::size];
    LaneTable<LaneRows> const table(keys);
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
    if (found > LaneRows::limit) list.pass_on(i);
  }
};

template <class Shape, class Left, class Right, class Epilogue>
struct MultiplyLaneRows {
  Left A;
  Right B;
  Epilogue epilogue;
  Offset const* offsets;
  Index* column;
  double* value;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneTable<Shape>::size];
    __shared__ double sums[LaneTable<Shape>::size];
    auto const begin = offsets[i];
    if (offsets[i + 1] - begin > Shape::limit) return list.pass_on(i);
    LaneTable<Shape> const table(keys);
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
    for (int s = 0; s < LaneTable<Shape>::size; s += Shape::threads) {
      if (table.key[s] == -1) continue;
      table.key[n] = table.key[s];
      sum[n] = sum[s];
      n += Shape::threads;
    }
    auto const of_row = epilogue.row(i);
    for (int e = 0; e < n; e += Shape::threads) {
      auto const c = table.key[e];
      auto const key = epilogue.key(c);
      int rank = 0;
      for (int f = 0; f < n; f += Shape::threads) rank += epilogue.key(table.key[f]) < key ? 1 : 0;
      column[begin + rank] = c;
      value[begin + rank] = of_row(c, sum[e]);
    }
  }
};

/// As MultiplyLaneRows for two matrices, but a row's columns stay in the order in which they turn up, where
/// that is good enough: they go out at once, and sums stand in that order, so that a table is small and more
/// threads find room.
struct MultiplyUnsortedLaneRows {
  static constexpr int limit = 16, place_bits = 4;
  static constexpr Index most_columns = Index{1} << (31 - place_bits);  ///< that B may have
  CsrView<double> A, B;
  Offset const* offsets;
  Index* column;
  double* value;
  __device__ void operator()(Index i, RowList const& list) const {
    __shared__ Index keys[LaneRows::slots * LaneRows::threads];  // column and place, where there is one
    __shared__ double sums[limit * LaneRows::threads];
    auto const begin = offsets[i];
    if (offsets[i + 1] - begin > limit) return list.pass_on(i);
    Index* const key = keys + threadIdx.x;
    double* const sum = sums + threadIdx.x;
    unsigned taken = 0;  // slots
    int n = 0;
    auto const add = [&](Index c, double product) {
      unsigned s = static_cast<std::uint32_t>(c) * 0x9e3779b9u >> 27;
      for (; taken >> s & 1u; s = (s + 1) % LaneRows::slots) {
        Index const here = key[s * LaneRows::threads];
        if (here >> place_bits == c) {
          sum[here % limit * LaneRows::threads] += product;
          return;
        }
      }
      taken |= 1u << s;
      key[s * LaneRows::threads] = c << place_bits | n;
      sum[n * LaneRows::threads] = 0.0 + product;
      column[begin + n++] = c;
    };
    // What the next entries read is on its way while one is worked off.
    auto const end = A.offsets[i + 1];
    auto k = A.offsets[i];
    auto const row_of_B = [&](Offset at) { return at < end ? A.column[at] : Index{-1}; };
    Index next = row_of_B(k + 1);
    Offset l = 0, last = 0;
    double a = 0;
    if (k < end) {
      auto const j = A.column[k];
      l = B.offsets[j];
      last = B.offsets[j + 1];
      a = A.value[k];
    }
    for (; k < end; ++k) {
      Index const after = row_of_B(k + 2);
      Offset const next_l = next < 0 ? 0 : B.offsets[next], next_last = next < 0 ? 0 : B.offsets[next + 1];
      double const next_a = next < 0 ? 0.0 : A.value[k + 1];
      Index c = l < last ? B.column[l] : 0;
      double b = l < last ? B.value[l] : 0.0;
      while (l < last) {
        ++l;
        Index const next_c = l < last ? B.column[l] : 0;
        double const next_b = l < last ? B.value[l] : 0.0;
        add(c, a * b);
        c = next_c;
        b = next_b;
      }
      l = next_l;
      last = next_last;
      a = next_a;
      next = after;
    }
    for (int e = 0; e < n; ++e) value[begin + e] = sum[e * LaneRows::threads];
  }
};

template <class Kernel>
__global__ void __launch_bounds__(LaneRows::threads) lane_rows_kernel(Kernel kernel, RowList list) {
  auto const i = static_cast<Offset>(blockIdx.x) * LaneRows::threads + threadIdx.x;
  if (i < list.rows) kernel(static_cast<Index>(i), list);
}

}  // namespace Tessera::sparse::hash
