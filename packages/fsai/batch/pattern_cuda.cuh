#pragma once
/// \file
/// Searches on CUDA in shared memory. A group of threads takes a row. A hash set has the visited columns, and
/// a list has them in the order of arrival. Found columns go to a slab with a fixed stride for each row, and
/// move to the pattern after all sizes are known. A sample of rows determines the stride and the sizes of
/// tables. A block of threads repeats the search of each row that needs more.
#include <algorithm>
#include <climits>
#include <numeric>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/group.hpp"
#include "fsai/batch/pattern_body.hpp"
#include "sparse/engine/column_table.hpp"

namespace Tessera::fsai {
namespace detail {

/// Rows of up to `capacity` columns fit; the list may exceed this by one column for each lane.
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

/// The search of a row by a group of threads.
struct GroupSearch : Search {
  int width;  ///< lanes that read a row of the filtered matrix, a power of two

  /// Finds the columns that row i reaches, step by step in the list. Stops after more columns than `max_size`
  /// or than the capacity, and then returns a number above that limit. whole: number of columns of all
  /// completed steps.
  template <class Shape>
  __device__ int reach(core::ThreadGroup<Shape::lanes> const& group, Reached<Shape>& reached, Index i,
                       int& whole) const {
    int const limit = max_size < Shape::capacity ? max_size : Shape::capacity;
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
    whole = 1;
    for (int step = 0; step < level && from < to && to <= limit; ++step) {
      whole = to;
      for (int f = from + group.lane / part; f < to; f += Shape::lanes / part) {
        if (*static_cast<int volatile*>(&reached.size) > limit) break;
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
    if (to <= limit) whole = to;
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
      int const position = atomicAdd(&reached.size, 1);
      if (position >= Shape::capacity) return false;
      reached.list[position] = c;
      return true;
    }
  }
};

/// Writes the columns of the list in ascending order: a column's position is the number of smaller columns.
template <class Shape>
__device__ void write_sorted(core::ThreadGroup<Shape::lanes> const& group, Reached<Shape>& reached, int size,
                             Index* target) {
  constexpr int columns_at_once = 4;
  if (size + group.lane < ((size + 3) & ~3)) reached.list[size + group.lane] = INT_MAX;
  group.sync();
  for (int e0 = group.lane; e0 < size; e0 += columns_at_once * Shape::lanes) {
    Index mine[columns_at_once];
    int rank[columns_at_once];
#pragma unroll
    for (int u = 0; u < columns_at_once; ++u) {
      int const e = e0 + u * Shape::lanes;
      mine[u] = e < size ? reached.list[e] : INT_MAX;
      rank[u] = 0;
    }
    for (int f = 0; f < size; f += 4) {
      int4 const four = *reinterpret_cast<int4 const*>(reached.list + f);
#pragma unroll
      for (int u = 0; u < columns_at_once; ++u)
        rank[u] += (four.x < mine[u]) + (four.y < mine[u]) + (four.z < mine[u]) + (four.w < mine[u]);
    }
#pragma unroll
    for (int u = 0; u < columns_at_once; ++u) {
      if (e0 + u * Shape::lanes < size) target[rank[u]] = mine[u];
    }
  }
}

/// Rows of one kernel, row(p) for 0 <= p < count, and the destination of their columns.
struct SearchTask {
  Index count;
  Index step;         ///< without a list, row(p) = p * step
  Index const* list;  ///< null, or the rows
  Index* sizes;  ///< by row, or by p without a list; largest_row + 1: unknown, because tables were too small
  int stride;    ///< columns of row(p) begin at slab[p * stride] if they are at most `stride`
  Index* slab;
  Index* overflow;  ///< null, or the rows whose columns are not in the slab
  Index* overflow_count;
  TESSERA_HD Index row(Index p) const { return list != nullptr ? list[p] : p * step; }
  TESSERA_HD Index& size(Index p) const { return sizes[list != nullptr ? list[p] : p]; }
};

template <class Shape>
__global__ void __launch_bounds__(Shape::threads) search_kernel(GroupSearch search, SearchTask task) {
  __shared__ Reached<Shape> memory[Shape::groups];
  core::ThreadGroup<Shape::lanes> const group;
  auto& reached = memory[threadIdx.x / Shape::lanes];
  auto const p = static_cast<Index>(blockIdx.x * Shape::groups + threadIdx.x / Shape::lanes);
  if (p >= task.count) return;
  int size = 0;
  int const visited = search.reach<Shape>(group, reached, search.own(task.row(p)), size);
  bool const known = visited <= Shape::capacity || search.max_size <= Shape::capacity;
  if (group.lane == 0) task.size(p) = known ? size : largest_row + 1;
  if (group.lane == 0 && known && !search.cut.empty())
    search.cut[task.row(p)] = visited > search.max_size ? 1 : 0;
  if (known && size <= task.stride) {
    write_sorted<Shape>(group, reached, size, task.slab + static_cast<Offset>(p) * task.stride);
  } else if (group.lane == 0 && task.overflow != nullptr) {
    task.overflow[atomicAdd(task.overflow_count, 1)] = task.row(p);
  }
}

/// Moves rows from the slab to the pattern; skips rows that are not in the slab.
struct MoveRowBody {
  SearchTask task;
  Offset const* offsets;
  Index* column;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index p) const {
    auto const begin = offsets[task.row(p)], size = offsets[task.row(p) + 1] - begin;
    if (size > task.stride) return;
    Index const* const from = task.slab + static_cast<Offset>(p) * task.stride;
    for (Offset k = group.lane; k < size; k += Group::size) column[begin + k] = from[k];
  }
};

using LargestSearch = SearchShape<256, 2048>;
static_assert(LargestSearch::capacity >= largest_row);

template <class Shape>
void search_rows(Cuda const& space, GroupSearch const& search, SearchTask const& task) {
  auto const groups = static_cast<unsigned>(Shape::groups);
  search_kernel<Shape><<<(task.count + groups - 1) / groups, Shape::threads, 0, space.stream>>>(search, task);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

/// Sizes of a sample of rows, ascending.
inline std::vector<Index> sample_sizes(Cuda const& space, GroupSearch const& search, Index rows) {
  auto const step = std::max<Index>(1, rows / 1024), samples = (rows + step - 1) / step;
  Array<Index, Cuda> sizes(space, samples);
  search_rows<LargestSearch>(space, search,
                             {samples, step, nullptr, sizes.data(), 0, nullptr, nullptr, nullptr});
  auto result = core::to_vector(space, sizes.span());
  std::sort(result.begin(), result.end());
  return result;
}

/// Calls work(shape) with the smallest shape whose tables hold rows of `max_size` columns.
template <class Work>
void with_search_shape(Index max_size, Work const& work) {
  auto const with = [&](auto shape) {
    if (max_size <= decltype(shape)::capacity) work(shape);
    return max_size <= decltype(shape)::capacity;
  };
  with(SearchShape<8, 64>{}) || with(SearchShape<16, 128>{}) || with(SearchShape<32, 256>{}) ||
      with(SearchShape<128, 1024>{}) || (work(LargestSearch{}), true);
}

}  // namespace detail

template <>
struct PatternSearch<Cuda> {
  static Pattern<Cuda> run(Cuda const& space, Search const& search, Index rows) {
    using detail::SearchTask;
    auto const n = static_cast<std::size_t>(rows);
    Pattern<Cuda> pattern{Array<Offset, Cuda>(space, n + 1), {}};
    core::fill(space, pattern.offsets.span(), 0);
    if (rows == 0) return pattern;
    auto const average = static_cast<double>(search.filtered.column.size()) / search.filtered.rows;
    detail::GroupSearch const groups{search, average <= 5 ? 4 : average <= 10 ? 8 : average <= 20 ? 16 : 32};
    auto const sizes = detail::sample_sizes(space, groups, rows);
    auto const max_size = sizes[sizes.size() - 1 - sizes.size() / 64];
    auto const total = std::accumulate(sizes.begin(), sizes.end(), std::size_t{0});
    Array<Index, Cuda> counts(space, n), overflow(space, n), overflow_count(space, 1);
    core::fill(space, overflow_count.span(), 0);
    Array<Index, Cuda> slab, large_slab;
    SearchTask task{rows, 1, nullptr, counts.data(), 0, nullptr, overflow.data(), overflow_count.data()};
    detail::with_search_shape(max_size, [&](auto shape) {
      // The stride is a sixteenth more than nearly all rows of the sample need, but at most four times the
      // average size.
      auto const wanted = std::min<std::size_t>(max_size + max_size / 16, 4 * total / sizes.size());
      task.stride = std::min<int>((static_cast<int>(wanted) + 7) / 8 * 8, decltype(shape)::capacity);
      slab = Array<Index, Cuda>(space, n * task.stride);
      task.slab = slab.data();
      detail::search_rows<decltype(shape)>(space, groups, task);
    });
    auto const large_rows = core::to_vector(space, overflow_count.view())[0];
    SearchTask large{large_rows,      1,       overflow.data(), counts.data(),
                     search.max_size, nullptr, nullptr,         nullptr};
    if (large.count > 0) {
      large_slab = Array<Index, Cuda>(space, static_cast<std::size_t>(large.count) * large.stride);
      large.slab = large_slab.data();
      detail::search_rows<detail::LargestSearch>(space, groups, large);
    }
    auto const entries = core::exclusive_scan(space, counts.view(), pattern.offsets.span());
    pattern.column = Array<Index, Cuda>(space, entries);
    for (auto const& part : {task, large})
      core::for_each_group(space, part.count, std::size_t{8} * part.count,
                           detail::MoveRowBody{part, pattern.offsets.data(), pattern.column.data()});
    return pattern;
  }
};

}  // namespace Tessera::fsai
