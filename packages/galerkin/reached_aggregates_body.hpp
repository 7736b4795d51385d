#pragma once
/// \file
/// Patterns from a product of the graph's random walk with the aggregates, one step at a time.
#include <cmath>
#include <utility>

#include "aggregation/coarse_rounding.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "galerkin/distributed_product.hpp"
#include "galerkin/energy_minimisation.hpp"
#include "galerkin/local_aggregates.hpp"
#include "sparse/engine/row_merge/row_merge.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::galerkin {

/// The begin of a node's row of the walk: a row has one entry more than the node has edges.
struct WalkOffsetBody {
  Offset const* edges;
  Offset* offsets;
  TESSERA_HD void operator()(Index v) const { offsets[v] = edges[v] + v; }
};
/// The node itself, then its edges.
struct WalkRowBody {
  static constexpr double stays = 1.0 / 3;
  Offset const* edges;
  Index const* neighbour;
  float const* weight;
  Index* column;
  double* value;
  TESSERA_HD void operator()(Index v) const {
    Offset const begin = edges[v], end = edges[v + 1];
    double sum = 0;
    for (Offset e = begin; e < end; ++e) sum += fabs(static_cast<double>(weight[e]));
    Offset to = begin + v;
    column[to] = v;
    value[to] = sum > 0 ? stays : 1.0;
    for (Offset e = begin; e < end; ++e) {
      column[++to] = neighbour[e];
      value[to] = sum > 0 ? (1 - stays) * fabs(static_cast<double>(weight[e])) / sum : 0.0;
    }
  }
};

template <class Space>
comm::DistCsr<double, Space> random_walk(Space const& space, aggregation::StrengthGraph<Space> const& graph) {
  auto const nodes = static_cast<std::size_t>(graph.nodes());
  comm::DistCsr<double, Space> W;
  W.rows = graph.halo.distribution();
  W.halo = graph.halo;
  auto& local = W.local;
  local.rows = graph.nodes();
  local.columns = local.rows + graph.halo.ghost_count();
  local.offsets = Array<Offset, Space>(space, nodes + 1);
  local.column = Array<Index, Space>(space, graph.neighbour.size() + nodes);
  local.value = Array<double, Space>(space, local.column.size());
  core::for_each(space, nodes + 1, WalkOffsetBody{graph.offsets.data(), local.offsets.data()});
  core::for_each(space, nodes,
                 WalkRowBody{graph.offsets.data(), graph.neighbour.data(), graph.weight.data(),
                             local.column.data(), local.value.data()});
  return W;
}

/// A B with columns of a row by ascending global number. Collective.
template <class Space>
comm::DistCsr<double, Space> product_in_order(Space const& space, comm::DistCsr<double, Space> const& A,
                                              comm::DistCsr<double, Space> const& B) {
  return product(space, A, B, [&](auto left, auto right, comm::HaloPlan<Space> const& columns) {
    return sparse::row_merge(space, sparse::CsrFactors{left}, sparse::CsrSources<>{right},
                             GlobalOrder{order_of(columns)});
  });
}

/// One entry per node with an aggregate.
struct MembershipRow {
  Span<Index const> own_aggregate;
  TESSERA_HD Offset begin(Index v) const { return v; }
  TESSERA_HD Offset end(Index v) const { return v + 1; }
  TESSERA_HD bool operator()(Index v, Offset) const { return own_aggregate[v] >= 0; }
  TESSERA_HD void take(Index, Offset v, Index& aggregate) const {
    aggregate = own_aggregate[static_cast<Index>(v)];
  }
};

/// Selects the aggregates that stay in a row, given the largest share of the row.
struct ReachedBody {
  sparse::CsrView<double> shares;
  double const* largest;
  Index const* own_aggregate;
  unsigned char const* is_root;
  double least;
  TESSERA_HD Offset begin(Index v) const { return shares.offsets[v]; }
  TESSERA_HD Offset end(Index v) const { return shares.offsets[v + 1]; }
  TESSERA_HD bool operator()(Index v, Offset k) const {
    if (own_aggregate[v] < 0 || shares.column[k] == own_aggregate[v]) return own_aggregate[v] >= 0;
    return is_root[v] == 0 && aggregation::coarsely_rounded(shares.value[k]) >=
                                  aggregation::coarsely_rounded(least * largest[v]);
  }
  TESSERA_HD void take(Index, Offset k, Index& aggregate) const { aggregate = shares.column[k]; }
};
struct LargestBody {
  sparse::CsrView<double> shares;
  double* largest;
  TESSERA_HD void operator()(Index v) const {
    double most = 0;
    for (Offset k = shares.offsets[v]; k < shares.offsets[v + 1]; ++k)
      most = shares.value[k] > most ? shares.value[k] : most;
    largest[v] = most;
  }
};

/// The aggregate of each owned node, in the numbering of these ghosts.
template <class Space>
Array<Index, Space> node_aggregates(Space const& space, Tentative<Space> const& T,
                                    std::vector<GlobalIndex> const& foreign) {
  OwnAggregates<Space> const own(T);
  auto const ghosts = core::to_space(space, foreign);
  Array<Index, Space> own_aggregate(space, T.aggregate.size());
  core::for_each(space, own_aggregate.size(),
                 LocalAggregateBody{T.aggregate.view(),
                                    {},
                                    ghosts.view(),
                                    own.begin,
                                    own.end,
                                    1,
                                    static_cast<Index>(own_aggregate.size()),
                                    own_aggregate.span()});
  return own_aggregate;
}

