#pragma once
/// \file
/// See aggregate_map.hpp.
#include "core/counting_sort.hpp"
#include "galerkin/aggregate_map.hpp"
#include "galerkin/local_aggregates.hpp"

namespace Tessera::galerkin {

struct AggregateOfNode {
  Index const* aggregate;
  TESSERA_HD Index operator()(Index v) const { return aggregate[v]; }
};

template <class Space>
AggregateMap<Space> aggregate_map(Space const& space, Tentative<Space> const& T, int most) {
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
    map.member =
        core::counting_sort(space, nodes, AggregateOfNode{map.aggregate.data()}, map.first.span(), most);
  });
  map.halo = comm::HaloPlan<Space>(space, T.coarse_rows.divided(T.vectors), std::move(foreign));
  return map;
}

}  // namespace Tessera::galerkin
