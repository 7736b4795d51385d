#pragma once
/// \file
/// Aggregates as arrays, for transfers and for sums over pairs of aggregates, and the graph of aggregates.
#include "comm/halo_plan.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// The aggregates of the owned nodes, and the members of each aggregate.
template <class Space>
struct AggregateMap {
  comm::HaloPlan<Space>
      halo;  ///< of the aggregates; its ghosts are aggregates of other ranks with members on this rank
  Array<Index, Space> aggregate;  ///< of each owned node, in the halo's numbering; -1: none
  Array<Index, Space> first;      ///< aggregates, ghosts included, + 1
  Array<Index, Space> member;     ///< members of a: member[first[a]] to member[first[a + 1]], ascending
  Index aggregates() const { return static_cast<Index>(first.size()) - 1; }
  std::size_t bytes() const { return aggregate.bytes() + first.bytes() + member.bytes(); }
};

/// most: an upper bound on the members of an aggregate; 0: unknown. Collective.
template <class Space>
AggregateMap<Space> aggregate_map(Space const& space, Tentative<Space> const& T, int most = 0);

/// The weight of an edge between two aggregates is the sum of the weights of the edges between their
/// vertices, coarsely rounded. map: of the indicator T. `strong` stays empty. Collective.
template <class Space>
aggregation::StrengthGraph<Space> coarse_graph(Space const& space,
                                               aggregation::StrengthGraph<Space> const& graph,
                                               Tentative<Space> const& T, AggregateMap<Space> const& map);

}  // namespace Tessera::galerkin