/// Each owned node's aggregate, with a share of 1. Collective.
template <class Space>
comm::DistCsr<double, Space> memberships(Space const& space, Tentative<Space> const& T,
                                         comm::Distribution const& nodes) {
  comm::DistCsr<double, Space> M;
  M.rows = nodes;
  auto const foreign = foreign_aggregates(space, T, Array<GlobalIndex, Space>(space, 0));
  comm::agree_on_errors(nodes.comm(), [&] {
    auto const own_aggregate = node_aggregates(space, T, foreign);
    sparse::row_select(space, nodes.local_size(), own_aggregate.size(), MembershipRow{own_aggregate.view()},
                       M.local.offsets, M.local.column);
    M.local.rows = nodes.local_size();
    M.local.columns = OwnAggregates<Space>(T).size() + static_cast<Index>(foreign.size());
    M.local.value = Array<double, Space>(space, M.local.column.size());
    core::fill(space, M.local.value.span(), 1.0);
  });
  M.halo = comm::HaloPlan<Space>(space, T.coarse_rows.divided(T.vectors), foreign);
  return M;
}

template <class Space>
ReachedAggregates<Space> reached_aggregates(Space const& space,
                                            aggregation::StrengthGraph<Space> const& graph,
                                            Tentative<Space> const& T, Span<unsigned char const> is_root,
                                            EnergyParameters const& parameters) {
  auto const& nodes = graph.halo.distribution();
  auto const walk = random_walk(space, graph);
  auto shares = memberships(space, T, nodes);
  for (int step = 0; step < parameters.reach; ++step) shares = product_in_order(space, walk, shares);
  ReachedAggregates<Space> reached;
  reached.foreign = shares.halo.ghosts();
  comm::agree_on_errors(nodes.comm(), [&] {
    auto const own_aggregate = node_aggregates(space, T, reached.foreign);
    auto const view = shares.local.view();
    Array<double, Space> largest(space, own_aggregate.size());
    core::for_each(space, own_aggregate.size(), LargestBody{view, largest.data()});
    sparse::row_select(
        space, view.rows, view.column.size(),
        ReachedBody{view, largest.data(), own_aggregate.data(), is_root.data(), parameters.prefilter},
        reached.offsets, reached.aggregate);
  });
  return reached;
}

/// Row i of P: its begin, and its columns, a block for each aggregate.
struct SpreadOffsetBody {
  Offset const* of_node;
  int equations, vectors;
  Index rows;
  Offset* offsets;
  TESSERA_HD void operator()(Index i) const {
    Index const v = i / equations;
    Offset const begin = of_node[v] * equations * vectors;
    Offset const length = i == rows ? 0 : (of_node[v + 1] - of_node[v]) * vectors;
    offsets[i] = begin + (i - v * equations) * length;
  }
};
struct SpreadRowBody {
  Offset const* of_node;
  Index const *reached, *own_aggregate;
  int equations, vectors;
  Offset const* offsets;
  double const* T;  ///< null: ones
  Index* column;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    Index const v = i / equations;
    Offset to = offsets[i];
    for (Offset k = of_node[v]; k < of_node[v + 1]; ++k) {
      for (int c = 0; c < vectors; ++c, ++to) {
        column[to] = reached[k] * vectors + c;
        double const t = T == nullptr ? 1.0 : T[static_cast<Offset>(i) * vectors + c];
        value[to] = reached[k] == own_aggregate[v] ? t : 0.0;
      }
    }
  }
};

template <class Space>
comm::DistCsr<double, Space> tentative_on_pattern(Space const& space, ReachedAggregates<Space> const& reached,
                                                  Tentative<Space> const& T, comm::Distribution const& rows) {
  comm::DistCsr<double, Space> P;
  P.rows = rows;
  auto& local = P.local;
  comm::agree_on_errors(rows.comm(), [&] {
    local.rows = rows.local_size();
    local.columns = (OwnAggregates<Space>(T).size() + static_cast<Index>(reached.foreign.size())) * T.vectors;
    local.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(local.rows) + 1);
    local.column = Array<Index, Space>(space, reached.aggregate.size() * T.equations * T.vectors);
    local.value = Array<double, Space>(space, local.column.size());
    core::for_each(
        space, local.offsets.size(),
        SpreadOffsetBody{reached.offsets.data(), T.equations, T.vectors, local.rows, local.offsets.data()});
  });
  reset_to_tentative(space, reached, T, P);
  P.halo = columns_of_aggregates(space, T, reached.foreign);
  return P;
}

template <class Space>
void reset_to_tentative(Space const& space, ReachedAggregates<Space> const& reached,
                        Tentative<Space> const& T, comm::DistCsr<double, Space>& P) {
  auto& local = P.local;
  comm::agree_on_errors(P.rows.comm(), [&] {
    auto const own_aggregate = node_aggregates(space, T, reached.foreign);
    core::for_each(
        space, static_cast<std::size_t>(local.rows),
        SpreadRowBody{reached.offsets.data(), reached.aggregate.data(), own_aggregate.data(), T.equations,
                      T.vectors, local.offsets.data(), T.indicator ? nullptr : T.value.data(),
                      local.column.data(), local.value.data()});
  });
}

}  // namespace Tessera::galerkin
