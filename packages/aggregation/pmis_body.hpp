#pragma once
/// \file
/// PMIS by the frontier engine; see pmis.hpp.
#include <cstdint>

#include "aggregation/numbering_body.hpp"
#include "aggregation/pmis.hpp"
#include "aggregation/strength_body.hpp"
#include "core/hash.hpp"

namespace Tessera::aggregation {

/// Strong entries of both directions. No short cuts, as in StrongEdgesBody.
template <class Space>
struct DependenceBody {
  using Graph = DependenceGraph<Space>;
  Couplings couplings;
  SignedClassical criterion;
  unsigned char* strong;
  TESSERA_HD Offset begin(Index i) const { return couplings.A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return couplings.A.offsets[i + 1]; }
  TESSERA_HD unsigned char direction_of(Index i, Offset k) const {
    Index const j = couplings.A.column[k];
    double const a = couplings.A.value[k], scaled = couplings.scaled(i, k);
    bool const is_coupling = (j != i) & (scaled > negligible);
    bool const forth = is_coupling & criterion.by_row(a, scaled, i);
    bool const back = is_coupling & criterion.by_row(a, scaled, j);
    return static_cast<unsigned char>((forth ? Graph::depends : 0) + (back ? Graph::leads : 0));
  }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    auto const direction = direction_of(i, k);
    strong[k] = (couplings.A.column[k] == i) | ((direction & Graph::depends) != 0) ? 1 : 0;
    return direction != 0;
  }
  TESSERA_HD void take(Index i, Offset k, Index& neighbour, unsigned char& direction) const {
    neighbour = couplings.A.column[k];
    direction = direction_of(i, k);
  }
};

template <class Space>
DependenceGraph<Space> dependence(Space const& space, comm::DistCsr<double, Space> const& A,
                                  Span<double const> diagonal, double theta) {
  auto const rows = A.local.view();
  DependenceGraph<Space> graph;
  graph.halo = A.halo;
  Array<double, Space> scale, inverse;
  comm::agree_on_errors(A.rows.comm(), [&] {
    scale = with_ghosts<double>(space, A.halo), inverse = with_ghosts<double>(space, A.halo);
    graph.strong = Array<unsigned char, Space>(space, rows.column.size());
    core::for_each(space, diagonal.size(), ScaleBody{diagonal.data(), scale.data()});
    core::for_each(space, rows.rows, InverseOfLargestBody{rows, inverse.data()});
  });
  fetch_ghosts(space, A.halo, scale);
  fetch_ghosts(space, A.halo, inverse);
  comm::agree_on_errors(A.rows.comm(), [&] {
    sparse::row_select(
        space, rows.rows, rows.column.size(),
        DependenceBody<Space>{
            {rows, scale.data()}, {coarsely_rounded(theta), inverse.data()}, graph.strong.data()},
        graph.offsets, graph.neighbour, graph.direction);
  });
  return graph;
}

/// The graph and the state of its vertices, ghosts included. word: (number of dependents, hash) of undecided
/// vertices, 0 of others. With a first PMIS, vertices compete and depend over one or two edges.
template <class Space>
struct PmisView {
  using Graph = DependenceGraph<Space>;
  Offset const* offsets;
  Index const* neighbour;
  unsigned char const* direction;
  VertexId const* ids;
  std::uint64_t* word;
  unsigned char* is_coarse;
  int seed;
  GlobalIndex const* first;  ///< coarse vertex of the first PMIS, -1: fine; null: there is none
  std::uint64_t* best;       ///< largest word of a vertex and its neighbours; without a first PMIS `word`
  unsigned char* reaches;    ///< is coarse or depends on a coarse vertex; without a first PMIS `is_coarse`

  static constexpr int hash_bits = 40;
  TESSERA_HD bool is_second() const { return first != nullptr; }
  TESSERA_HD bool depends(Offset e) const { return (direction[e] & Graph::depends) != 0; }
  TESSERA_HD std::uint64_t draw(Index v, std::uint64_t dependents) const {
    constexpr std::uint64_t most = (std::uint64_t{1} << (64 - hash_bits)) - 1;
    auto const hash = core::mix62(ids[v], static_cast<std::uint64_t>(seed)) >> (62 - hash_bits);
    return (dependents < most ? dependents : most) << hash_bits | hash;
  }
};

/// Lists: undecided vertices, and with a first PMIS all vertices, which may lie between undecided ones. Each
/// coarse vertex of the first has dependents.
template <class Space>
struct PmisBeginBody {
  PmisView<Space> graph;
  TESSERA_HD unsigned operator()(Index v) const {
    std::uint64_t dependents = 0;
    for (Offset e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      dependents += (graph.direction[e] & PmisView<Space>::Graph::leads) != 0 ? 1 : 0;
    if (graph.is_second() && graph.first[v] < 0) dependents = 0;
    graph.word[v] = dependents == 0 ? 0 : graph.draw(v, dependents);
    graph.is_coarse[v] = graph.reaches[v] = 0;
    return (dependents == 0 ? 0U : 1U) + (graph.is_second() ? 2U : 0U);
  }
};

template <class Space>
struct PmisPropagateBody {
  PmisView<Space> graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    std::uint64_t best = graph.word[v];
    for (Offset e = graph.offsets[v] + group.lane; e < graph.offsets[v + 1]; e += Group::size) {
      auto const word = graph.word[graph.neighbour[e]];
      best = word > best ? word : best;
    }
    best = group.reduce(best, core::Max{});
    if (group.lane == 0) graph.best[v] = best;
  }
};

