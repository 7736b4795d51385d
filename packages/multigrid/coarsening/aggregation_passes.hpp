#pragma once
/// \file
/// Aggregates of aggregates: the levels in between are skipped.
#include <utility>

#include "aggregation/paa.hpp"
#include "core/parallel.hpp"
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

/// The aggregates of vertices from those of their first aggregates, whose map this is. Collective.
template <class Space>
Array<GlobalIndex, Space> composed(Space const& space, galerkin::AggregateMap<Space> const& map,
                                   Span<GlobalIndex const> of_first) {
  Array<GlobalIndex, Space> ghost(space, map.halo.ghost_count()), aggregate(space, map.aggregate.size());
  map.halo.exchange(space, of_first, ghost.span());
  core::for_each(space, aggregate.size(),
                 ComposeBody{map.aggregate.data(), of_first.data(), ghost.data(),
                             map.halo.distribution().local_size(), aggregate.data()});
  return aggregate;
}

/// Passes of PAA, each among the aggregates of the one before: Brannick et al. 2013, section 3.3, which skips
/// levels so. As many as `passes`; where skip_ratio is positive none once the graph has that many times the
/// aggregates. A vertex without a neighbour among aggregates is a piece of the graph, and stays. Collective.
template <class Space>
aggregation::Aggregates<Space> paa_passes(Space const& space, aggregation::StrengthGraph<Space> const& graph,
                                          Span<VertexId const> ids,
                                          aggregation::AggregationParameters const& parameters, int passes,
                                          double skip_ratio, aggregation::Isolated isolated) {
  auto found = aggregation::paa(space, graph, ids, parameters, isolated);
  auto const vertices = static_cast<double>(graph.halo.distribution().global_size());
  auto const left = skip_ratio * static_cast<double>(found.coarse.global_size());
  if (passes <= 1 || (skip_ratio > 0 && vertices >= left)) return found;
  auto const T = galerkin::indicator(found.coarse, std::move(found.aggregate));
  auto const map = galerkin::aggregate_map(space, T);
  auto result = paa_passes(space, galerkin::coarse_graph(space, graph, T, map), found.ids.view(), parameters,
                           passes - 1, left / vertices, aggregation::Isolated::kept);
  result.aggregate = composed(space, map, result.aggregate.view());
  return result;
}

}  // namespace Tessera::multigrid
