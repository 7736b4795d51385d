#pragma once
/// \file
/// The members of aggregates, and edges between aggregates as sums over pairs; see aggregate_map.hpp.
#include "aggregation/coarse_rounding.hpp"
#include "core/counting_sort.hpp"
#include "core/parallel.hpp"
#include "galerkin/aggregate_map.hpp"
#include "galerkin/local_aggregates.hpp"
#include "galerkin/pair_sums_body.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::galerkin {

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
        core::counting_sort(space, nodes, core::Load<Index>{map.aggregate.data()}, map.first.span(), most);
  });
  map.halo = comm::HaloPlan<Space>(space, T.coarse_rows.divided(T.vectors), std::move(foreign));
  return map;
}

/// Off-diagonal entries become edges, also zero entries, because weights have signs and rounding would decide
/// which sums cancel.
struct EdgesBody {
  sparse::CsrView<double> sums;
  TESSERA_HD Offset begin(Index i) const { return sums.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return sums.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const { return sums.column[k] != i; }
  TESSERA_HD void take(Index, Offset k, Index& neighbour, float& weight) const {
    neighbour = sums.column[k];
    double const sum = sums.value[k];
    auto const size = static_cast<float>(aggregation::coarsely_rounded(sum < 0 ? -sum : sum));
    weight = sum < 0 ? -size : size;
  }
};

template <class Space>
aggregation::StrengthGraph<Space> coarse_graph(Space const& space,
                                               aggregation::StrengthGraph<Space> const& graph,
                                               Tentative<Space> const& T, AggregateMap<Space> const& map) {
  comm::DistCsr<float, Space> weights;
  weights.rows = graph.halo.distribution();
  weights.halo = graph.halo;
  weights.local.rows = graph.nodes();
  weights.local.columns = graph.nodes() + graph.halo.ghost_count();
  weights.local.offsets = Array<Offset, Space>::borrowed(space, graph.offsets.view());
  weights.local.column = Array<Index, Space>::borrowed(space, graph.neighbour.view());
  weights.local.value = Array<float, Space>::borrowed(space, graph.weight.view());
  PairSums<Space, float> sums(space, weights, T, map);
  auto const& coarse = sums.coarse();
  aggregation::StrengthGraph<Space> result;
  result.halo = coarse.halo;
  comm::agree_on_errors(coarse.rows.comm(), [&] {
    sparse::row_select(space, coarse.local.rows, coarse.local.column.size(), EdgesBody{coarse.local.view()},
                       result.offsets, result.neighbour, result.weight);
  });
  return result;
}

}  // namespace Tessera::galerkin
