#pragma once
/// \file
/// Growth of patterns on CUDA: a group of threads sums up A g of a row in a hash table, the rows of A one
/// after another as on the host, and picks the best columns one by one. Tables lie in a warp's or a block's
/// shared memory; rows that need more go to a list whose tables lie in the device's memory.
#include <algorithm>
#include <limits>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/group_cuda.cuh"
#include "core/parallel.hpp"
#include "fsai/growth.hpp"
#include "sparse/engine/hash_slots.hpp"
#include "sparse/formats/csr.hpp"

namespace Tessera::fsai {
namespace detail {

struct GrowthTask {
  sparse::CsrView<double> A;
  Index columns;  ///< as LowerRows::columns
  PatternView pattern;
  double const* value;
  double const* diagonal;
  unsigned char const* active;
  GrowthRule rule;
  Offset const* first;  ///< where each row's picked columns begin, with as much room as the rule gives
  Index* counts;        ///< of the new pattern
  Index* picked;
};

struct RoomBody {
  Span<Offset const> offsets;
  Span<unsigned char const> active;
  GrowthRule rule;
  Span<Index> room;
  __device__ void operator()(Index r) const {
    room[r] = active[r] != 0 ? rule.room(static_cast<Index>(offsets[r + 1] - offsets[r])) : 0;
  }
};

/// Rows that a kernel takes, and those that it leaves to the next.
struct GrowthRows {
  Index const* list;  ///< null: all rows
  Index const* count;
  Index* left;
  Index* left_count;
  unsigned long long* products;  ///< the most that a row that was left has
};

struct GrowthTable {
  Index* key;
  double* sum;  ///< t_c; NaN for columns that are in the pattern
  int slots;

  __device__ int insert(Index c, bool& inserted) const {
    auto const mask = static_cast<std::uint32_t>(slots - 1);
    auto s = static_cast<int>(sparse::hash::slot_of(c, mask));
    inserted = false;
    for (;; s = (s + 1) & (slots - 1)) {
      Index before = *static_cast<Index volatile*>(key + s);
      if (before == -1) {
        before = atomicCAS(key + s, -1, c);
        inserted = before == -1;
      }
      if (before == c || before == -1) return s;
    }
  }
};

struct Best {
  double score = 0;
  Index column = -1;
  int slot = -1;
  __device__ void take(double other_score, Index other_column, int other_slot) {
    if (other_column < 0) return;
    if (column >= 0 && (other_score < score || (other_score == score && other_column > column))) return;
    score = other_score, column = other_column, slot = other_slot;
  }
};

template <int Lanes>
struct RowGrowth {
  core::ThreadGroup<Lanes> group;
  GrowthTask const& task;
  GrowthTable table;
  Best* scratch;  ///< one for each warp of the group, beyond a warp

  /// t in the table, false when it is full.
  __device__ bool sum_up(Index const* P, double const* g, int m) const {
    int const limit = table.slots - Lanes;
    for (int s = group.lane; s < table.slots; s += Lanes) table.key[s] = -1, table.sum[s] = 0;
    group.sync();
    if (m > limit) return false;
    for (int a = group.lane; a < m; a += Lanes) {
      bool inserted;
      table.sum[table.insert(P[a], inserted)] = std::numeric_limits<double>::quiet_NaN();
    }
    group.sync();
    int found = m;
    Index const i = P[m - 1], columns = i < task.columns ? i : task.columns;
    for (int a = 0; a < m; ++a) {
      auto const end = task.A.offsets[P[a] + 1];
      for (auto first = task.A.offsets[P[a]]; first < end; first += Lanes) {
        auto const k = first + group.lane;
        Index const c = k < end ? task.A.column[k] : i;
        bool inserted = false;
        if (c < columns) {
          int const s = table.insert(c, inserted);
          table.sum[s] = table.sum[s] + task.A.value[k] * g[a];
        }
        found += group.count(inserted);
        if (found > limit) return false;
      }
      group.sync();
    }
    return true;
  }

  /// The best column of the table, the same for all lanes.
  __device__ Best best() const {
    Best mine;
    for (int s = group.lane; s < table.slots; s += Lanes) {
      if (table.key[s] >= 0 && table.sum[s] > task.rule.tolerance) mine.take(table.sum[s], table.key[s], s);
    }
    constexpr int width = Lanes < 32 ? Lanes : 32;
    for (int distance = width / 2; distance > 0; distance /= 2) {
      double const score = __shfl_xor_sync(group.mask, mine.score, distance);
      Index const column = __shfl_xor_sync(group.mask, mine.column, distance);
      mine.take(score, column, __shfl_xor_sync(group.mask, mine.slot, distance));
    }
    if constexpr (Lanes > 32) {
      if (group.lane % 32 == 0) scratch[group.lane / 32] = mine;
      __syncthreads();
      for (int w = 0; w < Lanes / 32; ++w) mine.take(scratch[w].score, scratch[w].column, scratch[w].slot);
      __syncthreads();
    }
    return mine;
  }

