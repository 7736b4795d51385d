#pragma once
/// \file
/// Scans and selections of short arrays by one block: CUB takes two launches, and some microseconds of the
/// host before them.
#include <cub/block/block_scan.cuh>

#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/space.hpp"
#include "core/types.hpp"

namespace Tessera::core {

struct ShortArrays {
  static constexpr int threads = 1024, items = 4;  ///< a thread's side by side
  static constexpr std::size_t most = 16384;       ///< longer ones are not short
};

namespace detail {

/// each(i, sum over all before i, number of i) for i <= n in the order of turns, where the number of n is 0;
/// returns the total. By a whole block.
template <class T, class Number, class Each>
__device__ T scan_by_block(Index n, Number const& number, Each const& each) {
  using Scan = cub::BlockScan<T, ShortArrays::threads>;
  __shared__ typename Scan::TempStorage storage;
  T before{};
  for (Index begin = 0; begin <= n; begin += ShortArrays::threads * ShortArrays::items) {
    Index const first = begin + static_cast<Index>(threadIdx.x) * ShortArrays::items;
    T own[ShortArrays::items], sum[ShortArrays::items], total{};
#pragma unroll
    for (int k = 0; k < ShortArrays::items; ++k) own[k] = first + k < n ? number(first + k) : T{};
    Scan(storage).ExclusiveSum(own, sum, total);
#pragma unroll
    for (int k = 0; k < ShortArrays::items; ++k) {
      if (first + k <= n) each(first + k, before + sum[k], own[k]);
    }
    before += total;
    __syncthreads();  // storage is free again
  }
  return before;
}

/// result: of the total; null: not wanted.
template <class Count, class T>
__global__ void __launch_bounds__(ShortArrays::threads)
    short_scan_kernel(Index n, Count const* counts, T* offsets, T* result) {
  T const total = scan_by_block<T>(
      n, [=](Index i) { return static_cast<T>(counts[i]); },
      [=](Index i, T before, T) { offsets[i] = before; });
  if (threadIdx.x == 0 && result != nullptr) *result = total;
}

template <class Predicate>
__global__ void __launch_bounds__(ShortArrays::threads)
    short_select_kernel(Index n, Predicate predicate, Index* chosen, long long* result) {
  auto const total = scan_by_block<Index>(
      n, [=](Index i) { return predicate(i) ? 1 : 0; },
      [=](Index i, Index before, Index is) {
        if (is != 0) chosen[before] = i;
      });
  if (threadIdx.x == 0) *result = total;
}

}  // namespace detail

template <class Count, class T>
void short_scan(Cuda const& space, Count const* counts, std::size_t n, T* offsets, T* result) {
  detail::short_scan_kernel<<<1, ShortArrays::threads, 0, space.stream>>>(static_cast<Index>(n), counts,
                                                                          offsets, result);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Predicate>
void short_select(Cuda const& space, std::size_t n, Predicate const& predicate, Index* chosen,
                  long long* result) {
  detail::short_select_kernel<<<1, ShortArrays::threads, 0, space.stream>>>(static_cast<Index>(n), predicate,
                                                                            chosen, result);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::core
