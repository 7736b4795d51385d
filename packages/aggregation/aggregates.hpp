#pragma once
/// \file
/// Aggregates from MIS(2).
#include "aggregation/strength.hpp"
#include "comm/archive.hpp"

namespace Tessera::aggregation {

/// Who belongs together. The owner of an aggregate's root owns the aggregate; aggregates are numbered in the
/// order of their roots. (Reshaped ones stay whose and what they were, wherever their roots are then.)
template <class Space>
struct Aggregates {
  comm::Distribution coarse;            ///< of the aggregates
  Array<GlobalIndex, Space> aggregate;  ///< of each owned vertex, -1: none (isolated or Dirichlet)
  Array<VertexId, Space> ids;           ///< of the owned aggregates: the id of the root, or as paa() says
  bool on_one_rank = false;             ///< all vertices and aggregates are known to be

  /// But for `aggregate`, which those borrow who have it. Collective when it loads.
  void archive(core::Archive& file, Space const& space, comm::Communicator const& comm) {
    auto& [rows, of_vertex, names, alone] = *this;
    static_cast<void>(of_vertex);
    comm::archive(file, comm, rows);
    file.array(space, names);
    file(alone);
  }
};

enum class AggregationScheme {
  mis2,     ///< aggregate()
  paa,      ///< paa()
  matching  ///< matched_pairs()
};

/// Who becomes a root first (mis2.hpp).
enum class RootOrder {
  hash,  ///< by lot
  front  ///< those next to what has a root already
};

enum class Isolated { left_out, kept };  ///< vertices without an edge: in no aggregate, or one each

/// What matchings ask of couplings besides their weights (matching.hpp). Bernaschi et al. 2019 ask nothing:
/// all of these are 0 then.
struct MatchingRules {
  double least_quotient = 0.3;  ///< smaller ones are no edges: smoothing cannot part the two vertices
  /// The first matching of the finest level takes edges whose weight is above first_weight, and whose c_ij -
  /// 1 is at least first_share of the largest of both ends; others wait for the matchings that follow.
  double first_weight = 1.02, first_share = 0.6;
  double smoothing_share = 0.3;  ///< P is smoothed by what has at least so much of one end's largest
};

struct AggregationParameters {
  int seed = 0;
  RootOrder order = RootOrder::hash;
  int extra_phases = 2;  ///< how often MIS(2) is repeated on what is left over
  int extra_degree = 6;  ///< a left-over vertex takes part with at least so many left-over vertices around it
                         ///< (itself counted)
  AggregationScheme scheme = AggregationScheme::mis2;
  int largest = 0;            ///< vertices of an aggregate that one pass of paa() makes; 0: any number
  int passes = 1;             ///< of paa(), each among the aggregates of the one before
  int aggressive_levels = 1;  ///< from the finest on, that take all the passes; the others take one
  double skip_ratio = 0;  ///< no further pass once a level has so many times its aggregates; 0: all are made
  int matchings = 3;      ///< that are composed on the finest level
  int coarse_matchings = 4;  ///< and on those below it, whose rows are longer
  MatchingRules matching;
  int reshaping_steps = 0;  ///< of reshape()
};

/// Roots, which are a MIS(2), with their neighbours; up to extra_phases times the same again among the
/// vertices left over, roots being chosen from those with extra_degree left-over vertices around them (a
/// vertex between two new roots takes the stronger edge); the rest joins the adjacent aggregate that the sum
/// of its edges' weights is largest to. Ties go to the smallest root id. Vertices without a strong edge stay
/// out: isolated and Dirichlet ones, and, where ranks are not coupled, those with strong edges to other ranks
/// only. Collective.
template <class Space>
Aggregates<Space> aggregate(Space const& space, StrengthGraph<Space> const& graph, Span<VertexId const> ids,
                            AggregationParameters const& parameters);

}  // namespace Tessera::aggregation
