#pragma once
/// \file
/// Aggregates as arrays, from which transfers and sums over pairs of aggregates follow.
#include "comm/halo_plan.hpp"
#include "galerkin/tentative.hpp"

namespace Tessera::galerkin {

/// The aggregates of this rank's nodes, and their members.
template <class Space>
struct AggregateMap {
  comm::HaloPlan<Space> halo;     ///< of the aggregates; ghosts: those of other ranks with members here
  Array<Index, Space> aggregate;  ///< of each owned node, as the halo numbers them; -1: none
  Array<Index, Space> first;      ///< aggregates, ghosts included, + 1
  Array<Index, Space> member;     ///< those of a from member[first[a]] up to member[first[a + 1]], ascending
  Index aggregates() const { return static_cast<Index>(first.size()) - 1; }
  std::size_t bytes() const { return aggregate.bytes() + first.bytes() + member.bytes(); }
};

/// most: no aggregate has more members; 0: not known. Collective.
template <class Space>
AggregateMap<Space> aggregate_map(Space const& space, Tentative<Space> const& T, int most = 0);

}  // namespace Tessera::galerkin
