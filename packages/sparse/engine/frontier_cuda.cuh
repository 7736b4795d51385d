#pragma once
/// \file
/// Lists of vertices on CUDA, and all rounds in one cooperative kernel. The order of a list differs from run
/// to run. See frontier.hpp.
#include <cooperative_groups.h>

#include <array>

#include "core/cuda_check.cuh"
#include "sparse/engine/frontier.hpp"

namespace Tessera::sparse {

struct FrontierLaunch {
  static constexpr int threads = 512, blocks_per_processor = 2;
  static constexpr int turns_of_groups = 8;  ///< up to which a list is short, and its vertices get groups
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

template <int Lanes, class Body>
__device__ void visit_list(Index const* list, Index size, Body const& body) {
  auto const groups = static_cast<Index>(blockDim.x) / Lanes;
  auto const stride = static_cast<Offset>(gridDim.x) * groups;
  core::GroupOf<Lanes> const group{};
  for (auto k = static_cast<Offset>(blockIdx.x) * groups + static_cast<Index>(threadIdx.x) / Lanes; k < size;
       k += stride)
    call(body, group, list[k]);
}

template <int Lanes, class Body>
__device__ void keep_in_list(Index const* list, Index size, Body const& body, Index* kept, Index* kept_size) {
  core::GroupOf<Lanes> const group{};
  for_whole_blocks<Lanes>(size, [&](Index k, bool inside) {
    Index const v = inside ? list[k] : 0;
    bool const stays = inside && call(body, group, v);
    append(stays && group.lane == 0, v, kept, kept_size);
  });
}

/// Where the vertices of several lists go.
template <int Count>
struct ListEnds {
  Index* list[Count];
  Index* size[Count];
};

template <int Count, class Begin>
__device__ void begin_lists(Index n, Index const* among, Begin const& begin, ListEnds<Count> const& ends) {
  for_whole_blocks<1>(n, [&](Index k, bool inside) {
    Index const v = !inside ? 0 : among == nullptr ? k : among[k];
    unsigned const bits = inside ? static_cast<unsigned>(begin(v)) : 0u;
#pragma unroll
    for (int l = 0; l < Count; ++l) append((bits >> l & 1u) != 0, v, ends.list[l], ends.size[l]);
  });
}

template <int Count, class Begin>
__global__ void __launch_bounds__(FrontierLaunch::threads)
    begin_lists_kernel(Index n, Index const* among, Begin begin, ListEnds<Count> ends) {
  begin_lists(n, among, begin, ends);
}

template <int Lanes, class Body>
__global__ void __launch_bounds__(FrontierLaunch::threads)
    visit_list_kernel(Index const* list, Index size, Body body) {
  visit_list<Lanes>(list, size, body);
}

template <int Lanes, class Body>
__global__ void __launch_bounds__(FrontierLaunch::threads)
    keep_in_list_kernel(Index const* list, Index size, Body body, Index* kept, Index* kept_size) {
  keep_in_list<Lanes>(list, size, body, kept, kept_size);
}

inline int processors(Cuda const& space) {
  int count = 0;
  TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, space.device));
  return count;
}

}  // namespace detail

template <int Count>
class VertexLists<Cuda, Count> {
 public:
  template <class Begin>
  VertexLists(Cuda const& space, GraphSize const& graph, Span<Index const> among, Begin const& begin)
      : graph_(graph), processors_(detail::processors(space)), on_space_(space, Count) {
    auto const n = among.empty() ? graph.vertices : among.size();
    detail::ListEnds<Count> ends;
    for (int l = 0; l < Count; ++l) {
      list_[l] = Array<Index, Cuda>(space, n);
      ends.list[l] = list_[l].data();
      ends.size[l] = on_space_.data() + l;
    }
    core::fill(space, on_space_.span(), 0);
    if (n > 0)
      detail::begin_lists_kernel<<<blocks(n), FrontierLaunch::threads, 0, space.stream>>>(
          static_cast<Index>(n), among.data(), begin, ends);
    TESSERA_CUDA_CHECK(cudaGetLastError());
    core::copy(space, Span<Index const>(on_space_.view()), Host{}, Span<Index>(size_.data(), Count));
  }

