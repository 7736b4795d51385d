#pragma once
/// \file
/// Breadth-first searches in shared memory: a group of threads takes a row, a hash set says what it has met,
/// a list in the order of arrival what comes next.
#include <climits>

#include "core/group_cuda.cuh"
#include "fsai/pattern.hpp"
#include "sparse/engine/hash_slots.hpp"

namespace Tessera::fsai::detail {

/// Rows with up to `capacity` columns fit; the list may pass it by one for each lane.
template <int Lanes, int Slots>
struct SearchShape {
  static constexpr int lanes = Lanes, slots = Slots;
  static constexpr int threads = Lanes > 32 ? Lanes : 128, groups = threads / Lanes;
  static constexpr int capacity = Lanes > 32 ? Slots / 2 : Slots * 3 / 4;
  static_assert(capacity % 4 == 0 && capacity + Lanes < Slots);
};

template <class Shape>
struct Reached {
  alignas(16) Index list[Shape::capacity];
  Index key[Shape::slots];
  int size;
};

/// Levels of searches along the filtered matrix.
struct Search {
  PatternView filtered;
  OwnRows own;
  int level;
  int width;  ///< lanes that read a row of the filtered matrix, a power of two

  /// All that row i reaches, in no order; stops when that is more than the group can keep, and then returns a
  /// number beyond its capacity.
  template <class Shape>
  __device__ int reach(core::ThreadGroup<Shape::lanes> const& group, Reached<Shape>& reached, Index i) const {
    for (int s = group.lane; s < Shape::slots; s += Shape::lanes) reached.key[s] = -1;
    group.sync();
    if (group.lane == 0) {
      reached.list[0] = i;
      reached.key[sparse::hash::slot_of(i, Shape::slots - 1)] = i;
      reached.size = 1;
    }
    group.sync();
    int const part = width < Shape::lanes ? width : Shape::lanes;
    int const lane = group.lane & (part - 1);
    int from = 0, to = 1;
    for (int step = 0; step < level && from < to && to <= Shape::capacity; ++step) {
      for (int f = from + group.lane / part; f < to; f += Shape::lanes / part) {
        if (*static_cast<int volatile*>(&reached.size) > Shape::capacity) break;
        Index const v = reached.list[f];
        auto const end = filtered.offsets[v + 1];
        for (auto k = filtered.offsets[v] + lane; k < end; k += part) {
          Index const c = filtered.column[k];
          if (c > i || !add(reached, c)) break;  // columns ascend
        }
      }
      group.sync();
      from = to;
      to = reached.size;
      group.sync();
    }
    return to;
  }