  /// False when the table was too small.
  __device__ bool grow(Index r) const {
    auto const from = task.pattern.offsets[r];
    int const m = static_cast<int>(task.pattern.offsets[r + 1] - from);
    int const room = task.active[r] != 0 ? task.rule.room(m) : 0;
    if (room <= 0) {
      if (group.lane == 0) task.counts[r] = m;
      return true;
    }
    Index const* const P = task.pattern.column.data() + from;
    if (!sum_up(P, task.value + from, m)) return false;
    for (int s = group.lane; s < table.slots; s += Lanes) {
      if (table.key[s] >= 0) table.sum[s] = table.sum[s] * table.sum[s] / task.diagonal[table.key[s]];
    }
    group.sync();
    int added = 0;
    for (; added < room; ++added) {
      auto const next = best();
      if (next.column < 0) break;
      if (group.lane == 0) {
        task.picked[task.first[r] + added] = next.column;
        table.sum[next.slot] = 0;
      }
      group.sync();
    }
    if (group.lane == 0) task.counts[r] = m + added;
    return true;
  }

  __device__ void grow(Index r, GrowthRows const& rows) const {
    if (!grow(r) && group.lane == 0) {
      rows.left[atomicAdd(rows.left_count, 1)] = r;
      unsigned long long products = 0;
      for (auto k = task.pattern.offsets[r]; k < task.pattern.offsets[r + 1]; ++k) {
        auto const j = task.pattern.column[k];
        products += 1 + task.A.offsets[j + 1] - task.A.offsets[j];
      }
      atomicMax(rows.products, products);
    }
    group.sync();
  }
};

template <int Lanes, int Slots>
struct GrowthShape {
  static constexpr int lanes = Lanes, slots = Slots, threads = 128, groups = threads / Lanes;
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads) grow_kernel(GrowthTask task, GrowthRows rows) {
  __shared__ double sum[Shape::groups][Shape::slots];
  __shared__ Index key[Shape::groups][Shape::slots];
  __shared__ Best scratch[Shape::threads / 32];
  int const g = threadIdx.x / Shape::lanes;
  RowGrowth<Shape::lanes> const growth{{}, task, {key[g], sum[g], Shape::slots}, scratch};
  auto const count = rows.list == nullptr ? task.pattern.rows : *rows.count;
  auto const stride = static_cast<Index>(gridDim.x) * Shape::groups;
  for (auto p = static_cast<Index>(blockIdx.x) * Shape::groups + g; p < count; p += stride)
    growth.grow(rows.list == nullptr ? p : rows.list[p], rows);
}

/// Each block's table of `slots` lies in the device's memory.
static __global__ void __launch_bounds__(128)
    grow_large_kernel(GrowthTask task, GrowthRows rows, Index* keys, double* sums, int slots) {
  __shared__ Best scratch[4];
  auto const at = static_cast<std::size_t>(blockIdx.x) * slots;
  RowGrowth<128> const growth{{}, task, {keys + at, sums + at, slots}, scratch};
  for (auto p = static_cast<Index>(blockIdx.x); p < *rows.count; p += static_cast<Index>(gridDim.x))
    growth.grow(rows.list[p], rows);
}

/// Old and picked columns, ascending; a warp takes a row.
static __global__ void __launch_bounds__(128)
    merge_rows_kernel(PatternView old, Index const* picked, Offset const* first, Offset const* offsets,
                      Index* column) {
  auto const r = static_cast<Index>(blockIdx.x * 4 + threadIdx.x / 32);
  if (r >= old.rows) return;
  int const lane = threadIdx.x % 32;
  auto const from = old.offsets[r];
  int const m = static_cast<int>(old.offsets[r + 1] - from);
  int const added = static_cast<int>(offsets[r + 1] - offsets[r]) - m;
  Index const* const P = old.column.data() + from;
  Index const* const N = picked + first[r];
  Index* const target = column + offsets[r];
  for (int k = lane; k < m; k += 32) {
    int before = k;
    for (int n = 0; n < added; ++n) before += N[n] < P[k] ? 1 : 0;
    target[before] = P[k];
  }
  for (int n = lane; n < added; n += 32) {
    int before = 0, high = m;
    while (before < high) {
      int const middle = (before + high) / 2;
      if (P[middle] < N[n]) {
        before = middle + 1;
      } else {
        high = middle;
      }
    }
    for (int o = 0; o < added; ++o) before += N[o] < N[n] ? 1 : 0;
    target[before] = N[n];
  }
}

class GrowthLaunch {
 public:
  GrowthLaunch(Cuda const& space, GrowthTask const& task)
      : space_(space),
        task_(task),
        lists_(space, 3 * static_cast<std::size_t>(task.pattern.rows)),
        counts_(space, 3),
        products_(space, 1) {
    core::fill(space, counts_.span(), 0);
    core::fill(space, products_.span(), 0);
  }

