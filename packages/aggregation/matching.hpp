#pragma once
/// \file
/// Compatible weighted matching: pairs of vertices (D'Ambra, Vassilevski 2013; Bernaschi, D'Ambra, Pasquini
/// 2019, sections 2.2 and 3.1).
#include <optional>

#include "aggregation/aggregates.hpp"
#include "sparse/engine/frontier.hpp"

namespace Tessera::aggregation {

/// What smoothing has to be able to do for two vertices that match.
struct Smoothable {
  std::optional<Span<double const>> mass;  ///< none: nobody asks, on any rank
  double least_quotient = 0;               ///< larger bounds leave more alone
  double drop_tolerance = 0;               ///< theta: couplings that are not stronger do not match
};

/// The weight of edges that never match. A vertex with such edges only is not isolated.
constexpr float weak_weight = 1e-30F;

/// The graph of the couplings with a weight c_ij = 1 - 2 a_ij w_i w_j / (a_ii w_i^2 + a_jj w_j^2) > 0, which
/// is large where w, a smooth vector, is best represented by the pair (Bernaschi et al. 2019, section 2.2).
/// Weights are rounded as strength's are. One row of A is a vertex. The graph has an edge for each entry of
/// A, from which it borrows them, of weight 0 where c is not positive or not finite: no edge for those who
/// match. w: owned rows; empty: ones. An edge has weak_weight if |a_ij| <= theta sqrt(a_ii a_jj) with A's own
/// diagonal. In the matrix of pairs, the diagonal is the sum of a pair's couplings to all other pairs, so
/// that aggregates do not join parts that are almost separate.
///
/// mass: of owned rows that are pairs, (v, D v) with the level's own diagonal D and the vector v that is the
/// level's w on the pair. Two vertices that match have one column for both,
/// none for v_i / m_i - v_j / m_j, which is D-orthogonal to it: smoothing has to reduce that one. Hence no
/// edge where its Rayleigh quotient for D^-1 A, (e_i / m_i^2 + e_j / m_j^2 - 2 a_ij w_i w_j / (m_i m_j)) / (1
/// / m_i + 1 / m_j) with e_i = a_ii w_i^2, is below least_quotient. (It is c_ij where m = e, as on the level
/// itself.)
///
/// coupled: as StrengthParameters'. The graph has no `strong`. Collective.
template <class Space>
StrengthGraph<Space> matching_graph(Space const& space, comm::DistCsr<double, Space> const& A,
                                    Span<double const> diagonal, Span<double const> w,
                                    Smoothable const& smoothable = {}, bool coupled = true);

/// Sets aside what weighs little beside others: what an edge weighs above 1, c_ij - 1, is compared with the
/// largest of an end, by first_share at both and by smoothing_share at one. Edges that are not to match yet
/// get the weight 1, so they remain edges: whoever takes a neighbour that is tied to others is tied to them
/// for good. strong, with an element for each entry of A, keeps those that P is to be smoothed by, and the
/// diagonal; none: nobody asks, on any rank. Across an anisotropy light entries make P's columns wide for
/// nothing. graph: matching_graph's; entries of other ranks' columns stay as they are where it is not
/// coupled. Collective.
template <class Space>
void set_light_aside(Space const& space, StrengthGraph<Space>& graph, MatchingRules const& rules,
                     std::optional<Span<unsigned char>> strong);

/// A matrix with a row for each node of A, whose rows are whole nodes of `equations` unknowns: the Frobenius
/// norms of the blocks, which no basis of a node's unknowns changes, with a minus off the diagonal. So
/// weights with w = 1 are those of a Laplacian with these couplings. Collective.
template <class Space>
comm::DistCsr<double, Space> matching_nodes(Space const& space, comm::DistCsr<double, Space> const& A,
                                            int equations);

/// A pair is an edge of the greedy matching, which takes the heaviest edge whose ends are both free until
/// there is none. Edges are in a total order: by weight, by a hash of both ends' ids, by the smaller and by
/// the larger id; so the matching does not depend on ranks or back end, and grids, whose weights are equal,
/// have no long chains of vertices that wait for each other. In a round each free vertex points at its
/// heaviest free neighbour, and those who point at each other match (Hoepman 2004). Free vertices that are
/// left are aggregates of their own. Edges match whose weights are above `least` and weak_weight. An
/// aggregate has its smaller id, and belongs to the owner of that vertex. ids: as mis2's. rounds: how many it
/// took; null: nobody asks. Collective.
template <class Space>
Aggregates<Space> matched_pairs(Space const& space, StrengthGraph<Space> const& graph,
                                Span<VertexId const> ids, Isolated isolated, float least = 0,
                                int* rounds = nullptr);

}  // namespace Tessera::aggregation
