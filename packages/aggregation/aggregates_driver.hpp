#pragma once
/// \file
/// How the bodies of aggregates_body.hpp follow one another.
#include "aggregation/aggregates_body.hpp"
#include "aggregation/ghosts.hpp"
#include "aggregation/mis2.hpp"
#include "aggregation/vertex_list.hpp"
#include "core/parallel.hpp"

namespace Tessera::aggregation {

/// 1 for the members of a maximal independent set, ghosts included.
template <class Space>
void find_roots(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                Span<unsigned char const> candidate, Span<Index const> existing, int seed,
                Array<unsigned char, Space>& root) {
  static_assert(sizeof(Mis2State) == sizeof(unsigned char));
  auto* const state = reinterpret_cast<Mis2State*>(root.data());
  mis2(space, graph, ids, candidate, seed, Span<Mis2State>(state, graph.nodes()), existing);
  fetch_ghosts(space, graph.halo, root);
}

/// For the vertices of body.list. CUDA has its own.
inline void join_strongest(Host const& space, std::size_t size, StrengthGraph<Host> const&,
                           JoinStrongestBody const& body) {
  core::for_each(space, size, JoinStrongestOfFewBody{body});
}

template <class Space>
Aggregates<Space> aggregate(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                            AggregationParameters const& parameters) {
  auto const n = static_cast<std::size_t>(graph.nodes());
  auto const& halo = graph.halo;
  auto const& comm = halo.distribution().comm();
  GraphView const view{graph.offsets.data(), graph.neighbour.data(), graph.weight.data()};
  auto names = with_ghosts<VertexId>(space, halo);
  core::copy(space, ids, space, names.span());
  fetch_ghosts(space, halo, names);

  // Roots and their neighbours.
  auto root = with_ghosts<unsigned char>(space, halo);
  Array<unsigned char, Space> candidate(space, n);
  Array<Index, Space> joined(space, n), list(space, n);
  core::for_each(space, n, HasEdgeBody{view.offsets, candidate.data()});
  find_roots(space, graph, ids, candidate.view(), {}, parameters.seed, root);
  core::for_each(space, n, JoinRootBody{view, root.data(), joined.data()});

  // The same among those left over.
  auto left = core::select(space, n, IsLeftOver{joined.data()}, list.span());
  for (int phase = 0; phase < parameters.extra_phases && comm.any(left > 0); ++phase) {
    auto mark = with_ghosts<unsigned char>(space, halo);
    core::fill(space, mark.span(), 0);
    core::for_each(space, left, MarkBody{list.data(), mark.data()});
    fetch_ghosts(space, halo, mark);
    core::fill(space, candidate.span(), 0);
    core::for_each(space, left,
                   CrowdedBody{view, mark.data(), list.data(), parameters.extra_degree, candidate.data()});
    find_roots(space, graph, ids, candidate.view(), list.view().part(0, left), parameters.seed, root);
    Array<Index, Space> scratch(space, left), other(space, left);
    left = visit_and_keep(space, left, JoinNewRootBody{view, root.data(), list.data(), joined.data()},
                          IsLeftOver{joined.data()}, list, scratch, other);
  }

  // Numbers, in the order of the roots.
  Array<Index, Space> roots(space, n);
  auto const count = core::select(space, n, IsRoot{joined.data()}, roots.span());
  Aggregates<Space> result{comm::Distribution(comm, static_cast<Index>(count)),
                           Array<GlobalIndex, Space>(space, n), Array<VertexId, Space>(space, count)};
  auto number = with_ghosts<GlobalIndex>(space, halo);
  auto root_id = with_ghosts<VertexId>(space, halo);
  core::fill(space, number.span(), -1);
  core::for_each(
      space, count,
      NumberRootBody{roots.data(), names.data(), result.coarse.begin(), number.data(), result.ids.data()});
  fetch_ghosts(space, halo, number);
  core::for_each(space, n, NumberMemberBody{joined.data(), names.data(), number.data(), root_id.data()});

  // The rest.
  fetch_ghosts(space, halo, number);
  fetch_ghosts(space, halo, root_id);
  join_strongest(space, left, graph, JoinStrongestBody{view, root_id.data(), list.data(), number.data()});
  core::copy(space, Span<GlobalIndex const>(number.data(), n), space, result.aggregate.span());
  return result;
}

}  // namespace Tessera::aggregation
