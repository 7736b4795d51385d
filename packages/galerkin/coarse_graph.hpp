#pragma once
/// \file
/// The graph of aggregates.
#include "galerkin/aggregate_map.hpp"

namespace Tessera::galerkin {

/// The weight of an edge between two aggregates is the sum of the weights of the edges between their
/// vertices, coarsely rounded. map: of the indicator T. `strong` stays empty. Collective.
template <class Space>
aggregation::StrengthGraph<Space> coarse_graph(Space const& space,
                                               aggregation::StrengthGraph<Space> const& graph,
                                               Tentative<Space> const& T, AggregateMap<Space> const& map);

}  // namespace Tessera::galerkin