/// An undecided vertex that none beats is coarse. Two with one word (a chance of 2^-40 for each pair) may
/// both become coarse over two edges; over one edge the larger id does.
template <class Space>
struct PmisElectBody {
  PmisView<Space> graph;
  template <class Group>
  TESSERA_HD void operator()(Group const& group, Index v, int) const {
    auto const mine = graph.word[v];
    bool loses = graph.best[v] > mine;
    for (Offset e = graph.offsets[v] + group.lane; !loses && e < graph.offsets[v + 1]; e += Group::size) {
      Index const u = graph.neighbour[e];
      loses = graph.best[u] > mine || (graph.word[u] == mine && graph.ids[u] > graph.ids[v]);
    }
    if (!group.any(loses) && group.lane == 0) graph.is_coarse[v] = 1;
  }
};

/// A vertex without undecided vertices next to it leaves the list: none becomes coarse there.
template <class Space>
struct PmisReachBody {
  PmisView<Space> graph;
  template <class Group>
  TESSERA_HD bool operator()(Group const& group, Index v, int) const {
    bool reaches = graph.reaches[v] != 0 || graph.is_coarse[v] != 0;
    for (Offset e = graph.offsets[v] + group.lane; !reaches && e < graph.offsets[v + 1]; e += Group::size)
      reaches = graph.depends(e) && graph.is_coarse[graph.neighbour[e]] != 0;
    reaches = group.any(reaches);
    if (reaches && group.lane == 0) graph.reaches[v] = 1;
    return graph.best[v] != 0;
  }
};

/// Coarse vertices, and those that depend on one, are decided.
template <class Space>
struct PmisUpdateBody {
  PmisView<Space> graph;
  template <class Group>
  TESSERA_HD bool operator()(Group const& group, Index v, int) const {
    bool decided = graph.reaches[v] != 0;
    for (Offset e = graph.offsets[v] + group.lane; !decided && e < graph.offsets[v + 1]; e += Group::size)
      decided = graph.depends(e) && graph.reaches[graph.neighbour[e]] != 0;
    decided = group.any(decided);
    if (decided && group.lane == 0) graph.word[v] = 0;
    return !decided;
  }
};

struct OwnRootBody {
  unsigned char const* is_coarse;
  Index* root;
  TESSERA_HD void operator()(Index v) const { root[v] = is_coarse[v] != 0 ? v : -1; }
};

template <class Space>
Aggregates<Space> pmis(Space const& space, DependenceGraph<Space> const& graph, Span<VertexId const> own_ids,
                       int seed, Aggregates<Space> const* first) {
  auto const& halo = graph.halo;
  auto const n = own_ids.size();
  Array<VertexId, Space> ids;
  Array<std::uint64_t, Space> word, best;
  Array<unsigned char, Space> is_coarse, reaches;
  Array<GlobalIndex, Space> number;  // of the first PMIS, then of the result
  Array<Index, Space> root;
  comm::agree_on_errors(halo.distribution().comm(), [&] {
    ids = with_ghosts<VertexId>(space, halo), word = with_ghosts<std::uint64_t>(space, halo);
    is_coarse = with_ghosts<unsigned char>(space, halo), number = with_ghosts<GlobalIndex>(space, halo);
    root = Array<Index, Space>(space, n);
    core::copy(space, own_ids, space, ids.span().part(0, n));
    if (first == nullptr) return;
    best = with_ghosts<std::uint64_t>(space, halo), reaches = with_ghosts<unsigned char>(space, halo);
    core::copy(space, first->aggregate.view(), space, number.span().part(0, n));
  });
  fetch_ghosts_agreed(space, halo, ids);
  auto const run = [&](auto const& view, sparse::FrontierRanks const& ghosts, auto const&... steps) {
    sparse::frontier(space, {n, graph.neighbour.size()}, {},
                     halo.distribution().on_one_rank() ? nullptr : &ghosts, PmisBeginBody<Space>{view},
                     steps...);
  };
  PmisView<Space> view{graph.offsets.data(),
                       graph.neighbour.data(),
                       graph.direction.data(),
                       ids.data(),
                       word.data(),
                       is_coarse.data(),
                       seed,
                       nullptr,
                       word.data(),
                       is_coarse.data()};
  if (first == nullptr) {
    run(view, ghosts_of_steps(space, halo, word, is_coarse), sparse::visit<0>(PmisElectBody<Space>{view}),
        sparse::keep<0>(PmisUpdateBody<Space>{view}));
  } else {
    view.first = number.data(), view.best = best.data(), view.reaches = reaches.data();
    run(view, ghosts_of_steps(space, halo, word, best, is_coarse, reaches),
        sparse::visit<1>(PmisPropagateBody<Space>{view}), sparse::visit<0>(PmisElectBody<Space>{view}),
        sparse::keep<1>(PmisReachBody<Space>{view}), sparse::keep<0>(PmisUpdateBody<Space>{view}));
  }
  core::for_each(space, n, OwnRootBody{is_coarse.data(), root.data()});
  auto result = numbered_aggregates(space, halo, root.view(), ids.view(), number);
  core::copy(space, number.view().part(0, n), space, result.aggregate.span());
  return result;
}

}  // namespace Tessera::aggregation
