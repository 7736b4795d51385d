#pragma once
/// \file
/// Shrinking lists of vertices, and rounds of steps over them.
///
///     frontier(space, graph, subset, ranks, begin, steps...)
///
/// begin(v) returns the lists that contain v at first as bits (bit l: list l). Only vertices of the subset
/// take part. A round runs the steps:
///
///     visit<l>(body)   body(group, v, round) for the vertices v of list l
///     keep<l>(body)    the same; v leaves the list if it returns false; once a round for each list
///
/// Rounds count from 0 and end when list 0 is empty on all ranks. One more round may follow; its steps over
/// other lists must not change results. Bodies are those of core/group.hpp. They depend neither on the order
/// of a list nor on other vertices in the same step. Bodies for a single lane take (v, round).
///
/// On a GPU without ghosts all rounds are one cooperative kernel: rounds are short, so launches and copies of
/// list lengths would take most of the time. With ghosts, the host reads a length while the round that begins
/// with it runs.
#include <omp.h>

#include <algorithm>
#include <array>
#include <exception>
#include <functional>
#include <type_traits>
#include <vector>

#include "core/array.hpp"
#include "core/group.hpp"
#include "core/parallel.hpp"

namespace Tessera::sparse {

/// The size by which CUDA chooses the lanes of a group.
struct GraphSize {
  std::size_t vertices, edges;
};

/// All vertices, or those of a list. The host needs an upper bound of the list's length only.
struct VertexSubset {
  VertexSubset() = default;
  VertexSubset(Span<Index const> vertices) : list(vertices.data()), at_most(vertices.size()) {}
  VertexSubset(Index const* vertices, std::size_t most, Index const* length)
      : list(vertices), at_most(most), size(length) {}
  bool all() const { return list == nullptr; }
  std::size_t most(GraphSize const& graph) const { return all() ? graph.vertices : at_most; }

  Index const* list = nullptr;
  std::size_t at_most = 0;
  Index const* size = nullptr;  ///< on the space; null: at_most
};

/// Communication between steps if vertices have ghosts on other ranks. A rank whose step fails still takes
/// part in the communication until the round ends, and passes its failure to `ask`.
struct FrontierRanks {
  std::function<bool(bool)> any;  ///< whether the argument is true on any rank; throws if a rank has failed
  std::function<void(bool, std::exception_ptr)> ask;  ///< starts the same; waits for no rank
  std::function<bool()> answer;                       ///< waits for the result of `ask`
  std::function<void(int step)> before;  ///< fetches the ghosts that a step (from 0) reads; does not fail
};

/// Result of a frontier.
struct FrontierRun {
  bool one_kernel;
  int rounds;  ///< that began with vertices in list 0; 0 after one kernel, because the host does not wait
               ///< for it
};

template <int List, bool Keeps, class Body>
struct FrontierStep {
  static constexpr int list = List;
  static constexpr bool keeps = Keeps;
  Body body;
};
template <int List, class Body>
FrontierStep<List, false, Body> visit(Body const& body) {
  return {body};
}
template <int List, class Body>
FrontierStep<List, true, Body> keep(Body const& body) {
  return {body};
}

namespace detail {

/// Whether a body shares its work among lanes.
template <class Body, class... More>
constexpr bool takes_group = std::is_invocable_v<Body const&, core::SingleThread const&, Index, More...>;

template <class Body, class Group, class... More>
TESSERA_HD auto call(Body const& body, Group const& group, Index v, More... more) {
  if constexpr (takes_group<Body, More...>) {
    return body(group, v, more...);
  } else {
    return body(v, more...);
  }
}

/// A step's body in one round.
template <class Body, bool = takes_group<Body, int>>
struct InRound {
  Body body;
  int round;
  template <class Group>
  TESSERA_HD auto operator()(Group const& group, Index v) const {
    return body(group, v, round);
  }
};
template <class Body>
struct InRound<Body, false> {
  Body body;
  int round;
  TESSERA_HD auto operator()(Index v) const { return body(v, round); }
};

}  // namespace detail

/// `Count` lists of vertices.
///
///     VertexLists(space, graph, subset, begin)    begin(v): as above, or a bool; allocates
///     visit<l>(space, body), keep<l>(space, body)    body(group, v) or body(v); allocate nothing
///     size(l), most(l)    length of a list; upper bound of it, without waiting
///     announce(), announced()    starts to copy the length of list 0 to the host; waits for it
///     subset(l)           its vertices
template <class Space, int Count = 1>
class VertexLists;

template <class Space>
struct Frontier;

template <class Space, class Begin, class... Steps>
FrontierRun frontier(Space const& space, GraphSize const& graph, VertexSubset const& subset,
                     FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
  return Frontier<Space>::run(space, graph, subset, ranks, begin, steps...);
}

namespace detail {

template <class... Steps>
constexpr int lists_of = std::max({Steps::list...}) + 1;

/// The lists, and the first failure of this rank until all ranks know it.
template <class Lists>
struct ListsAndFailure {
  Lists lists;
  std::exception_ptr failure;

