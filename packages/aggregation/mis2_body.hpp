#pragma once
/// \file
/// Algorithm 5 of Bell, Dalton, Olson 2012 with k = 2; see mis2.hpp. For mis2.cpp and mis2.cu alone: what
/// else instantiated mis2<Cuda> would not see its faster way for a graph without ghosts.
#include <cstdint>

#include "aggregation/ghosts.hpp"
#include "aggregation/mis2.hpp"
#include "aggregation/vertex_list.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// The paper's tuple (state, priority, id) in one word: two bits of state, out < undecided < in, above 62
/// bits of a bijective hash of the id, so that no two vertices are equal and the id need not be there.
namespace mis2_word {

constexpr std::uint64_t out = 0;
constexpr std::uint64_t in = std::uint64_t{2} << 62;

TESSERA_HD inline std::uint64_t undecided(VertexId id, int seed, int round) {
  auto const stream = (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 32) |
                      static_cast<std::uint32_t>(round);
  return (std::uint64_t{1} << 62) | core::mix62(id, stream);
}
TESSERA_HD inline bool is_undecided(std::uint64_t word) {
  return word >> 62 == 1;
}

}  // namespace mis2_word

/// The graph and what its vertices know. word: ghosts included. best: the largest word in the closed
/// neighbourhood, `in` once there is a member, ghosts included; vertices that cannot lead from an undecided
/// vertex to another are not up to date and not asked.
struct Mis2View {
  Offset const* offsets;
  Index const* neighbour;
  std::uint64_t* word;
  std::uint64_t* best;
  Index* best_column;  ///< whose word best is
};

struct Mis2BeginBody {
  Mis2View graph;
  VertexId const* ids;
  unsigned char const* candidate;  ///< null: all
  int seed;
  TESSERA_HD void operator()(Index v) const {
    bool const may_be_in = candidate == nullptr || candidate[v] == 1;
    graph.word[v] = may_be_in ? mis2_word::undecided(ids[v], seed, 0) : mis2_word::out;
    graph.best[v] = mis2_word::out;
  }
};

/// First propagation, into all vertices that may have an undecided one around.
struct Mis2PropagateBody {
  Mis2View graph;
  Index const* active;
  TESSERA_HD void operator()(Index k) const {
    Index const v = active[k];
    std::uint64_t best = graph.word[v];
    Index column = v;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) {
      Index const u = graph.neighbour[e];
      std::uint64_t const word = graph.word[u];
      bool const larger = word > best;  // selections, not a branch: nobody foresees it
      best = larger ? word : best;
      column = larger ? u : column;
    }
    graph.best[v] = best;
    graph.best_column[v] = column;
  }
};

/// Second propagation: undecided vertices that nothing within distance 2 beats become members.
struct Mis2ElectBody {
  Mis2View graph;
  Index const* undecided;
  TESSERA_HD void operator()(Index k) const {
    Index const v = undecided[k];
    std::uint64_t const mine = graph.word[v];
    bool wins = graph.best[v] == mine;
    for (Offset e = graph.offsets[v]; wins && e < graph.offsets[v + 1]; ++e)
      wins = graph.best[graph.neighbour[e]] <= mine;
    if (wins) graph.word[v] = mis2_word::in;
  }
};

/// The second update pass, first step: members next to v. A new member has won v's neighbourhood, so it is
/// the one whose word v remembers.
struct Mis2AdjacentBody {
  Mis2View graph;
  Index const* active;
  TESSERA_HD void operator()(Index k) const {
    Index const v = active[k];
    if (graph.word[graph.best_column[v]] == mis2_word::in) graph.best[v] = mis2_word::in;
  }
};

/// Second step: undecided vertices within distance 2 of a member are out, the others draw anew.
struct Mis2UpdateBody {
  Mis2View graph;
  VertexId const* ids;
  Index const* undecided;
  int seed, round;
  TESSERA_HD void operator()(Index k) const {
    Index const v = undecided[k];
    if (graph.word[v] == mis2_word::in) return;
    bool covered = graph.best[v] == mis2_word::in;
    for (Offset e = graph.offsets[v]; !covered && e < graph.offsets[v + 1]; ++e)
      covered = graph.best[graph.neighbour[e]] == mis2_word::in;
    graph.word[v] = covered ? mis2_word::out : mis2_word::undecided(ids[v], seed, round);
  }
};