  void run() {
    constexpr unsigned blocks = 1056;
    using Small = GrowthShape<32, 256>;
    using Block = GrowthShape<128, 2048>;
    auto const rows = static_cast<unsigned>(task_.pattern.rows);
    grow_kernel<Small>
        <<<std::min(blocks, (rows + 3) / 4), Small::threads, 0, space_.stream>>>(task_, step(0));
    core::fill(space_, products_.span(), 0);
    grow_kernel<Block><<<std::min(blocks, rows), Block::threads, 0, space_.stream>>>(task_, step(1));
    TESSERA_CUDA_CHECK(cudaGetLastError());
    auto const left = core::to_vector(space_, counts_.span())[1];
    if (left > 0) run_large(left);
  }

 private:
  GrowthRows step(int s) {
    auto const n = task_.pattern.rows;
    return {s == 0 ? nullptr : lists_.data() + static_cast<std::size_t>(s - 1) * n,
            s == 0 ? nullptr : counts_.data() + (s - 1), lists_.data() + static_cast<std::size_t>(s) * n,
            counts_.data() + s, products_.data()};
  }
  void run_large(Index left) {
    auto const products = static_cast<Offset>(core::to_vector(space_, products_.span())[0]);
    auto const columns = std::min<Offset>(products, task_.A.columns);
    auto const slots = sparse::hash::power_of_two_from(2 * columns + 256);
    auto const blocks =
        static_cast<std::size_t>(std::min<Offset>({left, 264, std::max<Offset>(1, most_slots / slots)}));
    Array<Index, Cuda> keys(space_, blocks * slots);
    Array<double, Cuda> sums(space_, blocks * slots);
    grow_large_kernel<<<static_cast<unsigned>(blocks), 128, 0, space_.stream>>>(
        task_, step(2), keys.data(), sums.data(), static_cast<int>(slots));
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }

  static constexpr Offset most_slots = Offset{1} << 24;
  Cuda space_;
  GrowthTask task_;
  Array<Index, Cuda> lists_, counts_;
  Array<unsigned long long, Cuda> products_;
};

}  // namespace detail

template <>
Pattern<Cuda> grown_pattern(Cuda const& space, LowerRows const& rows, PatternView pattern,
                            Span<double const> value, Span<unsigned char const> active,
                            GrowthRule const& rule) {
  auto const n = static_cast<std::size_t>(pattern.rows);
  Pattern<Cuda> grown{Array<Offset, Cuda>(space, n + 1), {}};
  Array<double, Cuda> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  Array<Index, Cuda> counts(space, n);
  Array<Offset, Cuda> first(space, n + 1);
  core::for_each(space, pattern.rows, detail::RoomBody{pattern.offsets, active, rule, counts.span()});
  auto const room = core::exclusive_scan(space, counts.view(), first.span());
  Array<Index, Cuda> picked(space, static_cast<std::size_t>(room));
  if (n > 0) {
    detail::GrowthLaunch launch(space, {rows.A, rows.columns, pattern, value.data(), diagonal.data(),
                                        active.data(), rule, first.data(), counts.data(), picked.data()});
    launch.run();
  }
  auto const total = core::exclusive_scan(space, counts.view(), grown.offsets.span());
  grown.column = Array<Index, Cuda>(space, static_cast<std::size_t>(total));
  if (n > 0) {
    detail::merge_rows_kernel<<<static_cast<unsigned>((n + 3) / 4), 128, 0, space.stream>>>(
        pattern, picked.data(), first.data(), grown.offsets.data(), grown.column.data());
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  return grown;
}

}  // namespace Tessera::fsai
