#pragma once
/// \file
/// Threads that work on one row together: part of a warp, a warp or a block.
#include "core/types.hpp"

namespace Tessera::sparse {

/// Size: a power of two; up to 32 consecutive lanes of a warp, else the whole block.
template <int Size>
struct ThreadGroup {
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
  /// How many lanes say yes; the same number for all of them.
  __device__ int count(bool yes) const {
    if constexpr (within_warp) {
      return __popc(__ballot_sync(mask, yes) & mask);
    } else {
      return __syncthreads_count(yes);
    }
  }
  /// Sum over the lanes up to this one. scratch: one number a warp of the group, for groups beyond a warp.
  __device__ Offset inclusive_scan(Offset value, Offset* scratch) const {
    constexpr int width = within_warp ? Size : 32;
    int const l = lane % width;
    for (int distance = 1; distance < width; distance *= 2) {
      Offset const before = __shfl_up_sync(mask, value, distance, width);
      if (l >= distance) value += before;
    }
    if constexpr (!within_warp) {
      if (l == 31) scratch[lane / 32] = value;
      __syncthreads();
      for (int w = 0; w < lane / 32; ++w) value += scratch[w];
    }
    return value;
  }
};

}  // namespace Tessera::sparse
