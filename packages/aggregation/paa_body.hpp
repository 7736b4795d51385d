#pragma once
/// \file
/// Rounds of Brannick et al. 2013, Algorithm 2; see paa.hpp.
#include <cstdint>
#include <limits>

#include "aggregation/ghosts.hpp"
#include "aggregation/numbering_body.hpp"
#include "aggregation/paa.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::aggregation {

/// The state of a vertex in one word: the priority of a free vertex, 0 in an aggregate, the smallest key of a
/// neighbour that may join a centre.
namespace paa_word {

constexpr int number_bits = 43;
constexpr std::uint64_t centre = std::uint64_t{1} << 63;
constexpr std::uint64_t no_key = std::uint64_t{1} << 62;  ///< above all keys

/// Degrees from 2^16 - 2 on have equal priority.
TESSERA_HD inline std::uint64_t priority(Offset degree, VertexId number, int seed) {
  constexpr Offset most = (1 << 16) - 1;
  auto const d = static_cast<std::uint64_t>(degree + 1 < most ? degree + 1 : most);
  auto const random = core::mix_below<number_bits>(number, static_cast<std::uint64_t>(seed));
  return d << (number_bits + 4) | static_cast<std::uint64_t>(number % 12) << number_bits | random;
}
TESSERA_HD inline bool is_centre(std::uint64_t word) {
  return word >= centre;
}
/// Of a neighbour: larger for smaller numbers.
TESSERA_HD inline std::uint64_t key(VertexId number) {
  return (std::uint64_t{1} << number_bits) - 1 - static_cast<std::uint64_t>(number);
}

}  // namespace paa_word

/// Values of joined[v] for a vertex without a centre; otherwise joined[v] is the column of the centre.
constexpr Index in_no_aggregate = -1;
constexpr Index lone_leaf = -2;  ///< v joins the aggregate of its only neighbour

/// A vertex is free while it is in no aggregate.
struct PaaView {
  Offset const* offsets;
  Index const* neighbour;
  VertexId const* number;  ///< ghosts included, as in word and best
  std::uint64_t* word;
  std::uint64_t*
      best;  ///< of free vertices: the highest priority of a free vertex in the closed neighbourhood
  Index* joined;
  int seed;
  Index largest;
  TESSERA_HD bool is_free(Index v) const { return word[v] != 0 && !paa_word::is_centre(word[v]); }
};

struct PaaBeginBody {
  PaaView graph;
  bool keep_isolated;
  TESSERA_HD bool operator()(Index v) const {
    auto const degree = graph.offsets[v + 1] - graph.offsets[v];
    bool const takes_part = degree > 0 || keep_isolated;
    graph.word[v] = takes_part ? paa_word::priority(degree, graph.number[v], graph.seed) : 0;
    graph.joined[v] = in_no_aggregate;
    return takes_part;
  }
};

struct PaaPropagateBody {
  PaaView graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    std::uint64_t best = graph.word[v];
    for (Offset e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Group::size) {
      Index const u = graph.neighbour[e];
      std::uint64_t const other = graph.is_free(u) ? graph.word[u] : 0;
      best = other > best ? other : best;
    }
    best = group.reduce(best, core::Max{});
    if (group.lane == 0) graph.best[v] = best;
  }
};

/// Two vertices compete only for free neighbours that they share. So a vertex waits only for vertices that it
/// reaches through free neighbours. The aggregates are those of a sequential pass by priority. This takes 21
/// rounds instead of 48 on 101^3 points (7-point stencil, t = 4). The word of a centre holds the smallest key
/// that may join. Two centres are never neighbours, so no other group reads the word that a centre writes in
/// this step.
struct PaaElectBody {
  PaaView graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    std::uint64_t const mine = graph.word[v];
    if (graph.best[v] != mine) return;
    Offset const begin = graph.offsets[v] + group.lane, end = graph.offsets[v + 1];
    bool loses = false;
    for (Offset e = begin; !loses && e < end; e += Group::size) {
      Index const u = graph.neighbour[e];
      loses = graph.is_free(u) && graph.best[u] > mine;
    }
    if (group.any(loses)) return;
    Index around = 0;
    for (Offset e = begin; e < end; e += Group::size) around += graph.is_free(graph.neighbour[e]) ? 1 : 0;
    around = group.sum(around);
    std::uint64_t least = 0;
    if (around >= graph.largest) {
      least = paa_word::no_key;
      for (Index taken = 1; taken < graph.largest; ++taken) least = next_key(group, begin, end, least);
    }
    if (group.lane != 0) return;
    bool const is_leaf = graph.offsets[v + 1] - graph.offsets[v] == 1;
    bool const joins_neighbour = is_leaf && around == 0 && graph.largest > 1;
    graph.word[v] = joins_neighbour ? 0 : paa_word::centre | least;
    graph.joined[v] = joins_neighbour ? lone_leaf : v;
  }

 private:
  /// The largest key of a free neighbour that is below another one.
  template <class Group>
  TESSERA_HD std::uint64_t next_key(Group const& group, Offset begin, Offset end, std::uint64_t below) const {
    std::uint64_t largest = 0;
    for (Offset e = begin; e < end; e += Group::size) {
      Index const u = graph.neighbour[e];
      auto const key = paa_word::key(graph.number[u]);
      if (key < below && key > largest && graph.is_free(u)) largest = key;
    }
    return group.reduce(largest, core::Max{});
  }
};

