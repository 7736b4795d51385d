#pragma once
/// \file
/// Merges on CUDA by hash tables. A group of threads takes a row. It enumerates the row's products in the
/// order of Gustavson's loop and takes as many at a time as it has lanes, so that all loads of a batch are in
/// flight at once, also for short rows of the right operand. Columns within a row of the right operand are
/// distinct. So lanes add the products of one k at once and those of the next k after them, and every entry
/// sums in k order without atomics. R A P of Laplace3D 256^3 takes 3.7 ms; with entries exchanged by shuffles
/// 4.2 ms.
#include "core/group_cuda.cuh"
#include "sparse/engine/column_table.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse::hash {

/// Size of a group and slots of its table. The table holds at most `limit` columns, so that a batch of new
/// ones always fits.
template <int Lanes, int Slots, int Threads>
struct Bin {
  static constexpr int lanes = Lanes, slots = Slots, threads = Threads;
  static constexpr int groups = threads / lanes;
  static constexpr int limit = slots - lanes;
};

/// Shared memory of a group.
template <class Bin>
struct Table {
  Offset start[Bin::lanes + 1];  ///< prefix sums of the products of the row's current entries
  Offset from[Bin::lanes];       ///< product p of entry e is entry from[e] + p of B
  Offset scratch[Bin::lanes > 32 ? Bin::lanes / 32 : 1];
  int range[2];  ///< first and last entry with products in the batch
  Index key[Bin::slots];

  __device__ void clear(core::ThreadGroup<Bin::lanes> const& group) {
    for (int s = group.lane; s < Bin::slots; s += Bin::lanes) key[s] = -1;
    group.sync();
  }
  /// The slot of a column; sets inserted to whether it is new.
  __device__ int insert(Index column, bool& inserted) {
    int s = static_cast<int>(slot_of(column, Bin::slots - 1));
    inserted = false;
    for (;; s = (s + 1) & (Bin::slots - 1)) {
      Index before = *static_cast<Index volatile*>(key + s);
      if (before == -1) {
        before = atomicCAS(key + s, -1, column);
        inserted = before == -1;
      }
      if (before == column || before == -1) return s;
    }
  }
  __device__ int find(Index column) const {
    int s = static_cast<int>(slot_of(column, Bin::slots - 1));
    while (key[s] != column) s = (s + 1) & (Bin::slots - 1);
    return s;
  }
  /// The entry of product p: the last nonempty one that starts at or before p.
  __device__ int entry_of(Offset p) const {
    int begin = 0, end = Bin::lanes;
    while (end - begin > 1) {
      int const middle = (begin + end) / 2;
      if (start[middle] <= p) {
        begin = middle;
      } else {
        end = middle;
      }
    }
    return begin;
  }
};

/// Rows of a kernel: all, or those of a list whose length is on the device. Rows that are too long for the
/// bin go to another list.
struct RowList {
  Index rows;
  Index const* list;  ///< null: all rows
  Index const* count;
  Index* too_long;
  Index* too_long_count;
  __device__ Index size() const { return list == nullptr ? rows : *count; }
  __device__ Index row(Index p) const { return list == nullptr ? p : list[p]; }
  __device__ void defer(Index i) const { too_long[atomicAdd(too_long_count, 1)] = i; }
};

/// Walks over the products of row i in order, as many at a time as there are lanes. For each entry e of the
/// left row its lane calls begin(e, factor) once. All lanes call take(e, l), with l < 0 for no product; it
/// returns false to end the walk. If rows of B are single, an entry is a product, without enumeration.
template <class Bin, class Left, class Right, class Begin, class Take>
__device__ void walk(core::ThreadGroup<Bin::lanes> const& group, Left const& A, Right const& B, Index i,
                     Table<Bin>& table, Begin const& begin, Take const& take) {
  auto a = A.row(i);
  if constexpr (Right::single) {
    for (auto k0 = a.begin; k0 < a.end; k0 += Bin::lanes) {
      auto const k = k0 + group.lane;
      Offset l = -1;
      if (k < a.end) {
        a.move(k);
        auto const j = a.source();
        if (a.keeps() && B.begin(j) < B.end(j)) {
          l = B.begin(j);
          begin(group.lane, a.factor());
        }
      }
      if (!take(l < 0 ? -1 : group.lane, l, Offset{0}, Offset{0})) return;
    }
  } else {
    for (auto k0 = a.begin; k0 < a.end; k0 += Bin::lanes) {
      auto const k = k0 + group.lane;
      Offset first = 0, length = 0;
      if (k < a.end) {
        a.move(k);
        if (a.keeps()) {
          first = B.begin(a.source());
          length = B.end(a.source()) - first;
          begin(group.lane, a.factor());
        }
      }
      auto const sum = group.inclusive_scan(length, table.scratch);
      if (group.lane == 0) table.start[0] = 0;
      table.start[group.lane + 1] = sum;
      table.from[group.lane] = first - (sum - length);
      group.sync();
      auto const total = table.start[Bin::lanes];
      for (Offset p0 = 0; p0 < total; p0 += Bin::lanes) {
        auto const p = p0 + group.lane;
        int const e = p < total ? table.entry_of(p) : -1;
        if (!take(e, p < total ? table.from[e] + p : Offset{-1}, p0, total)) return;
      }
      group.sync();
    }
  }
}

