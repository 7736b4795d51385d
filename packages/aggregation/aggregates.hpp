#pragma once
/// \file
/// Aggregates: their type, their parameters, and those from MIS(2).
#include <limits>
#include <vector>

#include "aggregation/strength.hpp"
#include "comm/archive.hpp"
#include "comm/distribution.hpp"

namespace Tessera::aggregation {

/// A partition of the vertices into aggregates. The owner of an aggregate's root owns the aggregate.
/// Aggregates are numbered in the order of their roots. Reshaping changes neither owners nor numbers.
template <class Space>
struct Aggregates {
  comm::Distribution coarse;            ///< of the aggregates
  Array<GlobalIndex, Space> aggregate;  ///< of each owned vertex, -1: none (isolated or Dirichlet)
  Array<VertexId, Space> ids;  ///< of the owned aggregates: the id of the root; for paa() see paa.hpp
  bool on_one_rank = false;    ///< whether one rank is known to have all vertices and aggregates

  /// Stores all members except `aggregate`, which the caller stores. of_vertices: distribution of the
  /// vertices. Loading is collective.
  void archive(core::Archive& file, Space const& space, comm::Distribution const& of_vertices) {
    auto& [rows, of_vertex, global_ids, one_rank] = *this;
    static_cast<void>(of_vertex);
    comm::archive(file, of_vertices.comm(), rows);
    file.array(space, global_ids, [&](Span<VertexId const> all) {
      core::require_size(file, all, static_cast<std::size_t>(coarse.local_size()), "ids of aggregates");
      core::require_between(file, all, VertexId{0}, std::numeric_limits<VertexId>::max(),
                            "ids of aggregates");
    });
    file(one_rank);
    file.require(one_rank == of_vertices.on_one_rank_with(rows), "the file places aggregates on ",
                 one_rank ? "one rank" : "several ranks");
  }
};

enum class AggregationScheme {
  mis2,     ///< aggregate()
  paa,      ///< paa()
  matching  ///< matched_pairs()
};

enum class Isolated { left_out, kept };  ///< vertices without an edge: in no aggregate, or one each

/// Bounds on the couplings that matchings take (matching.hpp). Bernaschi et al. 2019 have no bounds: 0.
struct MatchingRules {
  double least_quotient =
      0.3;  ///< smaller quotients give no edge: smoothing cannot separate the two vertices
  /// The first matching of the finest level takes edges with a weight above first_weight and a c_ij - 1 of at
  /// least first_share times the largest of both ends. The other edges wait for later matchings.
  double first_weight = 1.02, first_share = 0.6;
  double smoothing_share = 0.3;  ///< entries smooth P from this share of one end's largest c_ij - 1 on
  double drop_tolerance = 0;     ///< of the level: vertices with a weaker coupling do not match
};

struct AggregationParameters {
  int seed = 0;
  int extra_phases = 2;  ///< repetitions of MIS(2) on the left-over vertices
  int extra_degree =
      6;  ///< left-over vertices in the closed neighbourhood of a root of an extra phase, at least
  AggregationScheme scheme = AggregationScheme::mis2;
  int largest = 0;            ///< most vertices in an aggregate of one pass of paa(); 0: no limit
  int passes = 1;             ///< of paa(), each on the graph of the previous pass's aggregates
  int aggressive_levels = 1;  ///< levels, from the finest on, with all passes; the other levels have one
  double skip_ratio =
      0;              ///< vertices per aggregate from which further passes are skipped; 0: none is skipped
  int matchings = 3;  ///< composed on the finest level
  int coarse_matchings = 4;  ///< composed on each coarser level, whose rows are longer
  MatchingRules matching;
  int reshaping_steps = 0;  ///< of reshape()
};

/// Aggregates in three phases. First, a MIS(2) gives the roots, and each root takes its neighbours. Second,
/// up to extra_phases times, a MIS(2) of left-over vertices gives more roots. These vertices have at least
/// extra_degree left-over vertices in their closed neighbourhood. A vertex between two new roots takes the
/// stronger edge. Third, each remaining vertex joins the adjacent aggregate with the largest sum of edge
/// weights to it. Ties go to the smallest root id. Vertices without a strong edge are in no aggregate:
/// isolated and Dirichlet vertices. If ranks are not coupled, the same holds for vertices whose strong edges
/// all lead to other ranks. Collective.
template <class Space>
Aggregates<Space> aggregate(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                            AggregationParameters const& parameters);

/// Brannick, Chen, Hu, Zikatanov 2013, Algorithm 3, for many pairs of adjacent aggregates at once. Each step
/// matches aggregates, the largest weight first (ties by a hash of their ids). A pair is tried again only if
/// one of its aggregates has changed since. Candidates are the bipartitions of the pair's vertices into
/// connected sides whose sizes differ by at most one. The bipartition with the largest trace |T|_A^2 gives
/// the two aggregates (bipartition.hpp). Ties go to the fewest moved vertices, then to the first by vertex
/// ids. Each side goes to the aggregate that it shares more vertices with; on a tie the side with the
/// smallest vertex id goes to the aggregate with the smaller id.
///
/// Edges of negative weight (positive couplings) connect vertices and add no weight. Pairs of more than 16
/// vertices are not changed. Aggregates keep their numbers, ids and owners, but a root may move to another
/// aggregate. The result depends on the graph, the ids and the aggregates alone, not on ranks, threads or
/// back end. Collective.
template <class Space>
void reshape(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids, int steps,
             Aggregates<Space>& aggregates);

/// Figures of all ranks.
struct AggregateStatistics {
  GlobalIndex count = 0;     ///< of aggregates
  GlobalIndex smallest = 0;  ///< vertices of the smallest aggregate; 0 if there are no aggregates
  GlobalIndex largest = 0;
  GlobalIndex outside = 0;  ///< vertices in no aggregate
};

/// aggregate: of each owned vertex, -1: none. Collective.
AggregateStatistics aggregate_statistics(comm::Distribution const& coarse,
                                         std::vector<GlobalIndex> const& aggregate);

}  // namespace Tessera::aggregation
