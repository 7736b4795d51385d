#pragma once
/// \file
/// Algorithm 5 in one cooperative kernel: the rounds are short, so that launches and the host's looking at
/// the lengths of lists would take most of the time. For a graph without ghosts.
#include <cooperative_groups.h>

#include <algorithm>

#include "aggregation/mis2_body.hpp"
#include "core/cuda_check.cuh"

namespace Tessera::aggregation {

/// Lists of vertices by turns of rounds. Their order differs from run to run; the bodies do not care.
struct Mis2Lists {
  Index *undecided[2], *active[2];
  Index *undecided_size, *active_size;  ///< three each: of this round, of the next, and one to be cleared
};

/// Appends v to a list where `yes`; called by the whole block.
__device__ inline void append(bool yes, Index v, Index* list, Index* size) {
  __shared__ Index total, base;
  if (threadIdx.x == 0) total = 0;
  __syncthreads();
  auto const votes = __ballot_sync(0xffffffffu, yes);
  int const lane = static_cast<int>(threadIdx.x) % 32;
  Index place = 0;
  if (lane == 0 && votes != 0) place = atomicAdd(&total, __popc(votes));
  place = __shfl_sync(0xffffffffu, place, 0) + __popc(votes & ((1u << lane) - 1u));
  __syncthreads();
  if (threadIdx.x == 0 && total > 0) base = atomicAdd(size, total);
  __syncthreads();
  if (yes) list[base + place] = v;
}

/// Calls work(k, k < size) for all k below size and some beyond, the same number of times in all threads.
template <class Work>
__device__ void for_whole_blocks(Index size, Work const& work) {
  auto const stride = static_cast<Offset>(gridDim.x) * blockDim.x;
  for (Offset begin = static_cast<Offset>(blockIdx.x) * blockDim.x; begin < size; begin += stride) {
    auto const k = begin + threadIdx.x;
    work(static_cast<Index>(k), k < size);
  }
}

template <class Body>
__device__ void for_list(Index size, Body const& body) {
  auto const stride = static_cast<Offset>(gridDim.x) * blockDim.x;
  for (auto k = static_cast<Offset>(blockIdx.x) * blockDim.x + threadIdx.x; k < size; k += stride)
    body(static_cast<Index>(k));
}

struct Mis2Launch {
  static constexpr int threads = 512, blocks_per_processor = 2;
};

__global__ void __launch_bounds__(Mis2Launch::threads, Mis2Launch::blocks_per_processor)
    mis2_kernel(Index vertices, Mis2View view, Mis2Lists lists, VertexId const* ids,
                unsigned char const* candidate, int seed, Mis2State* state) {
  auto const grid = cooperative_groups::this_grid();
  Mis2BeginBody const begin{view, ids, candidate, seed};
  ExistsPredicate const exists{candidate};
  for_whole_blocks(vertices, [&](Index v, bool inside) {
    if (inside) begin(v);
    append(inside && mis2_word::is_undecided(view.word[v]), v, lists.undecided[0], lists.undecided_size);
    append(inside && exists(v), v, lists.active[0], lists.active_size);
  });
  grid.sync();
  for (int round = 1;; ++round) {
    int const now = (round - 1) % 2, here = (round - 1) % 3, next = round % 3;
    Index const* const undecided = lists.undecided[now];
    Index const* const active = lists.active[now];
    Index const undecided_size = lists.undecided_size[here], active_size = lists.active_size[here];
    if (undecided_size == 0) break;
    for_list(active_size, Mis2PropagateBody{view, active});
    grid.sync();
    for_list(undecided_size, Mis2ElectBody{view, undecided});
    if (grid.thread_rank() == 0)
      lists.undecided_size[(round + 1) % 3] = lists.active_size[(round + 1) % 3] = 0;
    grid.sync();
    Mis2AdjacentBody const adjacent{view, active};
    for_whole_blocks(active_size, [&](Index k, bool inside) {
      if (inside) adjacent(k);
      Index const v = inside ? active[k] : 0;
      append(inside && mis2_word::is_undecided(view.best[v]), v, lists.active[1 - now],
             lists.active_size + next);
    });
    grid.sync();
    Mis2UpdateBody const update{view, ids, undecided, seed, round};
    for_whole_blocks(undecided_size, [&](Index k, bool inside) {
      if (inside) update(k);
      Index const v = inside ? undecided[k] : 0;
      append(inside && mis2_word::is_undecided(view.word[v]), v, lists.undecided[1 - now],
             lists.undecided_size + next);
    });
    grid.sync();
  }
  for_list(vertices, Mis2StateBody{view.word, state});
}

inline bool mis2_without_ghosts(Cuda const& space, StrengthGraph<Cuda> const& graph, Span<VertexId const> ids,
                                Span<unsigned char const> candidate, int seed, Span<Mis2State> state) {
  auto vertices = graph.nodes();
  if (vertices == 0) return true;
  auto const n = static_cast<std::size_t>(vertices);
  Array<std::uint64_t, Cuda> word(space, n), best(space, n);
  Array<Index, Cuda> best_column(space, n), list(space, 4 * n), size(space, 6);
  core::fill(space, size.span(), 0);
  Mis2View view{graph.offsets.data(), graph.neighbour.data(), word.data(), best.data(), best_column.data()};
  Mis2Lists lists{{list.data(), list.data() + n},
                  {list.data() + 2 * n, list.data() + 3 * n},
                  size.data(),
                  size.data() + 3};
  int processors = 0;
  TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
  auto const needed = (n + Mis2Launch::threads - 1) / Mis2Launch::threads;
  auto const most = static_cast<std::size_t>(processors) * Mis2Launch::blocks_per_processor;
  auto const* id = ids.data();
  auto const* exists = candidate.empty() ? nullptr : candidate.data();
  auto* result = state.data();
  void* arguments[] = {&vertices, &view, &lists, &id, &exists, &seed, &result};
  TESSERA_CUDA_CHECK(cudaLaunchCooperativeKernel(mis2_kernel, static_cast<unsigned>(std::min(needed, most)),
                                                 Mis2Launch::threads, arguments, 0, space.stream));
  return true;
}

}  // namespace Tessera::aggregation