  template <class Work>
  void attempt(Work const& work) {
    if (failure) return;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
  }
  void announce() {
    attempt([&] { lists.announce(); });
  }
  bool any() {
    bool any = false;
    attempt([&] { any = lists.announced() > 0; });
    return any;
  }
};

/// Runs rounds until list 0 is empty; returns the number of rounds that began with vertices.
template <bool asynchronous, class Lists, class Round>
int run_rounds(ListsAndFailure<Lists>& here, Round const& run_round) {
  for (int rounds = 0;; ++rounds) {
    here.announce();
    if (asynchronous) run_round(rounds);
    bool const any = here.any();
    if (here.failure) std::rethrow_exception(here.failure);
    if (!any) return rounds;
    if (!asynchronous) run_round(rounds);
  }
}

/// The same on all ranks. A round runs while ranks combine their answers to whether it is needed. A host
/// knows before a round whether its list is empty, a device after it.
template <bool asynchronous, class Lists, class Round>
int run_rounds(ListsAndFailure<Lists>& here, FrontierRanks const& ranks, Round const& run_round) {
  int rounds = 0;
  bool more = ranks.any(asynchronous || here.any());  // agrees that all ranks have lists
  while (more) {
    here.announce();
    if (!asynchronous) ranks.ask(here.any(), here.failure);
    run_round(rounds);
    if (asynchronous) ranks.ask(here.any(), here.failure);
    more = ranks.answer();
    rounds += more ? 1 : 0;
  }
  return rounds;
}

/// Runs the steps one after the other, each for all vertices of its list.
template <class Space, class Begin, class... Steps>
FrontierRun run_step_by_step(Space const& space, GraphSize const& graph, VertexSubset const& subset,
                             FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
  constexpr bool asynchronous = core::SpaceTraits<Space>::asynchronous;
  using Lists = VertexLists<Space, lists_of<Steps...>>;
  ListsAndFailure<Lists> here{Lists(space, graph, subset, begin), {}};
  auto const run_round = [&](int round) {
    int number = 0;
    auto const take = [&](auto const& step) {
      using Step = std::decay_t<decltype(step)>;
      if (ranks != nullptr) ranks->before(number++);
      InRound<decltype(step.body)> const body{step.body, round};
      here.attempt([&] {
        if constexpr (Step::keeps) {
          here.lists.template keep<Step::list>(space, body);
        } else {
          here.lists.template visit<Step::list>(space, body);
        }
      });
    };
    (take(steps), ...);
  };
  if (ranks == nullptr) return {false, run_rounds<asynchronous>(here, run_round)};
  return {false, run_rounds<asynchronous>(here, *ranks, run_round)};
}

}  // namespace detail

template <int Count>
class VertexLists<Host, Count> {
 public:
  template <class Begin>
  VertexLists(Host const& space, GraphSize const& graph, VertexSubset const& subset, Begin const& begin)
      : ends_(static_cast<std::size_t>(omp_get_max_threads())) {
    auto const n = subset.most(graph);
    std::array<Index*, Count> to;
    for (int l = 0; l < Count; ++l) {
      list_[l] = Array<Index, Host>(space, n);
      to[l] = list_[l].data();
    }
    size_ = subset.all() ? partitioned([](std::size_t k) { return static_cast<Index>(k); }, n, to, begin)
                         : partitioned([list = subset.list](std::size_t k) { return list[k]; }, n, to, begin);
  }

