#pragma once
/// \file
/// The graph of aggregates.
#include "galerkin/aggregate_map.hpp"

namespace Tessera::galerkin {

/// An edge between aggregates weighs what the edges between their vertices weigh together, coarsely rounded.
/// map: of the indicator T. Without `strong`. Collective.
template <class Space>
aggregation::StrengthGraph<Space> coarse_graph(Space const& space,
                                               aggregation::StrengthGraph<Space> const& graph,
                                               Tentative<Space> const& T, AggregateMap<Space> const& map);

}  // namespace Tessera::galerkin
