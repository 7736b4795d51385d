#pragma once
/// \file
/// Lists of vertices on CUDA, whose order differs from run to run, and all rounds in one cooperative kernel.
/// See frontier.hpp.
#include <cooperative_groups.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "core/cuda_check.cuh"
#include "core/pinned.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::sparse {

struct FrontierLaunch {
  static constexpr int threads = 512, blocks_per_processor = 2;
  static constexpr int turns_of_groups = 8;  ///< up to which a list is short, and its vertices get groups
};

namespace detail {

/// Appends v to a list if `yes`; the whole block calls this.
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

/// A double-buffered list: a step that keeps some vertices writes them to the other buffer.
struct BufferedList {
  Index* buffer[2];
  Index* size;  ///< three lengths: of this turn, of the next turn, and one to clear
};

template <int Count>
struct BufferedLists {
  BufferedList list[Count];
};

/// A step for all vertices of its list, by groups of `Lanes` threads.
template <int Lanes, bool Keeps, class Body>
__device__ void take_step(Body const& body, BufferedList const& list, int turn) {
  core::GroupOf<Lanes> const group{};
  Index const* const vertices = list.buffer[turn % 2];
  Index* const kept = list.buffer[(turn + 1) % 2];
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

/// The same; short lists get groups, long ones single threads.
template <int Lanes, bool Keeps, class Body>
__device__ void take_step_by_length(Body const& body, BufferedList const& list, int turn) {
  constexpr int wide = takes_group<Body> ? Lanes : 1;
  auto const groups = static_cast<Offset>(gridDim.x) * blockDim.x / Lanes;
  if (wide > 1 && list.size[turn % 3] <= FrontierLaunch::turns_of_groups * groups) {
    take_step<wide, Keeps>(body, list, turn);
  } else {
    take_step<1, Keeps>(body, list, turn);
  }
}

/// Appends each vertex to the lists that begin() returns.
template <int Count, class Begin>
__device__ void fill_lists(VertexSubset const& subset, BufferedLists<Count> const& lists,
                           Begin const& begin) {
  auto const n = subset.size == nullptr ? static_cast<Index>(subset.at_most) : *subset.size;
  for_whole_blocks<1>(n, [&](Index k, bool inside) {
    Index const v = !inside ? 0 : subset.list == nullptr ? k : subset.list[k];
    unsigned const bits = inside ? static_cast<unsigned>(begin(v)) : 0u;
#pragma unroll
    for (int l = 0; l < Count; ++l)
      append((bits >> l & 1u) != 0, v, lists.list[l].buffer[0], lists.list[l].size);
  });
}

template <int Count, class Begin>
__global__ void __launch_bounds__(FrontierLaunch::threads, FrontierLaunch::blocks_per_processor)
    begin_kernel(VertexSubset subset, BufferedLists<Count> lists, Begin begin) {
  fill_lists(subset, lists, begin);
}

template <int Lanes, bool Keeps, class Body>
__global__ void __launch_bounds__(FrontierLaunch::threads, FrontierLaunch::blocks_per_processor)
    step_kernel(Body body, BufferedList list, int turn) {
  take_step_by_length<Lanes, Keeps>(body, list, turn);
  if (Keeps && blockIdx.x == 0 && threadIdx.x == 0) list.size[(turn + 2) % 3] = 0;
}

template <int Lanes, int Count, class Begin, class... Steps>
__global__ void __launch_bounds__(FrontierLaunch::threads, FrontierLaunch::blocks_per_processor)
    frontier_kernel(VertexSubset subset, BufferedLists<Count> lists, Begin begin, Steps... steps) {
  auto const grid = cooperative_groups::this_grid();
  int turn[Count] = {};
  fill_lists(subset, lists, begin);
  grid.sync();
  for (int round = 0; lists.list[0].size[turn[0] % 3] != 0; ++round) {
    auto const take = [&](auto const& step) {
      using Step = std::decay_t<decltype(step)>;
      auto const& list = lists.list[Step::list];
      int& now = turn[Step::list];
      take_step_by_length<Lanes, Step::keeps>(InRound<decltype(step.body)>{step.body, round}, list, now);
      if (Step::keeps) {
        if (grid.thread_rank() == 0) list.size[(now + 2) % 3] = 0;
        ++now;
      }
      grid.sync();
    };
    (take(steps), ...);
  }
}

/// Memory of `Count` empty lists of at most n vertices.
template <int Count>
class ListMemory {
 public:
  ListMemory(Cuda const& space, std::size_t n) : list_(space, 2 * Count * n), size_(space, 3 * Count) {
    core::fill(space, size_.span(), 0);
    for (int l = 0; l < Count; ++l) {
      auto* const first = list_.data() + 2 * l * n;
      lists_.list[l] = {{first, first + n}, size_.data() + 3 * l};
    }
  }
  BufferedLists<Count> const& lists() const { return lists_; }
  Span<Index const> sizes() const { return size_.view(); }

 private:
  Array<Index, Cuda> list_, size_;
  BufferedLists<Count> lists_;
};

/// A length of a list in memory that the host reads. Each thread reuses one, since pinned allocation takes
/// long.
struct Announcement {
  std::int64_t length, number;  ///< number: of the announcement, from 1 on
  static Announcement* of_thread(Cuda const& space) {
    static thread_local auto& one =
        *new core::Pinned<Announcement, Cuda>(space);  // never destroyed, as CUDA may be gone
    return one.get();
  }
  static std::int64_t next() {
    static thread_local std::int64_t made = 0;
    return ++made;
  }
};

struct AnnounceBody {
  Index const* length;
  Announcement* announcement;
  std::int64_t number;
  TESSERA_HD void operator()(Index) const {
    announcement->length = *length;
    core::publish(&announcement->number, number);
  }
};

/// Blocks for so many vertices, each with so many threads.
inline unsigned blocks_for(Cuda const& space, std::size_t n, int width) {
  int processors = 0;
  TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, space.device));
  auto const needed = (n * width + FrontierLaunch::threads - 1) / FrontierLaunch::threads;
  return static_cast<unsigned>(
      std::min(needed, static_cast<std::size_t>(processors) * FrontierLaunch::blocks_per_processor));
}

}  // namespace detail

