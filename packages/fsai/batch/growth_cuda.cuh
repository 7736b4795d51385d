#pragma once
/// \file
/// Search for new columns on CUDA. A group of threads sums up A g of a row in a hash table, in the host's
/// order of the rows of A. Then it picks the best columns one by one. Tables are in the shared memory of a
/// warp or of a block. Rows that need larger tables go to an overflow list, whose tables are in device memory
/// and grow from stage to stage.
#include <algorithm>
#include <limits>

#include "core/cuda_check.cuh"
#include "core/group.hpp"
#include "fsai/batch/growth_body.hpp"
#include "sparse/engine/column_table.hpp"

namespace Tessera::fsai {
namespace detail {

/// The rows of a kernel, and the overflow list of rows whose table was too small.
struct GrowthRows {
  Index const* list;  ///< null: all rows
  Index const* count;
  Index* overflow;
  Index* overflow_count;
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
};
struct Better {
  __device__ Best operator()(Best a, Best b) const {
    if (b.column < 0) return a;
    return a.column < 0 || b.score > a.score || (b.score == a.score && b.column < a.column) ? b : a;
  }
};

template <int Lanes>
struct GroupGrowth {
  core::ThreadGroup<Lanes> group;
  GrowthTask const& task;
  GrowthTable table;
  Best* scratch;  ///< one for each warp of the group, beyond a warp

  /// Sums up t in the table; false if the table is full.
  __device__ bool sum_up(Index const* P, double const* g, int m, Index end) const {
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
    for (int a = 0; a < m; ++a) {
      auto const& A = task.rows.A;
      auto const last = A.offsets[P[a] + 1];
      for (auto first = A.offsets[P[a]]; first < last; first += Lanes) {
        auto const k = first + group.lane;
        Index const c = k < last ? A.column[k] : end;
        bool inserted = false;
        if (c < end) {
          int const s = table.insert(c, inserted);
          table.sum[s] = table.sum[s] + A.value[k] * g[a];
        }
        found += group.count(inserted);
        if (found > limit) return false;
      }
      group.sync();
    }
    return true;
  }

  /// The best column of the table, the same on all lanes.
  __device__ Best best() const {
    Best mine;
    for (int s = group.lane; s < table.slots; s += Lanes) {
      if (table.key[s] >= 0 && table.sum[s] > task.rule.tolerance)
        mine = Better{}(mine, Best{table.sum[s], table.key[s], s});
    }
    constexpr int width = Lanes < 32 ? Lanes : 32;
    mine = core::ThreadGroup<width>{}.reduce(mine, Better{});
    if constexpr (Lanes > 32) {
      if (group.lane % 32 == 0) scratch[group.lane / 32] = mine;
      __syncthreads();
      for (int w = 0; w < Lanes / 32; ++w) mine = Better{}(mine, scratch[w]);
      __syncthreads();
    }
    return mine;
  }

  /// False if the table is too small.
  __device__ bool grow(Index r) const {
    int const growth_limit = task.growth_limit(r), m = task.pattern.size(r);
    int added = 0;
    auto const from = task.pattern.offsets[r];
    if (growth_limit > 0 &&
        !sum_up(task.pattern.column.data() + from, task.value.data() + from, m, task.end(r)))
      return false;
    for (int s = group.lane; growth_limit > 0 && s < table.slots; s += Lanes) {
      if (table.key[s] >= 0) table.sum[s] = table.sum[s] * table.sum[s] / task.diagonal[table.key[s]];
    }
    group.sync();
    for (; added < growth_limit; ++added) {
      auto const next = best();
      if (next.column < 0) break;
      if (group.lane == 0) {
        task.picked[task.first[r] + added] = next.column;
        table.sum[next.slot] = 0;
      }
      group.sync();
    }
    if (group.lane == 0) task.added[r] = added;
    return true;
  }
};

constexpr int growth_threads = 128;

/// Slots: size of a group's table in shared memory; 0: tables lie in `global_table`, one for each block.
template <int Lanes, int Slots>
__global__ void __launch_bounds__(growth_threads)
    grow_kernel(GrowthTask task, GrowthRows rows, GrowthTable global_table) {
  constexpr int groups = growth_threads / Lanes, table_size = Slots > 0 ? Slots : 1;
  __shared__ double sum[groups][table_size];
  __shared__ Index key[groups][table_size];
  __shared__ Best scratch[growth_threads / 32];
  int const g = threadIdx.x / Lanes;
  auto const at = static_cast<std::size_t>(blockIdx.x) * global_table.slots;
  GrowthTable table{key[g], sum[g], Slots};
  if (Slots == 0) table = {global_table.key + at, global_table.sum + at, global_table.slots};
  GroupGrowth<Lanes> const growth{{}, task, table, scratch};
  auto const count = rows.list == nullptr ? task.pattern.rows : *rows.count;
  auto const stride = static_cast<Index>(gridDim.x) * groups;
  for (auto p = static_cast<Index>(blockIdx.x) * groups + g; p < count; p += stride) {
    Index const r = rows.list == nullptr ? p : rows.list[p];
    if (!growth.grow(r) && growth.group.lane == 0) rows.overflow[atomicAdd(rows.overflow_count, 1)] = r;
    growth.group.sync();
  }
}

}  // namespace detail

template <>
struct GrowthSearch<Cuda> {
  using Kernel = void (*)(GrowthTask, detail::GrowthRows, detail::GrowthTable);

  static void run(Cuda const& space, GrowthTask const& task) {
    constexpr Index resident_blocks = 1056;
    constexpr Offset max_slots = Offset{1} << 24;
    auto const n = task.pattern.rows;
    if (n == 0) return;
    Array<Index, Cuda> lists(space, 2 * static_cast<std::size_t>(n)), counts(space, 2);
    // Stage s takes the overflow list of stage s - 1.
    auto const stage = [&](int s, Kernel kernel, Offset blocks, detail::GrowthTable const& global_table) {
      auto const from = (s + 1) % 2, to = s % 2;
      detail::GrowthRows const rows{s == 0 ? nullptr : lists.data() + from * static_cast<std::size_t>(n),
                                    counts.data() + from, lists.data() + to * static_cast<std::size_t>(n),
                                    counts.data() + to};
      TESSERA_CUDA_CHECK(cudaMemsetAsync(rows.overflow_count, 0, sizeof(Index), space.stream));
      kernel<<<static_cast<unsigned>(blocks), detail::growth_threads, 0, space.stream>>>(task, rows,
                                                                                         global_table);
      TESSERA_CUDA_CHECK(cudaGetLastError());
    };
    stage(0, &detail::grow_kernel<32, 256>, std::min(resident_blocks, (n + 3) / 4), detail::GrowthTable{});
    stage(1, &detail::grow_kernel<128, 2048>, std::min(resident_blocks, n), detail::GrowthTable{});
    for (int s = 2, slots = 1 << 14;; ++s, slots *= 8) {
      auto const remaining = core::to_vector(space, counts.view())[(s + 1) % 2];
      if (remaining == 0) return;
      auto const blocks = std::min<Offset>({remaining, 264, std::max<Offset>(1, max_slots / slots)});
      Array<Index, Cuda> keys(space, blocks * slots);
      Array<double, Cuda> sums(space, blocks * slots);
      stage(s, &detail::grow_kernel<128, 0>, blocks, detail::GrowthTable{keys.data(), sums.data(), slots});
    }
  }
};

}  // namespace Tessera::fsai