/// Adds the batch's products to their targets, those of one entry of A after those of the entry before it.
template <class Bin>
__device__ void add_in_turn(core::ThreadGroup<Bin::lanes> const& group, Table<Bin>& table, int e,
                            double product, double* target, Offset p0, Offset total) {
  if (e >= 0 && group.lane == 0) table.range[0] = e;
  if (e >= 0 && (p0 + group.lane + 1 == total || group.lane + 1 == Bin::lanes)) table.range[1] = e;
  group.sync();
  int const last = table.range[1];
  for (int turn = table.range[0]; turn <= last; ++turn) {
    if (e == turn) *target += product;
    group.sync();
  }
}

/// The same if each lane has a product of its own entry: products of one slot are added in the order of
/// lanes. s: -1 for none.
template <class Bin>
__device__ void add_by_slots(core::ThreadGroup<Bin::lanes> const& group, int s, double product, double* sum) {
  core::ThreadGroup<(Bin::lanes < 32 ? Bin::lanes : 32)> const warp;
  group.sync();
  for (int w = 0; w < Bin::lanes; w += 32) {
    if (Bin::lanes <= 32 || group.lane / 32 == w / 32) {
      int const before = warp.count_same_before(s);
      for (int turn = 0; warp.any(s >= 0 && before >= turn); ++turn) {
        if (s >= 0 && before == turn) sum[s] += product;
        warp.sync();
      }
    }
    if (Bin::lanes > 32) group.sync();
  }
}

/// The number of distinct columns of each row.
template <class Bin, class Left, class Right>
struct CountKernel {
  using Shared = Table<Bin>;
  Left A;
  Right B;
  Offset* counts;
  __device__ void operator()(core::ThreadGroup<Bin::lanes> const& group, Shared& table, Index i,
                             RowList const& list) const {
    table.clear(group);
    int found = 0;
    walk(
        group, A, B, i, table, [](int, double) {},
        [&](int, Offset l, Offset, Offset) {
          bool inserted = false;
          if (l >= 0) table.insert(B.column(l), inserted);
          found += group.count(inserted);
          return found <= Bin::limit;
        });
    if (group.lane != 0) return;
    counts[i] = found;
    if (found > Bin::limit) list.defer(i);
  }
};

/// Columns and values at once.
template <class Bin, class Left, class Right, class Epilogue>
struct MultiplyKernel {
  struct Shared : Table<Bin> {
    int size;
    double factor[Bin::lanes];
    unsigned short list[Bin::limit];  ///< occupied slots
    double sum[Bin::slots];
  };
  Left A;
  Right B;
  Epilogue epilogue;
  Offset const* offsets;
  Index* column;
  double* value;
  __device__ void operator()(core::ThreadGroup<Bin::lanes> const& group, Shared& table, Index i,
                             RowList const& list) const {
    auto const begin = offsets[i];
    auto const length = offsets[i + 1] - begin;
    if (length > Bin::limit) {
      if (group.lane == 0) list.defer(i);
      return;
    }
    if (length == 0) return;
    if (group.lane == 0) table.size = 0;
    table.clear(group);
    walk(
        group, A, B, i, table, [&](int e, double factor) { table.factor[e] = factor; },
        [&](int e, Offset l, Offset p0, Offset total) {
          double product = 0;
          int s = -1;
          if (l >= 0) {
            bool inserted = false;
            s = table.insert(B.column(l), inserted);
            if (inserted) {
              table.sum[s] = 0;
              table.list[atomicAdd(&table.size, 1)] = static_cast<unsigned short>(s);
            }
            product = table.factor[e] * B.value(l);
          }
          if constexpr (Right::single) {
            add_by_slots<Bin>(group, s, product, table.sum);
          } else {
            add_in_turn(group, table, e, product, table.sum + s, p0, total);
          }
          return true;
        });
    store(group, table, i, begin, static_cast<int>(length));
  }

 private:
  /// A column's place is the number of smaller keys. Keys move to the front of the table first.
  __device__ void store(core::ThreadGroup<Bin::lanes> const& group, Shared& table, Index i, Offset begin,
                        int n) const {
    constexpr int most = (Bin::limit + Bin::lanes - 1) / Bin::lanes;
    Index c[most];
#pragma unroll
    for (int q = 0, e = group.lane; q < most; ++q, e += Bin::lanes)
      c[q] = e < n ? table.key[table.list[e]] : 0;
    group.sync();
#pragma unroll
    for (int q = 0, e = group.lane; q < most; ++q, e += Bin::lanes) {
      if (e < n) table.key[e] = epilogue.key(c[q]);
    }
    group.sync();
    auto const of_row = epilogue.row(i);
#pragma unroll
    for (int q = 0, e = group.lane; q < most; ++q, e += Bin::lanes) {
      if (e >= n) break;
      auto const key = epilogue.key(c[q]);
      int rank = 0;
      for (int f = 0; f < n; ++f) rank += table.key[f] < key ? 1 : 0;
      column[begin + rank] = c[q];
      value[begin + rank] = of_row(c[q], table.sum[table.list[e]]);
    }
  }
};

template <class Bin, class Kernel>
__global__ void __launch_bounds__(Bin::threads) row_kernel(Kernel kernel, RowList list) {
  extern __shared__ __align__(16) unsigned char memory[];
  using Shared = typename Kernel::Shared;
  core::ThreadGroup<Bin::lanes> const group;
  auto& table = reinterpret_cast<Shared*>(memory)[threadIdx.x / Bin::lanes];
  auto const size = list.size();
  auto const stride = static_cast<Offset>(gridDim.x) * Bin::groups;
  for (Offset p = static_cast<Offset>(blockIdx.x) * Bin::groups + threadIdx.x / Bin::lanes; p < size;
       p += stride) {
    kernel(group, table, list.row(static_cast<Index>(p)), list);
    group.sync();
  }
}

}  // namespace Tessera::sparse::hash
