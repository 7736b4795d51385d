#pragma once
/// \file
/// Lists of vertices on CUDA, and all rounds in one cooperative kernel, where the order of a list differs
/// from run to run. See frontier.hpp.
#include <cooperative_groups.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/cuda_check.cuh"
#include "sparse/engine/frontier.hpp"

namespace Tessera::sparse {

struct FrontierLaunch {
  static constexpr int threads = 512, blocks_per_processor = 2;
  static constexpr int turns_of_groups = 8;  ///< up to which a list is short, and its vertices get groups
  static constexpr std::size_t short_list = 1 << 17;  ///< the same step by step: vertices
};

namespace detail {

/// What a body says of v, or of the vertices of a list.
template <class Body>
struct NoteBody {
  Index const* list;  ///< null: all vertices
  Body body;
  unsigned char* note;  ///< null: it says nothing
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index k) const {
    Index const v = list == nullptr ? k : list[k];
    if constexpr (std::is_void_v<decltype(call(body, group, v))>) {
      call(body, group, v);
    } else {
      auto const says = call(body, group, v);
      if (group.lane == 0) note[k] = static_cast<unsigned char>(says);
    }
  }
};

struct HasBit {
  unsigned char const* note;
  int bit;
  TESSERA_HD bool operator()(Index k) const { return (note[k] >> bit & 1) != 0; }
};

struct TakeListed {
  Index const *list, *chosen;
  Index* target;
  TESSERA_HD void operator()(Index k) const { target[k] = list[chosen[k]]; }
};

}  // namespace detail

template <int Count>
class VertexLists<Cuda, Count> {
 public:
  template <class Begin>
  VertexLists(Cuda const& space, GraphSize const& graph, Span<Index const> among, Begin const& begin)
      : graph_(graph) {
    auto const n = among.empty() ? graph.vertices : among.size();
    Array<unsigned char, Cuda> note(space, n);
    core::for_each_group(space, n, core::GroupShape<1>{},
                         detail::NoteBody<Begin>{among.data(), begin, note.data()});
    for (int l = 0; l < Count; ++l) {
      list_[l] = Array<Index, Cuda>(space, n);
      size_[l] = core::select(space, n, detail::HasBit{note.data(), l}, list_[l].span());
      if (!among.empty())
        core::for_each(space, size_[l], detail::TakeListed{among.data(), list_[l].data(), list_[l].data()});
    }
  }
  template <int List, class Body>
  void visit(Cuda const& space, Body const& body) {
    take<List>(space, body, nullptr);
  }
  template <int List, class Body>
  void keep(Cuda const& space, Body const& body) {
    Array<unsigned char, Cuda> note(space, size_[List]);
    Array<Index, Cuda> chosen(space, size_[List]), kept(space, size_[List]);
    take<List>(space, body, note.data());
    size_[List] = core::select(space, size_[List], detail::HasBit{note.data(), 0}, chosen.span());
    core::for_each(space, size_[List], detail::TakeListed{list_[List].data(), chosen.data(), kept.data()});
    list_[List] = std::move(kept);
  }
  std::size_t size(int list) const { return size_[list]; }
  Span<Index const> view(int list) const { return list_[list].view().part(0, size_[list]); }

 private:
  template <int List, class Body>
  void take(Cuda const& space, Body const& body, unsigned char* note) {
    auto const size = size_[List];
    detail::NoteBody<Body> const listed{list_[List].data(), body, note};
    if constexpr (detail::takes_group<Body>) {
      if (size <= FrontierLaunch::short_list)
        return core::for_each_group(space, size, graph_.edges_of(size), listed);
    }
    core::for_each_group(space, size, core::GroupShape<1>{}, listed);
  }

  GraphSize graph_;
  std::array<Array<Index, Cuda>, Count> list_;
  std::array<std::size_t, Count> size_;
};