/// Between calls of size() the host knows upper bounds of the lengths only.
template <int Count>
class VertexLists<Cuda, Count> {
 public:
  template <class Begin>
  VertexLists(Cuda const& space, GraphSize const& graph, VertexSubset subset, Begin const& begin)
      : space_(space),
        graph_(graph),
        memory_(space, subset.most(graph)),
        announcement_(detail::Announcement::of_thread(space)) {
    auto const n = subset.at_most = subset.most(graph);
    size_.fill(n);
    if (n == 0) return;
    detail::begin_kernel<Count>
        <<<detail::blocks_for(space, n, 1), FrontierLaunch::threads, 0, space.stream>>>(
            subset, memory_.lists(), begin);
    TESSERA_CUDA_CHECK(cudaGetLastError());
    known_ = false;
  }
  template <int List, class Body>
  void visit(Cuda const& space, Body const& body) {
    take<List, false>(space, body);
  }
  template <int List, class Body>
  void keep(Cuda const& space, Body const& body) {
    if (size_[List] == 0) return;  // the turn stays, since the step clears a length
    take<List, true>(space, body);
    ++turn_[List];
    known_ = false;
  }
  std::size_t size(int list) const {
    if (!known_) {
      auto const sizes = core::to_vector(space_, memory_.sizes());
      for (int l = 0; l < Count; ++l) size_[l] = static_cast<std::size_t>(sizes[3 * l + turn_[l] % 3]);
      known_ = true;
    }
    return size_[list];
  }
  std::size_t most(int list) const { return size_[list]; }
  void announce() {
    announced_ = detail::Announcement::next();
    core::for_each(space_, 1, detail::AnnounceBody{length(0), announcement_, announced_});
  }
  std::size_t announced() const {
    core::wait_until(space_, &announcement_->number, announced_);
    return static_cast<std::size_t>(announcement_->length);
  }
  VertexSubset subset(int list) const {
    return {memory_.lists().list[list].buffer[turn_[list] % 2], size_[list], length(list)};
  }

 private:
  Index const* length(int list) const { return memory_.lists().list[list].size + turn_[list] % 3; }
  template <int List, bool Keeps, class Body>
  void take(Cuda const& space, Body const& body) {
    if (size_[List] == 0) return;
    core::detail::with_lanes(graph_.vertices, graph_.edges, [&](auto lanes) {
      constexpr int width = detail::takes_group<Body> ? decltype(lanes)::value : 1;
      detail::step_kernel<width, Keeps>
          <<<detail::blocks_for(space, size_[List], width), FrontierLaunch::threads, 0, space.stream>>>(
              body, memory_.lists().list[List], turn_[List]);
      TESSERA_CUDA_CHECK(cudaGetLastError());
    });
  }

  Cuda space_;
  GraphSize graph_;
  detail::ListMemory<Count> memory_;
  std::array<int, Count> turn_{};
  mutable std::array<std::size_t, Count> size_{};  ///< at least as long as the lists
  mutable bool known_ = true;
  detail::Announcement* announcement_;
  std::int64_t announced_ = 0;  ///< number of the last
};

template <>
struct Frontier<Cuda> {
  template <class Begin, class... Steps>
  static FrontierRun run(Cuda const& space, GraphSize const& graph, VertexSubset subset,
                         FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
    subset.at_most = subset.most(graph);
    if (ranks != nullptr) return detail::run_step_by_step(space, graph, subset, ranks, begin, steps...);
    if (subset.at_most > 0) run_in_one_kernel(space, graph, subset, begin, steps...);
    return {true, 0};
  }

 private:
  template <class Begin, class... Steps>
  static void run_in_one_kernel(Cuda const& space, GraphSize const& graph, VertexSubset subset, Begin begin,
                                Steps... steps) {
    constexpr int count = detail::lists_of<Steps...>;
    detail::ListMemory<count> const room(space, subset.at_most);
    auto lists = room.lists();
    void* arguments[] = {&subset, &lists, &begin, &steps...};
    core::detail::with_lanes(graph.vertices, graph.edges, [&](auto lanes) {
      constexpr int width = decltype(lanes)::value;
      auto const blocks = detail::blocks_for(space, subset.at_most, width);
      TESSERA_CUDA_CHECK(cudaLaunchCooperativeKernel(detail::frontier_kernel<width, count, Begin, Steps...>,
                                                     blocks, FrontierLaunch::threads, arguments, 0,
                                                     space.stream));
    });
  }
};

}  // namespace Tessera::sparse