 private:
  template <class Shape>
  __device__ static bool add(Reached<Shape>& reached, Index c) {
    for (auto s = static_cast<int>(sparse::hash::slot_of(c, Shape::slots - 1));;
         s = (s + 1) & (Shape::slots - 1)) {
      Index before = *static_cast<Index volatile*>(reached.key + s);
      if (before == -1) before = atomicCAS(reached.key + s, -1, c);
      if (before == c) return true;
      if (before != -1) continue;
      int const place = atomicAdd(&reached.size, 1);
      if (place >= Shape::capacity) return false;
      reached.list[place] = c;
      return true;
    }
  }
};

/// The columns of the list, ascending: each goes where as many are smaller.
template <class Shape>
__device__ void write_sorted(core::ThreadGroup<Shape::lanes> const& group, Reached<Shape>& reached, int size,
                             Index* target) {
  constexpr int together = 4;
  if (size + group.lane < ((size + 3) & ~3)) reached.list[size + group.lane] = INT_MAX;
  group.sync();
  for (int e0 = group.lane; e0 < size; e0 += together * Shape::lanes) {
    Index mine[together];
    int rank[together];
#pragma unroll
    for (int u = 0; u < together; ++u) {
      int const e = e0 + u * Shape::lanes;
      mine[u] = e < size ? reached.list[e] : INT_MAX;
      rank[u] = 0;
    }
    for (int f = 0; f < size; f += 4) {
      int4 const four = *reinterpret_cast<int4 const*>(reached.list + f);
#pragma unroll
      for (int u = 0; u < together; ++u)
        rank[u] += (four.x < mine[u]) + (four.y < mine[u]) + (four.z < mine[u]) + (four.w < mine[u]);
    }
#pragma unroll
    for (int u = 0; u < together; ++u) {
      if (e0 + u * Shape::lanes < size) target[rank[u]] = mine[u];
    }
  }
}

/// What one batch of rows finds. Row begin + b goes to slab[b * stride ...]; rows that have more than
/// `stride` columns go to a list.
struct Batch {
  Index begin, rows;
  int stride;
  Index* slab;
  Index* counts;      ///< of the whole pattern
  Index* large_rows;  ///< rows of the pattern
  Index* large_count;
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads) search_kernel(Search search, Batch batch) {
  __shared__ Reached<Shape> memory[Shape::groups];
  core::ThreadGroup<Shape::lanes> const group;
  auto& reached = memory[threadIdx.x / Shape::lanes];
  auto const b = static_cast<Index>(blockIdx.x * Shape::groups + threadIdx.x / Shape::lanes);
  if (b >= batch.rows) return;
  Index const r = batch.begin + b;
  int const size = search.reach<Shape>(group, reached, search.own(r));
  if (size > Shape::capacity || size > batch.stride) {
    if (group.lane == 0) batch.large_rows[atomicAdd(batch.large_count, 1)] = r;
    return;
  }
  if (group.lane == 0) batch.counts[r] = size;
  write_sorted<Shape>(group, reached, size, batch.slab + static_cast<Offset>(b) * batch.stride);
}

/// Rows of a list: their sizes (those that no back end keeps count as largest_row + 1).
template <class Shape>
__global__ void __launch_bounds__(Shape::threads) count_large_kernel(Search search, Batch batch) {
  static_assert(Shape::groups == 1 && Shape::capacity >= largest_row);
  __shared__ Reached<Shape> reached;
  core::ThreadGroup<Shape::lanes> const group;
  Index const count = *batch.large_count;
  for (auto p = static_cast<Index>(blockIdx.x); p < count; p += static_cast<Index>(gridDim.x)) {
    Index const r = batch.large_rows[p];
    int const size = search.reach<Shape>(group, reached, search.own(r));
    if (group.lane == 0) batch.counts[r] = size <= largest_row ? size : largest_row + 1;
    group.sync();
  }
}

/// The same: their columns, once it is known where they begin (offsets of the batch).
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    write_large_kernel(Search search, Batch batch, Offset const* offsets, Index* column) {
  __shared__ Reached<Shape> reached;
  core::ThreadGroup<Shape::lanes> const group;
  Index const count = *batch.large_count;
  for (auto p = static_cast<Index>(blockIdx.x); p < count; p += static_cast<Index>(gridDim.x)) {
    Index const r = batch.large_rows[p];
    int const size = search.reach<Shape>(group, reached, search.own(r));
    if (size <= largest_row) write_sorted<Shape>(group, reached, size, column + offsets[r - batch.begin]);
    group.sync();
  }
}

/// Sizes of some rows, evenly spread.
template <class Shape>
__global__ void __launch_bounds__(Shape::threads)
    sample_kernel(Search search, Index rows, Index samples, Index* sizes) {
  __shared__ Reached<Shape> reached;
  core::ThreadGroup<Shape::lanes> const group;
  for (auto p = static_cast<Index>(blockIdx.x); p < samples; p += static_cast<Index>(gridDim.x)) {
    auto const r = static_cast<Index>(static_cast<Offset>(p) * rows / samples);
    int const size = search.reach<Shape>(group, reached, search.own(r));
    if (group.lane == 0) sizes[p] = size;
    group.sync();
  }
}

/// The size of one row, however large. met: 0 for each row of the filtered matrix; list: room for all of
/// them. One block.
static __global__ void __launch_bounds__(256)
    reach_all_kernel(Search search, Index i, int* met, Index* list, Index* size) {
  if (threadIdx.x == 0) list[0] = i, met[i] = 1, *size = 1;
  __syncthreads();
  Index from = 0, to = 1;
  for (int step = 0; step < search.level && from < to; ++step) {
    for (Index f = from + static_cast<Index>(threadIdx.x); f < to; f += blockDim.x) {
      for (auto k = search.filtered.offsets[list[f]]; k < search.filtered.offsets[list[f] + 1]; ++k) {
        Index const c = search.filtered.column[k];
        if (c > i) break;
        if (atomicExch(met + c, 1) == 0) list[atomicAdd(size, 1)] = c;
      }
    }
    __syncthreads();
    from = to;
    to = *static_cast<Index volatile*>(size);
    __syncthreads();
  }
}

/// Rows of the slab to where the batch's offsets say; the rows that are not in it are left out.
struct CopyRows {
  static constexpr int threads = 256, lanes = 8;
};

static __global__ void __launch_bounds__(CopyRows::threads)
    copy_rows_kernel(Batch batch, Offset const* offsets, Index* column) {
  constexpr int lanes = CopyRows::lanes;
  auto const b = static_cast<Index>(blockIdx.x * (CopyRows::threads / lanes) + threadIdx.x / lanes);
  if (b >= batch.rows) return;
  auto const begin = offsets[b], size = offsets[b + 1] - begin;
  if (size > batch.stride) return;
  Index const* const from = batch.slab + static_cast<Offset>(b) * batch.stride;
  for (int k = threadIdx.x % lanes; k < size; k += lanes) column[begin + k] = from[k];
}

}  // namespace Tessera::fsai::detail
