#pragma once
/// \file
/// The dense systems on CUDA: rows are listed by size, and each range of sizes has its kernel. Two looks of
/// the host: at how many rows there are of each size, and at whether a row failed.
#include <algorithm>
#include <climits>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/parallel.hpp"
#include "core/shared_memory.cuh"
#include "fsai/block_systems_cuda.cuh"
#include "fsai/row_systems.hpp"
#include "fsai/small_systems_cuda.cuh"

namespace Tessera::fsai {
namespace detail {

/// Sizes 4 c + 1 to 4 c + 4 are of class c.
struct SizeClasses {
  static constexpr int count = largest_row / 4, threads = 256, rows_a_block = 2048;
  __device__ static int of(PatternView const& pattern, Index r) {
    return static_cast<int>(pattern.offsets[r + 1] - pattern.offsets[r] - 1) / 4;
  }
  /// visit(r, class) for the rows of the block.
  template <class Visit>
  __device__ static void for_rows(PatternView const& pattern, Visit const& visit) {
    auto const begin = static_cast<Index>(blockIdx.x) * rows_a_block;
    auto const end = min(pattern.rows, begin + rows_a_block);
    for (Index r = begin + static_cast<Index>(threadIdx.x); r < end; r += blockDim.x)
      visit(r, of(pattern, r));
  }
  /// How many rows of each class the block has.
  __device__ static void count_rows(PatternView const& pattern, int* counts) {
    for (int c = threadIdx.x; c < count; c += blockDim.x) counts[c] = 0;
    __syncthreads();
    for_rows(pattern, [=](Index, int c) { atomicAdd(counts + c, 1); });
    __syncthreads();
  }
};

static __global__ void __launch_bounds__(SizeClasses::threads)
    count_sizes_kernel(PatternView pattern, Index* counts) {
  __shared__ int local[SizeClasses::count];
  SizeClasses::count_rows(pattern, local);
  for (int c = threadIdx.x; c < SizeClasses::count; c += blockDim.x) {
    if (local[c] > 0) atomicAdd(counts + c, local[c]);
  }
}

/// next: where the next row of each class goes.
static __global__ void __launch_bounds__(SizeClasses::threads)
    list_rows_kernel(PatternView pattern, Index* next, Index* list) {
  __shared__ int local[SizeClasses::count];
  SizeClasses::count_rows(pattern, local);
  for (int c = threadIdx.x; c < SizeClasses::count; c += blockDim.x) {
    if (local[c] > 0) local[c] = atomicAdd(next + c, local[c]);
  }
  __syncthreads();
  SizeClasses::for_rows(pattern,
                        [list, places = local](Index r, int c) { list[atomicAdd(places + c, 1)] = r; });
}

/// What one launch takes: rows of at most `size` entries.
struct SizeRange {
  Index const* list;
  Index count;
  int size;
};

class SystemsLaunch {
 public:
  SystemsLaunch(Cuda const& space, RowTask const& task, std::size_t workspace)
      : space_(space), task_(task), workspace_(workspace) {
    auto const rows = task.A.rows;
    auto const average = rows == 0 ? 0.0 : static_cast<double>(task.A.column.size()) / rows;
    width_ = average <= 12 ? 8 : average <= 24 ? 16 : 32;
  }
  /// Bytes that systems beyond shared memory took.
  std::size_t bytes() const { return large_.bytes(); }

  void operator()(SizeRange const& range) {
    if (range.count == 0) return;
    switch (range.size) {
      case 8:
        return small<SmallSystem<4, 2>>(range);
      case 16:
        return small<SmallSystem<4, 4>>(range);
      case 24:
        return warp<3>(range);
      case 32:
        return warp<4>(range);
      case 48:
        return warp<6>(range);
      case 64:
        return warp<8>(range);
      default:
        return range.size <= largest_shared ? block(range) : large(range);
    }
  }

  /// Sizes at which ranges end.
  static std::vector<int> range_ends() {
    return {8, 16, 24, 32, 48, 64, 96, 128, 160, 192, largest_shared, 384, 512, largest_row};
  }

 private:
  static constexpr int largest_shared = 224;