/// v is undecided.
struct UndecidedWord {
  std::uint64_t const* word;
  TESSERA_HD bool operator()(Index v) const { return mis2_word::is_undecided(word[v]); }
};

/// v is a candidate, or paths may lead through it.
struct ExistsPredicate {
  unsigned char const* candidate;  ///< null: all
  TESSERA_HD bool operator()(Index v) const { return candidate == nullptr || candidate[v] != 0; }
};

/// Undecided vertices may still be around v: last time there was one, and no member.
struct ActiveWord {
  std::uint64_t const* best;
  TESSERA_HD bool operator()(Index v) const { return mis2_word::is_undecided(best[v]); }
};

struct Mis2StateBody {
  std::uint64_t const* word;
  Mis2State* state;
  TESSERA_HD void operator()(Index v) const {
    state[v] = word[v] == mis2_word::in ? Mis2State::in : Mis2State::out;
  }
};

/// Spaces that have a faster way for a graph without ghosts overload this and say that they went it.
template <class Space>
bool mis2_without_ghosts(Space const&, StrengthGraph<Space> const&, Span<VertexId const>,
                         Span<unsigned char const>, int, Span<Mis2State>) {
  return false;
}

template <class Space>
void mis2(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
          Span<unsigned char const> candidate, int seed, Span<Mis2State> state, Span<Index const> existing) {
  auto const& comm = graph.halo.distribution().comm();
  if (comm.size() == 1 && mis2_without_ghosts(space, graph, ids, candidate, seed, state)) return;
  auto const n = static_cast<std::size_t>(graph.nodes());
  auto word = with_ghosts<std::uint64_t>(space, graph.halo);
  auto best = with_ghosts<std::uint64_t>(space, graph.halo);
  Array<Index, Space> best_column(space, n);
  Mis2View const view{graph.offsets.data(), graph.neighbour.data(), word.data(), best.data(),
                      best_column.data()};
  auto const* const exists = candidate.empty() ? nullptr : candidate.data();
  Mis2BeginBody const begin{view, ids.data(), exists, seed};
  UndecidedWord const is_undecided{word.data()};
  bool const listed = !existing.empty();
  if (listed) {
    core::fill(space, word.span(), mis2_word::out);
    core::fill(space, best.span(), mis2_word::out);
    core::for_each(space, existing.size(), ForListed<Mis2BeginBody>{existing.data(), begin});
  } else {
    core::for_each(space, n, begin);
  }
  auto undecided =
      listed ? VertexList<Space>(space, existing, is_undecided) : VertexList<Space>(space, n, is_undecided);
  auto active = listed ? VertexList<Space>(space, existing, ExistsPredicate{exists})
                       : VertexList<Space>(space, n, ExistsPredicate{exists});
  Array<Index, Space> scratch(space, active.size()), other(space, active.size());
  for (int round = 1; comm.any(undecided.size() > 0); ++round) {
    fetch_ghosts(space, graph.halo, word);
    core::for_each(space, active.size(), Mis2PropagateBody{view, active.data()});
    fetch_ghosts(space, graph.halo, best);
    core::for_each(space, undecided.size(), Mis2ElectBody{view, undecided.data()});
    fetch_ghosts(space, graph.halo, word);
    active.keep_after(space, Mis2AdjacentBody{view, active.data()}, ActiveWord{best.data()}, scratch, other);
    fetch_ghosts(space, graph.halo, best);
    undecided.keep_after(space, Mis2UpdateBody{view, ids.data(), undecided.data(), seed, round}, is_undecided,
                         scratch, other);
  }
  Mis2StateBody const end{word.data(), state.data()};
  if (!listed) return core::for_each(space, n, end);
  core::fill(space, state, Mis2State::out);
  core::for_each(space, existing.size(), ForListed<Mis2StateBody>{existing.data(), end});
}

}  // namespace Tessera::aggregation
