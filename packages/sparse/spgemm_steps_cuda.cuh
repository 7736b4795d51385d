#pragma once
/// \file
/// The hash product where the columns of C are known and its rows not long: a group of as many lanes as a row
/// of B has entries, or some more, takes a row of A and goes through its entries step by step. The columns of
/// one row of B are distinct, so its products are added at once, and every sum runs in the order of A's
/// entries without atomics. What some steps to come read is on its way while a step adds. Groups of a warp go
/// round together.
#include "sparse/spgemm_hash_cuda.cuh"

namespace Tessera::sparse::hash {

/// Lanes of a group and slots of its table.
template <int Lanes, int Slots>
struct StepBin {
  static constexpr int lanes = Lanes, slots = Slots, threads = 64;
  static constexpr int groups = threads / lanes;
  static constexpr int limit = slots - slots / 4;  ///< columns in the table
};

/// An entry of A: its value and which entries of B it multiplies; 16 bytes, so that one load hands it round.
template <class T>
struct alignas(16) StepEntry {
  static constexpr int length_bits = 16;  ///< more than a table's columns
  T factor;
  Offset range;

  StepEntry() = default;
  __device__ StepEntry(T value, Offset first, Offset length)
      : factor(value), range(first << length_bits | length) {}
  __device__ Offset first() const { return range >> length_bits; }
  __device__ int length() const { return static_cast<int>(range & ((1 << length_bits) - 1)); }
};

/// Columns and sums of a row of C, and the entries of A that are worked off. The last member moves the
/// groups' tables to different banks.
template <class Bin, class T>
struct StepTable {
  static constexpr int slots = Bin::slots;
  StepEntry<T> entry[Bin::lanes];
  T sum[slots];
  Index key[slots];
  Index other_banks[Bin::lanes < 32 ? Bin::lanes : 4];

  __device__ static int start_of(Index column) {
    return static_cast<int>(static_cast<std::uint32_t>(column) * 0x9e3779b9u >> (32 - log2(slots)));
  }
  __device__ void clear(int lane) {
    for (int s = lane; s < slots; s += Bin::lanes) key[s] = -1;
  }
  /// The slot of a column; where it is new, its sum is zero.
  __device__ int insert(Index column) {
    for (int s = start_of(column);; s = (s + 1) % slots) {
      Index before = *static_cast<Index volatile*>(key + s);
      if (before == -1) {
        before = atomicCAS(key + s, -1, column);
        if (before == -1) sum[s] = T{0};
      }
      if (before == column || before == -1) return s;
    }
  }
  __device__ int find(Index column) const {
    int s = start_of(column);
    while (key[s] != column) s = (s + 1) % slots;
    return s;
  }

 private:
  __host__ __device__ static constexpr int log2(int n) { return n == 1 ? 0 : 1 + log2(n / 2); }
};

/// Adds the products of A's entries [k, end) to the table's sums, those of one entry at once and behind those
/// of the entry before it. All lanes of the warp call it together.
template <class Bin, class T>
__device__ void add_in_steps(ThreadGroup<Bin::lanes> const& group, CsrView<T> const& A, CsrView<T> const& B,
                             Offset k, Offset end, StepTable<Bin, T>& table) {
  constexpr unsigned warp = 0xffffffffu;
  constexpr int ahead = 4, lanes = Bin::lanes;
  auto const add = [&](Index column, T product) { table.sum[table.find(column)] += product; };
  for (; __any_sync(warp, k < end); k += lanes) {
    StepEntry<T> mine(T{}, 0, 0);
    if (k + group.lane < end) {
      auto const j = A.column[k + group.lane];
      auto const first = B.offsets[j];
      mine = {A.value[k + group.lane], first, B.offsets[j + 1] - first};
    }
    __syncwarp();
    table.entry[group.lane] = mine;
    __syncwarp();
    int const count = __reduce_max_sync(warp, k < end ? static_cast<int>(min(end - k, Offset{lanes})) : 0);
    for (int e0 = 0; e0 < count; e0 += ahead) {
      StepEntry<T> entry[ahead];
      T value[ahead];
      Index column[ahead];
#pragma unroll
      for (int e = 0; e < ahead; ++e) {
        entry[e] = table.entry[e0 + e];
        if (group.lane < entry[e].length()) {
          column[e] = B.column[entry[e].first() + group.lane];
          value[e] = B.value[entry[e].first() + group.lane];
        }
      }
#pragma unroll
      for (int e = 0; e < ahead; ++e) {
        if (group.lane < entry[e].length()) add(column[e], entry[e].factor * value[e]);
        __syncwarp();
        for (int l = group.lane + lanes; __any_sync(warp, l < entry[e].length()); l += lanes) {
          if (l < entry[e].length())
            add(B.column[entry[e].first() + l], entry[e].factor * B.value[entry[e].first() + l]);
          __syncwarp();
        }
      }
    }
  }
}

/// A row of C, as far as it fits into the bin; else it has no columns here.
template <class Bin>
struct StepRow {
  Offset begin = 0;
  int length = 0;
  __device__ StepRow(ThreadGroup<Bin::lanes> const& group, Offset const* offsets, Index i,
                     RowList const& list) {
    if (i < 0) return;
    begin = offsets[i];
    auto const all = offsets[i + 1] - begin;
    if (all <= Bin::limit) {
      length = static_cast<int>(all);
    } else if (group.lane == 0) {
      list.pass_on(i);
    }
  }
};

/// The values, once the columns are known.
template <class Bin, class T>
struct SumInSteps {
  CsrView<T> A, B;
  Offset const* offsets;
  Index const* column;
  T* value;
  __device__ void operator()(ThreadGroup<Bin::lanes> const& group, StepTable<Bin, T>& table, Index i,
                             RowList const& list) const {
    StepRow<Bin> const row(group, offsets, i, list);
    table.clear(group.lane);
    __syncwarp();
    for (int e = group.lane; e < row.length; e += Bin::lanes) table.insert(column[row.begin + e]);
    __syncwarp();
    bool const any = row.length > 0;
    add_in_steps(group, A, B, any ? A.offsets[i] : 0, any ? A.offsets[i + 1] : 0, table);
    __syncwarp();
    for (int e = group.lane; e < row.length; e += Bin::lanes)
      value[row.begin + e] = table.sum[table.find(column[row.begin + e])];
  }
};

template <class Bin, class T>
__global__ void __launch_bounds__(Bin::threads) sum_in_steps_kernel(SumInSteps<Bin, T> kernel, RowList list) {
  __shared__ StepTable<Bin, T> tables[Bin::groups];
  auto const p = static_cast<Offset>(blockIdx.x) * Bin::groups + threadIdx.x / Bin::lanes;
  kernel(ThreadGroup<Bin::lanes>(), tables[threadIdx.x / Bin::lanes],
         p < list.rows ? static_cast<Index>(p) : Index{-1}, list);
}

}  // namespace Tessera::sparse::hash