  template <int List, class Body>
  void visit(Cuda const& space, Body const& body) {
    if (size_[List] == 0) return;
    with_lanes<Body>(List, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      detail::visit_list_kernel<width>
          <<<blocks(size(List) * width), FrontierLaunch::threads, 0, space.stream>>>(list_[List].data(),
                                                                                     size_[List], body);
    });
    TESSERA_CUDA_CHECK(cudaGetLastError());
  }
  template <int List, class Body>
  void keep(Cuda const& space, Body const& body) {
    if (size_[List] == 0) return;
    if (other_.size() < size(List)) other_ = Array<Index, Cuda>(space, list_[List].size());
    core::fill(space, on_space_.span().part(List, 1), 0);
    with_lanes<Body>(List, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      detail::keep_in_list_kernel<width>
          <<<blocks(size(List) * width), FrontierLaunch::threads, 0, space.stream>>>(
              list_[List].data(), size_[List], body, other_.data(), on_space_.data() + List);
    });
    TESSERA_CUDA_CHECK(cudaGetLastError());
    std::swap(list_[List], other_);
    core::copy(space, Span<Index const>(on_space_.view()).part(List, 1), Host{},
               Span<Index>(size_.data() + List, 1));
  }
  std::size_t size(int list) const { return static_cast<std::size_t>(size_[list]); }
  Span<Index const> view(int list) const { return list_[list].view().part(0, size(list)); }

 private:
  static unsigned blocks(std::size_t threads) {
    return static_cast<unsigned>((threads + FrontierLaunch::threads - 1) / FrontierLaunch::threads);
  }
  /// work(integral_constant) with the lanes of a group.
  template <class Body, class Work>
  void with_lanes(int list, Work const& work) const {
    core::detail::with_lanes(graph_.vertices, graph_.edges, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      auto const at_once = std::size_t{FrontierLaunch::threads} * FrontierLaunch::blocks_per_processor *
                           static_cast<std::size_t>(processors_);
      if constexpr (detail::takes_group<Body>) {
        if (size(list) * width <= FrontierLaunch::turns_of_groups * at_once) return work(lanes);
      }
      work(std::integral_constant<int, 1>{});
    });
  }

  GraphSize graph_;
  int processors_;
  std::array<Array<Index, Cuda>, Count> list_;
  Array<Index, Cuda> other_, on_space_;  ///< on_space_: sizes
  std::array<Index, Count> size_;
};

namespace detail {

/// A list by turns: a step that keeps some of its vertices writes them to the other half.
struct TurningList {
  Index* half[2];
  Index* size;  ///< three: of this turn, of the next, and one to be cleared
};

template <int Count>
struct TurningLists {
  TurningList list[Count];
};

template <int Lanes>
__device__ bool is_short(Index size) {
  auto const groups = static_cast<Offset>(gridDim.x) * blockDim.x / Lanes;
  return size <= FrontierLaunch::turns_of_groups * groups;
}

template <int Lanes, int List, class Body>
__device__ void take_step(Visit<List, Body> const& step, TurningList const& list, int& turn, int round) {
  InRound<Body> const body{step.body, round};
  Index const* const vertices = list.half[turn % 2];
  Index const size = list.size[turn % 3];
  if (takes_group<Body, int> && is_short<Lanes>(size)) {
    visit_list<takes_group<Body, int> ? Lanes : 1>(vertices, size, body);
  } else {
    visit_list<1>(vertices, size, body);
  }
}
template <int Lanes, int List, class Body>
__device__ void take_step(Keep<List, Body> const& step, TurningList const& list, int& turn, int round) {
  InRound<Body> const body{step.body, round};
  Index const* const vertices = list.half[turn % 2];
  Index* const kept = list.half[(turn + 1) % 2];
  Index const size = list.size[turn % 3];
  Index* const kept_size = list.size + (turn + 1) % 3;
  if (blockIdx.x == 0 && threadIdx.x == 0) list.size[(turn + 2) % 3] = 0;
  if (takes_group<Body, int> && is_short<Lanes>(size)) {
    keep_in_list<takes_group<Body, int> ? Lanes : 1>(vertices, size, body, kept, kept_size);
  } else {
    keep_in_list<1>(vertices, size, body, kept, kept_size);
  }
  ++turn;
}

template <int Lanes, int Count, class Begin, class... Steps>
__global__ void __launch_bounds__(FrontierLaunch::threads, FrontierLaunch::blocks_per_processor)
    frontier_kernel(Index n, Index const* among, TurningLists<Count> lists, Begin begin, Steps... steps) {
  auto const grid = cooperative_groups::this_grid();
  ListEnds<Count> ends;
  int turn[Count];
#pragma unroll
  for (int l = 0; l < Count; ++l) {
    ends.list[l] = lists.list[l].half[0];
    ends.size[l] = lists.list[l].size;
    turn[l] = 0;
  }
  begin_lists(n, among, begin, ends);
  grid.sync();
  for (int round = 0; lists.list[0].size[turn[0] % 3] != 0; ++round) {
    auto const take = [&](auto const& step) {
      constexpr int list = std::decay_t<decltype(step)>::list;
      take_step<Lanes>(step, lists.list[list], turn[list], round);
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
    void* arguments[] = {&vertices, &vertex, &lists, &begin, &steps...};
    core::detail::with_lanes(graph.vertices, graph.edges, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      auto const needed = (n * width + FrontierLaunch::threads - 1) / FrontierLaunch::threads;
      auto const most =
          static_cast<std::size_t>(detail::processors(space)) * FrontierLaunch::blocks_per_processor;
      TESSERA_CUDA_CHECK(cudaLaunchCooperativeKernel(detail::frontier_kernel<width, count, Begin, Steps...>,
                                                     static_cast<unsigned>(std::min(needed, most)),
                                                     FrontierLaunch::threads, arguments, 0, space.stream));
    });
  }
};

}  // namespace Tessera::sparse
