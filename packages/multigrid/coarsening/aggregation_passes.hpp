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
  Index const* first;              ///< first aggregate of each vertex, numbered by its map
  GlobalIndex const *own, *ghost;  ///< aggregate of each first aggregate
  Index owned;
  GlobalIndex* aggregate;
  TESSERA_HD void operator()(Index v) const {
    Index const a = first[v];
    aggregate[v] = a < 0 ? -1 : a < owned ? own[a] : ghost[a - owned];
  }
};

/// The aggregates of vertices. map: of the first aggregates; of_first: the aggregates of these. Collective.
template <class Space>
Array<GlobalIndex, Space> compose_maps(Space const& space, galerkin::AggregateMap<Space> const& map,
                                       Span<GlobalIndex const> of_first) {
  Array<GlobalIndex, Space> ghost(space, map.halo.ghost_count()), aggregate(space, map.aggregate.size());
  map.halo.exchange(space, of_first, ghost.span());
  core::for_each(space, aggregate.size(),
                 ComposeBody{map.aggregate.data(), of_first.data(), ghost.data(),
                             map.halo.distribution().local_size(), aggregate.data()});
  return aggregate;
}

/// Passes of PAA, each on the aggregates of the previous pass, which skips levels (Brannick et al. 2013,
/// section 3.3). At most `passes`; a positive skip_ratio ends them once the graph has skip_ratio times as
/// many vertices as aggregates. An aggregate without neighbours is a component of the graph, and stays an
/// aggregate. Collective.
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
  result.aggregate = compose_maps(space, map, result.aggregate.view());
  return result;
}

/// A level as a matching reads it: a matrix with a row for each vertex.
template <class Space>
struct MatchingLevel {
  comm::DistCsr<double, Space> own_matrix;  ///< if the matrix is not that of the hierarchy's level
  bool ones = true;                         ///< w is a vector of ones, and not stored
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

/// The matrix of the pairs, W^T A W. Column j of W has the entries of w in pair j, not normalised. So w of
/// the pairs is a vector of ones, and the next matching is that of normalised columns.
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
  next.own_matrix =
      std::move(galerkin::PairSums<Space>(space, A, W, map, false, &next.diagonal, scales).coarse());
  if (level.mass) next.mass = std::move(mass);
  next.ids = std::move(pairs.ids);
  return next;
}

/// Whether a matched matrix has so many of the level's entries, or such long rows, that another matching
/// should follow. Smoothing makes long rows longer. After three matchings a row has 6.5 to 8 entries on plane
/// grids, 10 to 12 on 7-point stencils, 15 to 17 on tetrahedra and in elasticity, 26 on 27-point stencils.
template <class Space>
bool keeps_many_entries(comm::DistCsr<double, Space> const& matched, GlobalIndex entries) {
  auto const kept = static_cast<double>(comm::global_nonzeros(matched));
  return kept > 0.45 * static_cast<double>(entries) ||
         kept > 24.0 * static_cast<double>(matched.rows.global_size());
}

/// The level of the first matching, whose vertices are nodes: matrix and diagonal, w if a node has one
/// unknown, and the mass of the smoothing test if the rules need it.
template <class Space>
MatchingLevel<Space> level_of_nodes(Space const& space, LevelFacts<Space> const& fine,
                                    aggregation::MatchingRules const& rules) {
  MatchingLevel<Space> level;
  level.ids = Array<VertexId, Space>::borrowed(space, fine.ids.view());
  if (fine.equations > 1) {
    level.own_matrix = aggregation::matching_nodes(space, *fine.A, fine.equations);
    level.diagonal = Array<double, Space>(space, level.own_matrix.local.rows);
    sparse::extract_diagonal(space, level.own_matrix.local.view(), level.diagonal.span());
    return level;
  }
  level.ones = fine.constant;
  level.diagonal = Array<double, Space>::borrowed(space, fine.diagonal.view());
  level.w = Array<double, Space>(space, level.ones ? 0 : level.diagonal.size());
  core::for_each(space, level.w.size(), CopyVector{fine.nullspace.data(), fine.vectors, 0, level.w.data()});
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

/// The graph of the step-th matching. The first matching's weights do not depend on the mass.
template <class Space>
auto graph_of(Space const& space, comm::DistCsr<double, Space> const& A, MatchingLevel<Space> const& level,
              int step, aggregation::MatchingRules const& rules, bool coupled) {
  aggregation::PairCriteria criteria{{}, rules.least_quotient, rules.drop_tolerance};
  if (step > 1 && level.mass) criteria.mass = level.mass->view();
  return aggregation::matching_graph(space, A, level.diagonal.view(), level.w.view(), criteria, coupled);
}

/// The aggregates of nodes, composed from all matchings.
template <class Space>
aggregation::Aggregates<Space> aggregates_of_nodes(Space const& space, aggregation::Aggregates<Space> pairs,
                                                   std::vector<galerkin::AggregateMap<Space>> maps) {
  for (; !maps.empty(); maps.pop_back())
    pairs.aggregate = compose_maps(space, maps.back(), pairs.aggregate.view());
  return pairs;
}

/// Aggregates by `steps` matchings, each of the pairs of the previous one: up to 2^steps nodes in an
/// aggregate. The matrices of pairs are temporary. While such a matrix keeps too many entries, further
/// matchings follow, up to `most` in all.
///
/// w is the first vector of the near-nullspace if a node has one unknown. Nodes of several unknowns are
/// matched by the norms of their blocks. Nodes without a coupling stay outside aggregates.
///
/// strong: marks of the entries of A that smooth P. On the finest level they are filtered by weight if a node
/// has one unknown. Coarse levels are not filtered, because smoothing P makes positive couplings there.
/// Empty, on all ranks: not needed.
///
/// The finest level's first matching takes only edges that weigh more than rules.first_weight. With w = 1
/// and 1.02 it leaves out couplings that are positive, or at most 2 % of the mean of both diagonal entries.
/// Later matchings take these edges if their vertices have no better ones. Collective.
template <class Space>
aggregation::Aggregates<Space> matched_aggregates(Space const& space, LevelFacts<Space> const& fine,
                                                  int steps, int most, bool coupled,
                                                  aggregation::MatchingRules const& rules,
                                                  std::optional<Span<unsigned char>> strong = {}) {
  using aggregation::Isolated;
  if (rules.smoothing_share == 0) strong.reset();
  auto level = level_of_nodes(space, fine, rules);
  auto const* A = fine.equations > 1 ? &level.own_matrix : fine.A;
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
    if (step >= steps && (step >= most || !keeps_many_entries(*A, entries))) break;
    maps.emplace_back();
    level = matrix_of_pairs(space, *A, level, std::move(pairs), maps.back());
    A = &level.own_matrix;
  }
  return aggregates_of_nodes(space, std::move(pairs), std::move(maps));
}

}  // namespace Tessera::multigrid
