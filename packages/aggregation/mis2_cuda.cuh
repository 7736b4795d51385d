#pragma once
/// \file
/// Algorithm 5 in one cooperative kernel: the rounds are short, so that launches and the host's looking at
/// the lengths of lists would take most of the time. For a graph without ghosts.
#include <cooperative_groups.h>

#include <algorithm>

#include "aggregation/mis2_body.hpp"
#include "core/cuda_check.cuh"
#include "sparse/row_entries.hpp"

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

/// The steps of mis2_body.hpp with a group of threads a vertex, each lane some of its edges: coarse graphs
/// have few vertices with many edges.
template <int Lanes>
struct Mis2Group {
  sparse::ThreadGroup<Lanes> group;
  Mis2View graph;

  __device__ bool any(bool yes) const { return (__ballot_sync(group.mask, yes) & group.mask) != 0; }

  /// Mis2PropagateBody. Words that tie are those of vertices that are out, and these never become members.
  __device__ void propagate(Index v) const {
    std::uint64_t best = graph.word[v];
    Index column = v;
    auto const take = [&](std::uint64_t word, Index of) {
      if (word > best) {
        best = word;
        column = of;
      }
    };
    for (auto e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Lanes) {
      Index const u = graph.neighbour[e];
      take(graph.word[u], u);
    }
    for (int distance = Lanes / 2; distance > 0; distance /= 2) {
      auto const word = __shfl_down_sync(group.mask, best, distance, Lanes);
      take(word, __shfl_down_sync(group.mask, column, distance, Lanes));
    }
    if (group.lane != 0) return;
    graph.best[v] = best;
    graph.best_column[v] = column;
  }
  /// Mis2ElectBody.
  __device__ void elect(Index v) const {
    std::uint64_t const mine = graph.word[v];
    if (graph.best[v] != mine) return;
    bool loses = false;
    for (auto e = graph.offsets[v] + group.lane; !loses && e < graph.offsets[v + 1]; e += Lanes)
      loses = graph.best[graph.neighbour[e]] > mine;
    if (!any(loses) && group.lane == 0) graph.word[v] = mis2_word::in;
  }
  /// Mis2UpdateBody; whether v stays undecided.
  __device__ bool update(Index v, VertexId const* ids, int seed, int round) const {
    if (graph.word[v] == mis2_word::in) return false;
    bool covered = graph.best[v] == mis2_word::in;
    for (auto e = graph.offsets[v] + group.lane; !covered && e < graph.offsets[v + 1]; e += Lanes)
      covered = graph.best[graph.neighbour[e]] == mis2_word::in;
    covered = any(covered);
    if (group.lane == 0) graph.word[v] = covered ? mis2_word::out : mis2_word::undecided(ids[v], seed, round);
    return !covered;
  }
};

/// Calls work(k, k < size) for all k below size and some beyond, by groups of Lanes threads, the same number
/// of times in all threads of a block.
template <int Lanes, class Work>
__device__ void for_whole_blocks(Index size, Work const& work) {
  auto const groups = static_cast<Index>(blockDim.x) / Lanes;
  auto const stride = static_cast<Offset>(gridDim.x) * groups;
  for (Offset begin = static_cast<Offset>(blockIdx.x) * groups; begin < size; begin += stride) {
    auto const k = begin + static_cast<Index>(threadIdx.x) / Lanes;
    work(static_cast<Index>(k), k < size);
  }
}

template <int Lanes, class Body>
__device__ void for_list(Index size, Body const& body) {
  auto const groups = static_cast<Index>(blockDim.x) / Lanes;
  auto const stride = static_cast<Offset>(gridDim.x) * groups;
  for (auto k = static_cast<Offset>(blockIdx.x) * groups + static_cast<Index>(threadIdx.x) / Lanes; k < size;
       k += stride)
    body(static_cast<Index>(k));
}

struct Mis2Launch {
  static constexpr int threads = 512, blocks_per_processor = 2;
  static constexpr int turns_of_groups = 8;  ///< up to which a list is short
};

template <int Lanes>
__global__ void __launch_bounds__(Mis2Launch::threads, Mis2Launch::blocks_per_processor)
    mis2_kernel(Index vertices, Mis2View view, Mis2Lists lists, VertexId const* ids,
                unsigned char const* candidate, int seed, Mis2State* state) {
  auto const grid = cooperative_groups::this_grid();
  Mis2Group<Lanes> const wide{{}, view};
  Mis2Group<1> const single{{}, view};
  auto const is_short = [&](Index size) {
    return size <= Mis2Launch::turns_of_groups * static_cast<Offset>(grid.num_threads() / Lanes);
  };
  Mis2BeginBody const begin{view, ids, candidate, seed};
  ExistsPredicate const exists{candidate};
  for_whole_blocks<1>(vertices, [&](Index v, bool inside) {
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
    if (is_short(active_size)) {
      for_list<Lanes>(active_size, [&](Index k) { wide.propagate(active[k]); });
    } else {
      for_list<1>(active_size, [&](Index k) { single.propagate(active[k]); });
    }
    grid.sync();
    if (is_short(undecided_size)) {
      for_list<Lanes>(undecided_size, [&](Index k) { wide.elect(undecided[k]); });
    } else {
      for_list<1>(undecided_size, [&](Index k) { single.elect(undecided[k]); });
    }
    if (grid.thread_rank() == 0)
      lists.undecided_size[(round + 1) % 3] = lists.active_size[(round + 1) % 3] = 0;
    grid.sync();
    Mis2AdjacentBody const adjacent{view, active};
    for_whole_blocks<1>(active_size, [&](Index k, bool inside) {
      if (inside) adjacent(k);
      Index const v = inside ? active[k] : 0;
      append(inside && mis2_word::is_undecided(view.best[v]), v, lists.active[1 - now],
             lists.active_size + next);
    });
    grid.sync();
    auto const update = [&](auto const& steps, Index k, bool inside) {
      Index const v = inside ? undecided[k] : 0;
      bool const stays = inside && steps.update(v, ids, seed, round);
      append(stays && steps.group.lane == 0, v, lists.undecided[1 - now], lists.undecided_size + next);
    };
    if (is_short(undecided_size)) {
      for_whole_blocks<Lanes>(undecided_size, [&](Index k, bool inside) { update(wide, k, inside); });
    } else {
      for_whole_blocks<1>(undecided_size, [&](Index k, bool inside) { update(single, k, inside); });
    }
    grid.sync();
  }
  for_list<1>(vertices, Mis2StateBody{view.word, state});
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
  auto const most = static_cast<std::size_t>(processors) * Mis2Launch::blocks_per_processor;
  auto const* id = ids.data();
  auto const* exists = candidate.empty() ? nullptr : candidate.data();
  auto* result = state.data();
  void* arguments[] = {&vertices, &view, &lists, &id, &exists, &seed, &result};
  sparse::detail::with_lanes(vertices, graph.neighbour.size(), [&](auto lanes) {
    constexpr int width = decltype(lanes)::value;
    auto const needed = (n * width + Mis2Launch::threads - 1) / Mis2Launch::threads;
    TESSERA_CUDA_CHECK(cudaLaunchCooperativeKernel(mis2_kernel<width>,
                                                   static_cast<unsigned>(std::min(needed, most)),
                                                   Mis2Launch::threads, arguments, 0, space.stream));
  });
  return true;
}

}  // namespace Tessera::aggregation