/// A free vertex joins a centre of this round if its own key is at least the centre's smallest key. Earlier
/// centres had no room for it.
struct PaaJoinBody {
  PaaView graph;
  template <class Group>
  TESSERA_HD bool operator()(Group const& group, Index v, int) const {
    if (graph.joined[v] != in_no_aggregate) return false;
    Index column = -1;
    for (Offset e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Group::size) {
      Index const u = graph.neighbour[e];
      std::uint64_t const word = graph.word[u];
      if (paa_word::is_centre(word) && paa_word::key(graph.number[v]) >= (word ^ paa_word::centre))
        column = u;
    }
    column = group.reduce(column, core::Max{});
    if (column < 0) return true;
    if (group.lane == 0) {
      graph.joined[v] = column;
      graph.word[v] = 0;
    }
    return false;
  }
};

/// The aggregate of each vertex. A lone leaf takes the aggregate of its neighbour.
struct AggregateOfVertexBody {
  Offset const* offsets;
  Index const *neighbour, *joined;
  GlobalIndex const* number;  ///< of the aggregates, ghosts included
  GlobalIndex* aggregate;
  TESSERA_HD void operator()(Index v) const {
    aggregate[v] = number[joined[v] == lone_leaf ? neighbour[offsets[v]] : v];
  }
};

template <class Space>
Aggregates<Space> paa(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                      AggregationParameters const& parameters, Isolated isolated, int* rounds) {
  auto const& halo = graph.halo;
  auto const& vertices = halo.distribution();
  bool const one_rank = vertices.on_one_rank();
  auto const n = static_cast<std::size_t>(graph.nodes());
  TESSERA_VALIDATE(vertices.global_size() >> paa_word::number_bits == 0, vertices.global_size(),
                   " nodes (their numbers have 43 bits here); take aggregates from MIS(2)");
  auto const own_number = consecutive_numbers(space, vertices, ids);
  Array<VertexId, Space> all_numbers;
  if (!one_rank) {
    all_numbers = with_ghosts<VertexId>(space, halo);
    core::copy(space, own_number.view(), space, all_numbers.span());
    fetch_ghosts(space, halo, all_numbers);
  }
  Array<Index, Space> joined(space, n);
  {
    auto word = with_ghosts<std::uint64_t>(space, halo), best = with_ghosts<std::uint64_t>(space, halo);
    PaaView const view{graph.offsets.data(),
                       graph.neighbour.data(),
                       one_rank ? own_number.data() : all_numbers.data(),
                       word.data(),
                       best.data(),
                       joined.data(),
                       parameters.seed,
                       parameters.largest > 0 ? parameters.largest : std::numeric_limits<Index>::max()};
    auto const ghosts = ghosts_of_steps(space, halo, word, best, word);
    auto const run = sparse::frontier(
        space, {n, graph.neighbour.size()}, {}, one_rank ? nullptr : &ghosts,
        PaaBeginBody{view, isolated == Isolated::kept}, sparse::visit<0>(PaaPropagateBody{view}),
        sparse::visit<0>(PaaElectBody{view}), sparse::keep<0>(PaaJoinBody{view}));
    if (rounds != nullptr) *rounds = run.rounds;
  }
  auto number = with_ghosts<GlobalIndex>(space, halo);
  auto result = numbered_aggregates(space, halo, joined.view(), own_number.view(), number);
  fetch_ghosts(space, halo, number);
  core::for_each(space, n,
                 AggregateOfVertexBody{graph.offsets.data(), graph.neighbour.data(), joined.data(),
                                       number.data(), result.aggregate.data()});
  auto consecutive = consecutive_numbers(space, result.coarse, result.ids.view());
  if (!consecutive.is_borrowed()) result.ids = std::move(consecutive);
  return result;
}

}  // namespace Tessera::aggregation