namespace detail {

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

/// work(k, k < size) for all k below size and some beyond, by groups of Lanes threads, the same number of
/// times in all threads of a block.
template <int Lanes, class Work>
__device__ void for_whole_blocks(Index size, Work const& work) {
  auto const groups = static_cast<Index>(blockDim.x) / Lanes;
  auto const stride = static_cast<Offset>(gridDim.x) * groups;
  for (Offset begin = static_cast<Offset>(blockIdx.x) * groups; begin < size; begin += stride) {
    auto const k = begin + static_cast<Index>(threadIdx.x) / Lanes;
    work(static_cast<Index>(k), k < size);
  }
}

/// A list by turns: a step that keeps some of its vertices writes them to the other half.
struct TurningList {
  Index* half[2];
  Index* size;  ///< three: of this turn, of the next, and one to be cleared
};

template <int Count>
struct TurningLists {
  TurningList list[Count];
};

/// A step for all vertices of its list, by groups of so many threads.
template <int Lanes, bool Keeps, class Body>
__device__ void take_step(Body const& body, TurningList const& list, int turn) {
  core::GroupOf<Lanes> const group{};
  Index const* const vertices = list.half[turn % 2];
  Index* const kept = list.half[(turn + 1) % 2];
  Index* const kept_size = list.size + (turn + 1) % 3;
  for_whole_blocks<Lanes>(list.size[turn % 3], [&](Index k, bool inside) {
    Index const v = inside ? vertices[k] : 0;
    if constexpr (Keeps) {
      bool const stays = inside && call(body, group, v);
      append(stays && group.lane == 0, v, kept, kept_size);
    } else {
      if (inside) call(body, group, v);
    }
  });
}

/// Groups where the list is short.
template <int Lanes, int List, bool Keeps, class Body>
__device__ void take_step(FrontierStep<List, Keeps, Body> const& step, TurningList const& list, int turn,
                          int round) {
  constexpr int wide = takes_group<Body, int> ? Lanes : 1;
  InRound<Body> const body{step.body, round};
  auto const groups = static_cast<Offset>(gridDim.x) * blockDim.x / Lanes;
  if (wide > 1 && list.size[turn % 3] <= FrontierLaunch::turns_of_groups * groups) {
    take_step<wide, Keeps>(body, list, turn);
  } else {
    take_step<1, Keeps>(body, list, turn);
  }
}

template <int Lanes, int Count, class Begin, class... Steps>
__global__ void __launch_bounds__(FrontierLaunch::threads, FrontierLaunch::blocks_per_processor)
    frontier_kernel(Index n, Index const* among, TurningLists<Count> lists, Begin begin, Steps... steps) {
  auto const grid = cooperative_groups::this_grid();
  int turn[Count] = {};
  for_whole_blocks<1>(n, [&](Index k, bool inside) {
    Index const v = !inside ? 0 : among == nullptr ? k : among[k];
    unsigned const bits = inside ? static_cast<unsigned>(begin(v)) : 0u;
#pragma unroll
    for (int l = 0; l < Count; ++l)
      append((bits >> l & 1u) != 0, v, lists.list[l].half[0], lists.list[l].size);
  });
  grid.sync();
  for (int round = 0; lists.list[0].size[turn[0] % 3] != 0; ++round) {
    auto const take = [&](auto const& step) {
      using Step = std::decay_t<decltype(step)>;
      auto const& list = lists.list[Step::list];
      int& now = turn[Step::list];
      take_step<Lanes>(step, list, now, round);
      if (Step::keeps) {
        if (grid.thread_rank() == 0) list.size[(now + 2) % 3] = 0;
        ++now;
      }
      grid.sync();
    };
    (take(steps), ...);
  }
}

}  // namespace detail

template <>
struct Frontier<Cuda> {
  template <class Begin, class... Steps>
  static FrontierRun run(Cuda const& space, GraphSize const& graph, Span<Index const> among,
                         FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
    if (ranks != nullptr) return detail::run_step_by_step(space, graph, among, ranks, begin, steps...);
    run_in_one_kernel(space, graph, among, begin, steps...);
    return {true, 0};
  }

 private:
  template <class Begin, class... Steps>
  static void run_in_one_kernel(Cuda const& space, GraphSize const& graph, Span<Index const> among,
                                Begin begin, Steps... steps) {
    constexpr int count = detail::lists_of<Steps...>;
    auto const n = among.empty() ? graph.vertices : among.size();
    if (n == 0) return;
    Array<Index, Cuda> list(space, 2 * count * n), size(space, 3 * count);
    core::fill(space, size.span(), 0);
    detail::TurningLists<count> lists;
    for (int l = 0; l < count; ++l) {
      auto* const first = list.data() + 2 * l * n;
      lists.list[l] = {{first, first + n}, size.data() + 3 * l};
    }
    auto vertices = static_cast<Index>(n);
    auto const* vertex = among.data();
    int processors = 0;
    TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
    void* arguments[] = {&vertices, &vertex, &lists, &begin, &steps...};
    core::detail::with_lanes(graph.vertices, graph.edges, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      auto const needed = (n * width + FrontierLaunch::threads - 1) / FrontierLaunch::threads;
      auto const most = static_cast<std::size_t>(processors) * FrontierLaunch::blocks_per_processor;
      TESSERA_CUDA_CHECK(cudaLaunchCooperativeKernel(detail::frontier_kernel<width, count, Begin, Steps...>,
                                                     static_cast<unsigned>(std::min(needed, most)),
                                                     FrontierLaunch::threads, arguments, 0, space.stream));
    });
  }
};

}  // namespace Tessera::sparse
