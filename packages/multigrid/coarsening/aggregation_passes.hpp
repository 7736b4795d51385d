#pragma once
/// \file
/// Aggregates of aggregates, without the levels between: passes of PAA, and compatible weighted matching
/// (Bernaschi, D'Ambra, Pasquini 2019, section 2.2, Algorithm 2).
#include <optional>
#include <utility>
#include <vector>

#include "aggregation/matching.hpp"
#include "aggregation/paa.hpp"
#include "aggregation/strength.hpp"
#include "core/parallel.hpp"
#include "galerkin/aggregate_map.hpp"
#include "galerkin/pair_sums.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/node_data.hpp"

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

/// What a matching sees of a level: a matrix with a row for each vertex.
template <class Space>
struct MatchingLevel {
  comm::DistCsr<double, Space> made;  ///< where the matrix is not a level's own
  bool ones = true;                   ///< w is, and not stored
  Array<double, Space> diagonal, w;
  std::optional<Array<double, Space>> mass;  ///< as matching_graph's
  Array<VertexId, Space> ids;
};

/// a_ii w_i^2.
struct MassBody {
  double const *diagonal, *w;
  double* mass;
  TESSERA_HD void operator()(Index i) const { mass[i] = diagonal[i] * (w[i] * w[i]); }
};

/// The pairs' own matrix W^T A W, where W has the pairs' entries of w, not normalised: then w of the pairs is
/// ones, and what is matched next is what it would be with columns of norm one.
template <class Space>
MatchingLevel<Space> matrix_of_pairs(Space const& space, comm::DistCsr<double, Space> const& A,
                                     MatchingLevel<Space> const& level, aggregation::Aggregates<Space> pairs,
                                     galerkin::AggregateMap<Space>& map) {
  auto W = galerkin::indicator(pairs.coarse, std::move(pairs.aggregate));
  W.indicator = level.ones;
  W.value = Array<double, Space>::borrowed(space, level.w.view());
  map = galerkin::aggregate_map(space, W, 2);
  MatchingLevel<Space> next;
  Array<double, Space> mass;
  galerkin::Scales<Space> scales;
  if (level.mass) scales = {(level.ones ? *level.mass : level.diagonal).data(), &mass};
  next.made = std::move(galerkin::PairSums<Space>(space, A, W, map, false, &next.diagonal, scales).coarse());
  if (level.mass) next.mass = std::move(mass);
  next.ids = std::move(pairs.ids);
  return next;
}

/// Whether a matrix that was matched has so many of the level's entries, or such long rows, that another
/// matching should follow: smoothing makes long rows longer still. The third matching has 6.5 to 8 entries a
/// row on plane grids, 10 to 12 on 7-point stencils, 15 to 17 on tetrahedra and in elasticity, 26 on 27-point
/// stencils.
template <class Space>
bool keeps_many(comm::DistCsr<double, Space> const& matched, GlobalIndex entries) {
  auto const kept = static_cast<double>(comm::global_nonzeros(matched));
  return kept > 0.45 * static_cast<double>(entries) ||
         kept > 24.0 * static_cast<double>(matched.rows.global_size());
}

/// What the first matching sees of the finest nodes: their matrix and diagonal, w where a node has one
/// unknown, and the mass that P's smoothing is judged by, where rules ask for it.
template <class Space>
MatchingLevel<Space> level_of_nodes(Space const& space, LevelFacts<Space> const& fine,
                                    aggregation::MatchingRules const& rules) {
  MatchingLevel<Space> level;
  level.ids = Array<VertexId, Space>::borrowed(space, fine.ids.view());
  if (fine.equations > 1) {
    level.made = aggregation::matching_nodes(space, *fine.A, fine.equations);
    level.diagonal = Array<double, Space>(space, level.made.local.rows);
    sparse::extract_diagonal(space, level.made.local.view(), level.diagonal.span());
    return level;
  }
  level.ones = fine.constant;
  level.diagonal = Array<double, Space>::borrowed(space, fine.diagonal.view());
  level.w = Array<double, Space>(space, level.ones ? 0 : level.diagonal.size());
  core::for_each(space, level.w.size(), PickVector{fine.nullspace.data(), fine.vectors, 0, level.w.data()});
  if (rules.least_quotient == 0) {
    level.mass.reset();
  } else if (level.ones) {
    level.mass = Array<double, Space>::borrowed(space, fine.diagonal.view());
  } else {
    level.mass = Array<double, Space>(space, level.w.size());
    core::for_each(space, level.w.size(),
                   MassBody{level.diagonal.data(), level.w.data(), level.mass->data()});
  }
  return level;
}

