#pragma once
/// \file
/// The one place where a way to aggregate is chosen; several passes of PAA are one.
#include <utility>

#include "aggregation/paa.hpp"
#include "galerkin/coarse_graph.hpp"

namespace Tessera::multigrid {

/// The aggregate of a vertex' aggregate.
struct ComposeBody {
  Index const* first;              ///< of each vertex, as its map numbers them
  GlobalIndex const *own, *ghost;  ///< the aggregates of these
  Index owned;
  GlobalIndex* aggregate;
  TESSERA_HD void operator()(Index v) const {
    Index const a = first[v];
    aggregate[v] = a < 0 ? -1 : a < owned ? own[a] : ghost[a - owned];
  }
};

/// Passes of PAA, each among the aggregates of the one before: the levels in between are skipped. A vertex
/// without a neighbour among aggregates is a piece of the graph, and stays. Collective.
template <class Space>
aggregation::Aggregates<Space> paa_passes(Space const& space, aggregation::StrengthGraph<Space> graph,
                                          Span<VertexId const> ids,
                                          aggregation::AggregationParameters const& parameters, int passes,
                                          aggregation::Isolated isolated) {
  auto found = aggregation::paa(space, graph, ids, parameters, isolated);
  if (passes <= 1) return found;
  auto T = galerkin::indicator(found.coarse, std::move(found.aggregate));
  auto const map = galerkin::aggregate_map(space, T);
  graph = galerkin::coarse_graph(space, graph, T, map);
  auto result = paa_passes(space, std::move(graph), found.ids.view(), parameters, passes - 1,
                           aggregation::Isolated::kept);
  Array<GlobalIndex, Space> ghost(space, map.halo.ghost_count());
  map.halo.exchange(space, result.aggregate.view(), ghost.span());
  core::for_each(space, T.aggregate.size(),
                 ComposeBody{map.aggregate.data(), result.aggregate.data(), ghost.data(),
                             map.halo.distribution().local_size(), T.aggregate.data()});
  result.aggregate = std::move(T.aggregate);
  return result;
}

/// Aggregates of a level's nodes. Collective.
template <class Space>
aggregation::Aggregates<Space> aggregates(Space const& space, aggregation::StrengthGraph<Space> graph,
                                          Span<VertexId const> ids,
                                          aggregation::AggregationParameters const& parameters) {
  if (parameters.scheme == aggregation::AggregationScheme::mis2)
    return aggregation::aggregate(space, graph, ids, parameters);
  return paa_passes(space, std::move(graph), ids, parameters, parameters.passes,
                    aggregation::Isolated::left_out);
}

}  // namespace Tessera::multigrid