  RowTask task_of(SizeRange const& range) const {
    auto task = task_;
    task.list = range.list, task.count = range.count;
    return task;
  }
  template <class System>
  void small(SizeRange const& range) {
    constexpr int warps = System::Shape::warps, systems = warps * System::Shape::systems;
    small_rows_kernel<System>
        <<<(range.count + systems - 1) / systems, 32 * warps, 0, space_.stream>>>(task_of(range), width_);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  template <int Tiles>
  void warp(SizeRange const& range) {
    warp_rows_kernel<Tiles>
        <<<range.count, 32, BlockLayout{Tiles}.bytes(), space_.stream>>>(task_of(range), width_);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  void block(SizeRange const& range) {
    BlockLayout const layout{range.size / tile};
    auto const bytes = layout.bytes();
    core::allow_shared_memory(block_rows_kernel, bytes);
    block_rows_kernel<<<range.count, layout.threads(), bytes, space_.stream>>>(task_of(range), width_);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  void large(SizeRange const& range) {
    constexpr std::size_t blocks_that_run = 264;
    BlockLayout const layout{range.size / tile};
    auto const stride = static_cast<std::size_t>(layout.doubles());
    auto const fit = std::max<std::size_t>(workspace_ / (stride * sizeof(double)), 1);
    auto const blocks = std::min({fit, blocks_that_run, static_cast<std::size_t>(range.count)});
    if (large_.size() < blocks * stride) large_ = Array<double, Cuda>(space_, blocks * stride);
    large_rows_kernel<<<static_cast<unsigned>(blocks), large_threads, layout.bytes_beside(), space_.stream>>>(
        task_of(range), width_, large_.data(), stride);
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }

  Cuda space_;
  RowTask task_;
  std::size_t workspace_;
  int width_;
  Array<double, Cuda> large_;
};

/// Takes a row as though it were alone, so that the pivot is its own.
inline double failed_pivot(Cuda const& space, SystemsLaunch& launch, RowTask const& task, Index row,
                           int size) {
  auto const list = core::to_space(space, std::vector<Index>{row});
  for (int const end : SystemsLaunch::range_ends()) {
    if (size > end) continue;
    launch(SizeRange{list.data(), 1, end});
    break;
  }
  return core::to_vector(space, Span<DeviceFailure const>(task.failure, 1))[0].pivot;
}

}  // namespace detail

template <>
RowFailure solve_rows(Cuda const& space, LowerRows const& rows, PatternView pattern, Span<double> value,
                      std::size_t workspace) {
  using detail::SizeClasses;
  RowFailure result;
  if (pattern.rows == 0) return result;
  Array<Index, Cuda> counts(space, SizeClasses::count), list(space, pattern.rows);
  core::fill(space, counts.span(), 0);
  auto const blocks =
      static_cast<unsigned>((pattern.rows + SizeClasses::rows_a_block - 1) / SizeClasses::rows_a_block);
  detail::count_sizes_kernel<<<blocks, SizeClasses::threads, 0, space.stream>>>(pattern, counts.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
  auto next = core::to_vector(space, counts.span());
  Index before = 0;
  for (auto& n : next) before += std::exchange(n, before);
  core::copy(Host{}, Span<Index const>(next.data(), next.size()), space, counts.span());
  detail::list_rows_kernel<<<blocks, SizeClasses::threads, 0, space.stream>>>(pattern, counts.data(),
                                                                              list.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());

  auto failure = core::to_space(space, std::vector<detail::DeviceFailure>{{INT_MAX, 0.0}});
  detail::RowTask const task{rows.A, pattern, list.data(), pattern.rows, value.data(), failure.data()};
  detail::SystemsLaunch launch(space, task, workspace);
  int from = 0;
  for (int const size : detail::SystemsLaunch::range_ends()) {
    int const to = size / 4;
    auto const end = to == SizeClasses::count ? pattern.rows : next[to];
    launch({list.data() + next[from], end - next[from], size});
    from = to;
  }
  result.workspace = launch.bytes();
  auto const row = core::to_vector(space, failure.span())[0].row;
  if (row == INT_MAX) return result;
  auto const bounds = core::to_vector(space, pattern.offsets.part(row, 2));
  result.row = row;
  result.pivot = detail::failed_pivot(space, launch, task, row, static_cast<int>(bounds[1] - bounds[0]));
  return result;
}

}  // namespace Tessera::fsai