  template <int List, class Body>
  void visit(Host const& space, Body const& body) {
    core::for_each(space, size_[List], Listed<Body>{list_[List].data(), body});
  }
  template <int List, class Body>
  void keep(Host const&, Body const& body) {
    Index* const list = list_[List].data();
    size_[List] =
        partitioned([=](std::size_t k) { return list[k]; }, size_[List], std::array<Index*, 1>{list},
                    [=](Index v) { return detail::call(body, core::SingleThread{}, v); })[0];
  }
  std::size_t size(int list) const { return size_[list]; }
  std::size_t most(int list) const { return size_[list]; }
  void announce() {}
  std::size_t announced() const { return size_[0]; }
  VertexSubset subset(int list) const { return list_[list].view().part(0, size_[list]); }

 private:
  template <class Body>
  struct Listed {
    Index const* list;
    Body body;
    void operator()(Index k) const { detail::call(body, core::SingleThread{}, list[k]); }
  };

  /// Appends vertex_at(k) to the lists whose bits choose(v) sets, without branches, which would be
  /// mispredicted. Each thread fills a part of the list; then the parts are moved together.
  template <class VertexAt, std::size_t Lists, class Choose>
  std::array<std::size_t, Lists> partitioned(VertexAt const& vertex_at, std::size_t n,
                                             std::array<Index*, Lists> const& to, Choose const& choose) {
    auto const stretches = n < core::serial_below<Choose> ? 1 : static_cast<int>(ends_.size());
    auto const begin_of = [=](int t) { return n * static_cast<std::size_t>(t) / stretches; };
#pragma omp parallel for schedule(static, 1) if (stretches > 1)
    for (int t = 0; t < stretches; ++t) {
      auto const at = vertex_at;
      auto const chosen = choose;
      auto const list = to;
      std::array<std::size_t, Lists> end;
      end.fill(begin_of(t));
      for (auto k = begin_of(t); k < begin_of(t + 1); ++k) {
        Index const v = at(k);
        auto const bits = static_cast<unsigned>(chosen(v));
        for (std::size_t l = 0; l < Lists; ++l) {
          list[l][end[l]] = v;
          end[l] += bits >> l & 1U;
        }
      }
      std::copy(end.begin(), end.end(), ends_[t].begin());
    }
    std::array<std::size_t, Lists> total;
    std::copy_n(ends_[0].begin(), Lists, total.begin());
    for (int t = 1; t < stretches; ++t) {
      for (std::size_t l = 0; l < Lists; ++l) {
        auto const count = ends_[t][l] - begin_of(t);
        std::copy_n(to[l] + begin_of(t), count, to[l] + total[l]);
        total[l] += count;
      }
    }
    return total;
  }

  std::array<Array<Index, Host>, Count> list_;
  std::array<std::size_t, Count> size_;
  std::vector<std::array<std::size_t, Count>> ends_;  ///< of each thread's part
};

template <>
struct Frontier<Host> {
  template <class Begin, class... Steps>
  static FrontierRun run(Host const& space, GraphSize const& graph, VertexSubset const& subset,
                         FrontierRanks const* ranks, Begin const& begin, Steps const&... steps) {
    return detail::run_step_by_step(space, graph, subset, ranks, begin, steps...);
  }
};

}  // namespace Tessera::sparse

#if defined(TESSERA_CUDA_UNIT)
#include "sparse/engine/frontier_cuda.cuh"
#endif
