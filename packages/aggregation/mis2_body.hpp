#pragma once
/// \file
/// Algorithm 5 of Bell, Dalton, Olson 2012 with k = 2; see mis2.hpp.
#include <cstdint>

#include "aggregation/ghosts.hpp"
#include "aggregation/mis2.hpp"
#include "core/hash.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// The paper's tuple (state, priority, id) in one word: two bits of state, out < undecided < in, above 62
/// bits of a bijective hash of the id. Hashes differ between vertices, so the word needs no id.
namespace mis2_word {

constexpr std::uint64_t out = 0;
constexpr std::uint64_t in = std::uint64_t{2} << 62;

constexpr std::uint64_t waiting = std::uint64_t{1} << 62;

TESSERA_HD inline std::uint64_t stream(int seed, int round) {
  return (static_cast<std::uint64_t>(static_cast<std::uint32_t>(seed)) << 32) |
         static_cast<std::uint32_t>(round);
}
TESSERA_HD inline std::uint64_t undecided(VertexId id, int seed, int round) {
  return waiting | core::mix62(id, stream(seed, round));
}
TESSERA_HD inline bool is_undecided(std::uint64_t word) {
  return word >> 62 == 1;
}

}  // namespace mis2_word

/// The graph and the state of its vertices. word: of each vertex, ghosts included. best: the largest word in
/// the closed neighbourhood, `in` once it has a member; ghosts included. Vertices that do not lead from one
/// undecided vertex to another have an outdated `best`, which is not read.
struct Mis2View {
  Offset const* offsets;
  Index const* neighbour;
  std::uint64_t* word;
  std::uint64_t* best;
  Index* best_column;  ///< the vertex with the word `best`
  VertexId const* ids;
  int seed;
};

enum Mis2List : int { undecided, active };  ///< active: may have undecided vertices around

/// Marks all vertices as out; Mis2BeginBody marks the candidates afterwards.
struct Mis2ClearBody {
  Mis2View graph;
  unsigned char* in;
  Index owned;
  TESSERA_HD void operator()(Index v) const {
    graph.word[v] = graph.best[v] = mis2_word::out;
    if (v < owned) in[v] = 0;
  }
};

struct Mis2BeginBody {
  Mis2View graph;
  unsigned char const* candidate;  ///< null: all
  TESSERA_HD unsigned operator()(Index v) const {
    unsigned const is = candidate == nullptr ? 1 : candidate[v];
    graph.word[v] = is == 1 ? mis2_word::undecided(graph.ids[v], graph.seed, 0) : mis2_word::out;
    graph.best[v] = mis2_word::out;
    return (is == 1 ? 1U << undecided : 0U) | (is != 0 ? 1U << active : 0U);
  }
};

/// First propagation, into all vertices that may have an undecided neighbour. Only words of vertices that are
/// out can tie, and these never become members.
struct Mis2PropagateBody {
  Mis2View graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    std::uint64_t best = graph.word[v];
    Index column = v;
    for (Offset e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Group::size) {
      Index const u = graph.neighbour[e];
      std::uint64_t const word = graph.word[u];
      bool const larger = word > best;  // selections, because a branch would be mispredicted
      best = larger ? word : best;
      column = larger ? u : column;
    }
    auto const largest = group.reduce(best, core::Max{});
    if (best == largest) graph.best_column[v] = column;
    if (group.lane == 0) graph.best[v] = largest;
  }
};

/// Second propagation: an undecided vertex with the largest word within distance 2 becomes a member.
struct Mis2ElectBody {
  Mis2View graph;
  unsigned char* in;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    std::uint64_t const mine = graph.word[v];
    if (graph.best[v] != mine) return;
    bool loses = false;
    for (Offset e = graph.offsets[v] + group.lane; !loses && e < graph.offsets[v + 1]; e += Group::size)
      loses = graph.best[graph.neighbour[e]] > mine;
    if (group.any(loses) || group.lane != 0) return;
    graph.word[v] = mis2_word::in;
    in[v] = 1;
  }
};

/// The second update pass, first step: members next to v. A new member has the largest word in v's
/// neighbourhood, so best_column[v] is that member. Returns whether v still has an undecided neighbour.
struct Mis2AdjacentBody {
  Mis2View graph;
  TESSERA_HD bool operator()(Index v, int) const {
    if (graph.word[graph.best_column[v]] == mis2_word::in) graph.best[v] = mis2_word::in;
    return mis2_word::is_undecided(graph.best[v]);
  }
};

/// Second step: undecided vertices within distance 2 of a member are out; the others get new random
/// priorities.
struct Mis2UpdateBody {
  Mis2View graph;
  template <class Group>
  TESSERA_HD bool operator()(Group const& group, Index v, int round) const {
    if (graph.word[v] == mis2_word::in) return false;
    bool covered = graph.best[v] == mis2_word::in;
    for (Offset e = graph.offsets[v] + group.lane; !covered && e < graph.offsets[v + 1]; e += Group::size)
      covered = graph.best[graph.neighbour[e]] == mis2_word::in;
    covered = group.any(covered);
    if (group.lane == 0)
      graph.word[v] = covered ? mis2_word::out : mis2_word::undecided(graph.ids[v], graph.seed, round + 1);
    return !covered;
  }
};

template <class Space>
sparse::FrontierRun mis2(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                         Span<unsigned char const> candidate, sparse::VertexSubset const& existing,
                         AggregationParameters const& parameters, Span<unsigned char> in) {
  auto const& halo = graph.halo;
  auto word = with_ghosts<std::uint64_t>(space, halo), best = with_ghosts<std::uint64_t>(space, halo);
  Array<Index, Space> best_column(space, graph.nodes());
  Mis2View const view{graph.offsets.data(), graph.neighbour.data(), word.data(),
                      best.data(),          best_column.data(),     ids.data(),
                      parameters.seed};
  if (existing.all()) {
    core::fill(space, in, 0);
  } else {
    core::for_each(space, word.size(), Mis2ClearBody{view, in.data(), graph.nodes()});
  }
  auto const ghosts = ghosts_of_steps(space, halo, word, best, word, best);
  return sparse::frontier(
      space, size_of(graph), existing, halo.distribution().on_one_rank() ? nullptr : &ghosts,
      Mis2BeginBody{view, candidate.empty() ? nullptr : candidate.data()},
      sparse::visit<active>(Mis2PropagateBody{view}),
      sparse::visit<undecided>(Mis2ElectBody{view, in.data()}), sparse::keep<active>(Mis2AdjacentBody{view}),
      sparse::keep<undecided>(Mis2UpdateBody{view}));
}

}  // namespace Tessera::aggregation
