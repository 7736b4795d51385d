#pragma once
/// \file
/// Compatible weighted matching: pairs of vertices (D'Ambra, Vassilevski 2013; Bernaschi, D'Ambra, Pasquini
/// 2019, sections 2.2 and 3.1).
#include <optional>

#include "aggregation/aggregates.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::aggregation {

/// Conditions on two vertices that match.
struct PairCriteria {
  std::optional<Span<double const>> mass;  ///< see matching_graph; none on all ranks: not wanted
  double least_quotient = 0;               ///< a larger bound leaves more vertices unmatched
  double drop_tolerance = 0;               ///< theta: couplings that are not stronger do not match
};

/// The weight of edges that never match. A vertex that has only such edges is not isolated.
constexpr float weak_weight = 1e-30F;

/// The graph of the couplings with a weight c_ij = 1 - 2 a_ij w_i w_j / (a_ii w_i^2 + a_jj w_j^2) > 0. The
/// weight is large if the pair represents the smooth vector w well (Bernaschi et al. 2019, section 2.2).
/// Weights are rounded like those of strength(). One row of A is a vertex. The graph borrows A's pattern, so
/// each entry of A is an edge. An edge has weight 0, and matchings ignore it, if c is not positive or not
/// finite. w: owned rows; empty: ones. An edge has weak_weight if |a_ij| <= theta sqrt(a_ii a_jj) with A's
/// own diagonal. In the matrix of pairs, the diagonal is the sum of a pair's couplings to all other pairs, so
/// aggregates do not join almost disconnected components.
///
/// mass: m = (v, D v) for owned rows that are pairs, with the level's own diagonal D and the restriction v of
/// the level's w to the pair. Two vertices that match have one column for both. It does not contain v_i / m_i
/// - v_j / m_j, which is D-orthogonal to it, so smoothing must reduce this vector. Let e_i = a_ii w_i^2. The
/// vector's Rayleigh quotient for D^-1 A is (e_i / m_i^2 + e_j / m_j^2 - 2 a_ij w_i w_j / (m_i m_j)) / (1 /
/// m_i + 1 / m_j). If it is below least_quotient, there is no edge. (The quotient is c_ij if m = e, as on the
/// level itself.)
///
/// coupled: as in StrengthParameters. The graph has no `strong`. Collective.
template <class Space>
StrengthGraph<Space> matching_graph(Space const& space, comm::DistCsr<double, Space> const& A,
                                    Span<double const> diagonal, Span<double const> w,
                                    PairCriteria const& criteria = {}, bool coupled = true);

/// Defers light edges. The excess weight c_ij - 1 of an edge is compared with the largest excess at its ends:
/// with first_share times the larger of both, and with smoothing_share times the smaller. An edge below the
/// first bound gets the weight 1, so that only later matchings take it. Matchings cannot be undone: a vertex
/// that matches along a light edge would stay with a neighbour whose heavier edges lead elsewhere. strong:
/// one flag per entry of A; the function clears the flags of edges below the second bound, which do not
/// smooth P; none on all ranks: not wanted. Across an anisotropy, light entries would widen P's columns
/// without a gain. graph: from matching_graph; if ranks are not coupled, edges to other ranks stay unchanged.
/// Collective.
template <class Space>
void defer_light_edges(Space const& space, StrengthGraph<Space>& graph, MatchingRules const& rules,
                       std::optional<Span<unsigned char>> strong);

/// A matrix with a row for each node of A, whose rows are whole nodes of `equations` unknowns. Its entries
/// are the Frobenius norms of the blocks, negated off the diagonal. A norm does not depend on the orthonormal
/// basis of a node's unknowns. So weights with w = 1 are those of a Laplacian with these couplings.
/// Collective.
template <class Space>
comm::DistCsr<double, Space> matching_nodes(Space const& space, comm::DistCsr<double, Space> const& A,
                                            int equations);

/// A pair is an edge of the greedy matching, which repeatedly takes the heaviest edge with two free ends.
/// Edges have a total order: by weight, by a hash of both ends' ids, by the smaller and by the larger id. So
/// the matching does not depend on ranks or back end. The hash avoids long chains of vertices that wait for
/// each other on grids, whose weights are equal. In a round each free vertex points at its heaviest free
/// neighbour, and two vertices that point at each other match (Hoepman 2004). A vertex that remains free is
/// an aggregate by itself. Only edges with weights above `least` and weak_weight match. An aggregate has the
/// smaller of its two ids, and belongs to the owner of that vertex. ids: as for mis2. rounds: set to the
/// number of rounds; may be null. Collective.
template <class Space>
Aggregates<Space> matched_pairs(Space const& space, StrengthGraph<Space> const& graph,
                                Span<VertexId const> ids, Isolated isolated, float least = 0,
                                int* rounds = nullptr);

}  // namespace Tessera::aggregation