/// The graph that the step-th matching pairs; the first one's weights leave the mass out.
template <class Space>
auto graph_of(Space const& space, comm::DistCsr<double, Space> const& A, MatchingLevel<Space> const& level,
              int step, aggregation::MatchingRules const& rules, bool coupled) {
  aggregation::PairCriteria criteria{{}, rules.least_quotient, rules.drop_tolerance};
  if (step > 1 && level.mass) criteria.mass = level.mass->view();
  return aggregation::matching_graph(space, A, level.diagonal.view(), level.w.view(), criteria, coupled);
}

/// Aggregates of the last pairs, from those pairs up to the nodes.
template <class Space>
aggregation::Aggregates<Space> of_nodes(Space const& space, aggregation::Aggregates<Space> pairs,
                                        std::vector<galerkin::AggregateMap<Space>> maps) {
  for (; !maps.empty(); maps.pop_back())
    pairs.aggregate = composed(space, maps.back(), pairs.aggregate.view());
  return pairs;
}

/// `steps` matchings one after the other, each among the pairs of the one before, whose matrix is made and
/// thrown away: aggregates of up to 2^steps nodes. Of those up to `most`, others follow while a matrix in
/// between keeps too many entries. w is the first vector of the near-nullspace where a node
/// has one unknown; nodes of several are matched by the norms of their blocks. Nodes without a coupling stay
/// out. strong: the entries of A that P is smoothed by, of which the finest level's are filtered by weight
/// where a node has one unknown (coarse levels have positive couplings from P's own smoothing); none: nobody
/// asks, on any rank. Edges of the finest level's first matching weigh more than rules.first_weight: others,
/// with w = 1 and 1.02 couplings that are positive or at most 2 % of the mean of both diagonal entries, are
/// left to the matchings that follow, by when their ends have better ones. Collective.
template <class Space>
aggregation::Aggregates<Space> matched_aggregates(Space const& space, LevelFacts<Space> const& fine,
                                                  int steps, int most, bool coupled,
                                                  aggregation::MatchingRules const& rules,
                                                  std::optional<Span<unsigned char>> strong = {}) {
  using aggregation::Isolated;
  if (rules.smoothing_share == 0) strong.reset();
  auto level = level_of_nodes(space, fine, rules);
  auto const* A = fine.equations > 1 ? &level.made : fine.A;
  auto const entries = steps < most ? comm::global_nonzeros(*A) : 0;
  std::vector<galerkin::AggregateMap<Space>> maps;
  aggregation::Aggregates<Space> pairs;
  for (int step = 1;; ++step) {
    auto graph = graph_of(space, *A, level, step, rules, coupled);
    bool const first = step == 1 && fine.level == 0;
    if (first && fine.equations == 1 && (rules.first_share > 0 || strong))
      aggregation::defer_light_edges(space, graph, rules, strong);
    pairs = aggregation::matched_pairs(space, graph, level.ids.view(),
                                       step == 1 ? Isolated::left_out : Isolated::kept,
                                       first ? static_cast<float>(rules.first_weight) : 0);
    if (step >= steps && (step >= most || !keeps_many(*A, entries))) break;
    maps.emplace_back();
    level = matrix_of_pairs(space, *A, level, std::move(pairs), maps.back());
    A = &level.made;
  }
  return of_nodes(space, std::move(pairs), std::move(maps));
}

}  // namespace Tessera::multigrid
