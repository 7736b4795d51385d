#pragma once
/// \file
/// Members of aggregates in order on CUDA: a warp takes an aggregate, each lane finds the places of its own.
#include "core/cuda_check.cuh"
#include "galerkin/members.hpp"

namespace Tessera::galerkin {
namespace detail {

struct SortMembersLaunch {
  static constexpr int threads = 256, lanes = 32;
  static constexpr int each = 4;  ///< members a lane keeps; larger aggregates are sorted by one lane
};

__global__ void __launch_bounds__(SortMembersLaunch::threads)
    sort_members_kernel(Index aggregates, Index const* offsets, Index* member) {
  constexpr int lanes = SortMembersLaunch::lanes, each = SortMembersLaunch::each;
  auto const a = static_cast<Index>(blockIdx.x * (SortMembersLaunch::threads / lanes) + threadIdx.x / lanes);
  if (a >= aggregates) return;
  Index* const list = member + offsets[a];
  Index const size = offsets[a + 1] - offsets[a];
  int const lane = static_cast<int>(threadIdx.x) % lanes;
  if (size > lanes * each) {
    if (lane == 0) sort_ascending(list, size);
    return;
  }
  Index mine[each], place[each];
#pragma unroll
  for (int q = 0; q < each; ++q) {
    mine[q] = lane + q * lanes < size ? list[lane + q * lanes] : 0;
    place[q] = 0;
  }
  for (Index f = 0; f < size; ++f) {
    Index const other = list[f];
#pragma unroll
    for (int q = 0; q < each; ++q) place[q] += other < mine[q] ? 1 : 0;
  }
  __syncwarp();
#pragma unroll
  for (int q = 0; q < each; ++q) {
    if (lane + q * lanes < size) list[place[q]] = mine[q];
  }
}

}  // namespace detail

inline void sort_members(Cuda const& space, Members<Cuda>& members) {
  auto const aggregates = static_cast<Index>(members.offsets.size() - 1);
  if (aggregates == 0) return;
  constexpr auto groups =
      static_cast<unsigned>(detail::SortMembersLaunch::threads / detail::SortMembersLaunch::lanes);
  detail::sort_members_kernel<<<(static_cast<unsigned>(aggregates) + groups - 1) / groups,
                                detail::SortMembersLaunch::threads, 0, space.stream>>>(
      aggregates, members.offsets.data(), members.member.data());
  TESSERA_CUDA_CHECK(cudaGetLastError());
}

}  // namespace Tessera::galerkin
