#pragma once
/// \file
/// Aggregates from pairs of pairs: compatible weighted matching, composed (Bernaschi, D'Ambra, Pasquini 2019,
/// section 3, Algorithm 1).
#include <utility>
#include <vector>

#include "aggregation/diagonal.hpp"
#include "aggregation/matching.hpp"
#include "core/parallel.hpp"
#include "galerkin/pair_sums.hpp"
#include "multigrid/coarsening/aggregation_passes.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/near_nullspace.hpp"

namespace Tessera::multigrid {

/// What a matching sees of a level: a matrix with a row for each vertex.
template <class Space>
struct MatchingLevel {
  comm::DistCsr<double, Space> made;  ///< where the matrix is not a level's own
  Array<double, Space> diagonal, w;   ///< w: empty where it is ones
  Array<VertexId, Space> ids;
};

/// The pairs' own matrix, W^T A W with the pairs' entries of w for W.
template <class Space>
MatchingLevel<Space> matrix_of_pairs(Space const& space, comm::DistCsr<double, Space> const& A,
                                     Span<double const> w, bool ones, aggregation::Aggregates<Space> pairs,
                                     galerkin::AggregateMap<Space>& map) {
  auto T = ones ? galerkin::indicator(pairs.coarse, std::move(pairs.aggregate))
                : galerkin::tentative_prolongator(space, pairs, w, 1, 1);
  map = galerkin::aggregate_map(space, T);
  MatchingLevel<Space> next;
  next.made = std::move(galerkin::PairSums<Space>(space, A, T, map).coarse());
  next.diagonal = Array<double, Space>(space, next.made.local.rows);
  sparse::extract_diagonal(space, next.made.local.view(), next.diagonal.span());
  if (!ones) next.w = std::move(T.coarse_nullspace);
  next.ids = std::move(pairs.ids);
  return next;
}

/// `steps` matchings one after the other, each among the pairs of the one before, whose matrix is made and
/// thrown away: aggregates of up to 2^steps nodes. w is the first vector of the near-nullspace where a node
/// has one unknown; nodes of several are matched by the norms of their blocks. Nodes without a coupling stay
/// out. Collective.
template <class Space>
aggregation::Aggregates<Space> matched_aggregates(Space const& space, LevelFacts<Space> const& fine,
                                                  int steps, bool coupled) {
  using aggregation::Isolated;
  MatchingLevel<Space> level;
  auto const* A = fine.A;
  bool const ones = fine.ones || fine.equations > 1;
  if (fine.equations > 1) {
    level.made = aggregation::matching_nodes(space, *fine.A, fine.equations);
    A = &level.made;
    level.diagonal = Array<double, Space>(space, A->local.rows);
    sparse::extract_diagonal(space, A->local.view(), level.diagonal.span());
  } else {
    level.diagonal = Array<double, Space>::borrowed(space, fine.diagonal.view());
    level.w = Array<double, Space>(space, ones ? 0 : level.diagonal.size());
    core::for_each(space, level.w.size(), PickVector{fine.nullspace.data(), fine.vectors, 0, level.w.data()});
  }
  level.ids = Array<VertexId, Space>::borrowed(space, fine.ids.view());

  std::vector<galerkin::AggregateMap<Space>> maps;
  aggregation::Aggregates<Space> pairs;
  for (int step = 0;; ++step) {
    auto const graph = aggregation::matching_graph(space, *A, level.diagonal.view(), level.w.view(), coupled);
    pairs = aggregation::matched_pairs(space, graph, level.ids.view(),
                                       step == 0 ? Isolated::left_out : Isolated::kept);
    if (step + 1 == steps) break;
    maps.emplace_back();
    level = matrix_of_pairs(space, *A, level.w.view(), ones, std::move(pairs), maps.back());
    A = &level.made;
  }
  // From the last pairs to the nodes.
  for (; !maps.empty(); maps.pop_back())
    pairs.aggregate = composed(space, maps.back(), pairs.aggregate.view());
  return pairs;
}

}  // namespace Tessera::multigrid
