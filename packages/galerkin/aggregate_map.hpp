#pragma once
/// \file
/// Aggregates as arrays, from which transfers and sums over pairs of aggregates follow.
#include "core/counting_sort.hpp"
#include "galerkin/local_aggregates.hpp"

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

struct AggregateOfNode {
  Index const* aggregate;
  TESSERA_HD Index operator()(Index v) const { return aggregate[v]; }
};

/// Collective.
template <class Space>
AggregateMap<Space> aggregate_map(Space const& space, Tentative<Space> const& T) {
  OwnAggregates<Space> const own(T);
  auto const& comm = T.coarse_rows.comm();
  auto foreign = foreign_aggregates(space, T, Array<GlobalIndex, Space>());
  AggregateMap<Space> map;
  comm::agree_on_errors(comm, [&] {
    auto const ghosts = core::to_space(space, foreign);
    auto const nodes = T.aggregate.size();
    map.aggregate = Array<Index, Space>(space, nodes);
    core::for_each(space, nodes,
                   LocalAggregateBody{T.aggregate.view(),
                                      {},
                                      ghosts.view(),
                                      own.begin,
                                      own.end,
                                      1,
                                      static_cast<Index>(nodes),
                                      map.aggregate.span()});
    map.first = Array<Index, Space>(space, own.size() + foreign.size() + 1);
    map.member = core::counting_sort(space, nodes, AggregateOfNode{map.aggregate.data()}, map.first.span());
  });
  auto const coarse = T.vectors == 1 ? T.coarse_rows : comm::Distribution(comm, own.size());
  map.halo = comm::HaloPlan<Space>(space, coarse, std::move(foreign));
  return map;
}

}  // namespace Tessera::galerkin
