#pragma once
/// \file
/// Groups of threads on CUDA: part of a warp, a warp or a block. See group.hpp.
#include <type_traits>

#include "core/cuda_check.cuh"
#include "core/group.hpp"
#include "core/shuffle.cuh"

namespace Tessera::core {

/// Size: a power of two. Up to 32: consecutive lanes of a warp; otherwise the whole block, which has only
/// sync, count and inclusive_scan.
template <int Size>
struct ThreadGroup {
  static constexpr int size = Size;
  static constexpr bool within_warp = Size <= 32;
  int lane;
  unsigned mask;  ///< the group's lanes in its warp

  __device__ ThreadGroup() : lane(static_cast<int>(threadIdx.x) % Size), mask(0xffffffffu) {
    if (Size < 32) mask = ((1u << (Size % 32)) - 1u) << (threadIdx.x % 32 / Size * Size);
  }
  __device__ void sync() const {
    if constexpr (within_warp) {
      __syncwarp(mask);
    } else {
      __syncthreads();
    }
  }
  __device__ int count(bool yes) const {
    if constexpr (within_warp) {
      return __popc(ballot(yes));
    } else {
      return __syncthreads_count(yes);
    }
  }
  __device__ bool any(bool yes) const { return ballot(yes) != 0; }
  __device__ int count_before(bool yes, int& count) const {
    auto const votes = ballot(yes);
    count = __popc(votes);
    return __popc(votes & before());
  }
  template <class Key>
  __device__ int count_same_before(Key key) const {
    return __popc(__match_any_sync(mask, key) & before());
  }
  template <class T>
  __device__ T broadcast(T x, int from) const {
    return by_words(x, [&](auto word) { return __shfl_sync(mask, word, from, Size); });
  }
  template <class T, class Op>
  __device__ T reduce(T x, Op const& op) const {
    for (int distance = Size / 2; distance > 0; distance /= 2)
      x = op(x, by_words(x, [&](auto word) { return __shfl_xor_sync(mask, word, distance, Size); }));
    return x;
  }
  template <class T>
  __device__ T sum(T x) const {
    return reduce(x, Plus{});
  }
  /// scratch: one number for each warp, for groups of more than a warp.
  template <class T>
  __device__ T inclusive_scan(T x, T* scratch = nullptr) const {
    constexpr int width = within_warp ? Size : 32;
    int const l = lane % width;
    for (int distance = 1; distance < width; distance *= 2) {
      T const y = __shfl_up_sync(mask, x, distance, width);
      if (l >= distance) x += y;
    }
    if constexpr (!within_warp) {
      if (l == 31) scratch[lane / 32] = x;
      __syncthreads();
      for (int w = 0; w < lane / 32; ++w) x += scratch[w];
    }
    return x;
  }

 private:
  __device__ unsigned ballot(bool yes) const {
    static_assert(within_warp);
    return __ballot_sync(mask, yes) & mask;
  }
  __device__ unsigned before() const { return (1u << (threadIdx.x % 32)) - 1u; }
};

/// The group type with this number of lanes.
template <int Lanes>
using GroupOf = std::conditional_t<Lanes == 1, SingleThread, ThreadGroup<Lanes>>;

namespace detail {

template <int Lanes, int Threads, class Body>
__global__ void __launch_bounds__(Threads) for_each_group_kernel(Index n, Body body) {
  auto const i = static_cast<Index>(blockIdx.x * (Threads / Lanes) + threadIdx.x / Lanes);
  if (i < n) body(GroupOf<Lanes>{}, i);
}

/// Calls work(integral_constant) with the lanes of a group, chosen from the average steps of a body.
template <class Work>
void with_lanes(std::size_t n, std::size_t steps, Work const& work) {
  auto const average = n == 0 ? 0.0 : static_cast<double>(steps) / static_cast<double>(n);
  if (average <= 5) {
    work(std::integral_constant<int, 4>{});
  } else if (average <= 10) {
    work(std::integral_constant<int, 8>{});
  } else if (average <= 20) {
    work(std::integral_constant<int, 16>{});
  } else {
    work(std::integral_constant<int, 32>{});
  }
}

}  // namespace detail

template <int Lanes, int Threads, class Body>
void for_each_group(Cuda const& space, std::size_t n, GroupShape<Lanes, Threads>, Body const& body) {
  static_assert(std::is_trivially_copyable_v<Body>, "a body must be a struct of views");
  if (n == 0) return;
  constexpr std::size_t groups = Threads / Lanes;
  detail::for_each_group_kernel<Lanes, Threads>
      <<<static_cast<unsigned>((n + groups - 1) / groups), Threads, 0, space.stream>>>(static_cast<Index>(n),
                                                                                       body);
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

template <class Body>
void for_each_group(Cuda const& space, std::size_t n, std::size_t work, Body const& body) {
  detail::with_lanes(
      n, work, [&](auto lanes) { for_each_group(space, n, GroupShape<decltype(lanes)::value>{}, body); });
}

}  // namespace Tessera::core
