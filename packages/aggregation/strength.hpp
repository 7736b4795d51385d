#pragma once
/// \file
/// Strength of connection, and the check of the diagonal that precedes it.
#include "comm/dist_csr.hpp"

namespace Tessera::aggregation {

enum class DropScheme {
  classical,           ///< |a_ij| > theta sqrt(|a_ii a_jj|)
  signed_classical,    ///< -a_ij >= theta max_k(-a_ik), in either direction; positive couplings are weak
  signed_symmetric,    ///< -a_ij > theta sqrt(|a_ii a_jj|)
  distance_laplacian,  ///< classical, applied to the Laplacian of inverse squared distances (needs
                       ///< coordinates)
  cut                  ///< before the first gap in the row, in either direction (couplings.hpp)
};

struct StrengthParameters {
  DropScheme scheme = DropScheme::classical;
  double drop_tolerance = 0.0;  ///< theta
  int equations = 1;            ///< unknowns a node; nodes are consecutive rows of one rank
  double dirichlet_threshold =
      0.0;  ///< a row whose off-diagonals are all <= this times a_ii is a Dirichlet row: no edges
  /// A row with |sum_j a_ij| > this times a_ii, which its mass dominates, is a Dirichlet row too; 0 and less:
  /// none is. For one equation a node.
  double row_sum_tolerance = -1.0;
  bool material = false;  ///< distance_laplacian: distances are those of the nodes' materials
  bool coupled = true;    ///< false: edges to other ranks are dropped
  bool edges = true;      ///< false: what is strong is found, and no edges
};

/// Where the owned nodes are and what they are made of, for distance_laplacian; empty for other schemes.
struct Points {
  Span<double const> coordinates;  ///< nodes x dimension, row-major
  int dimension = 0;
  /// The inverse of each node's material, say a conductivity: nodes x 1 where it is a number, nodes x
  /// dimension^2 where it is a symmetric tensor. Empty: all are made of the same.
  Span<double const> resistance = {};
};

/// The graph that aggregates are made of: one vertex a node, strong edges only, no self edges, symmetric when
/// A is. Columns are numbered as in DistCsr, ghosts in the order of halo.
///
/// A coupling of |a_ij| <= 1e-12 sqrt(a_ii a_jj) is a zero that rounding left: never strong. Everything that
/// is compared with a threshold, and the threshold, is rounded to 12 bits first, so that matrices which
/// differ by rounding errors have the same graph.
///
/// With several equations a node, a_ij is one number for the block between two nodes: its Frobenius norm,
/// which does not change with either node's basis; for the signed schemes its trace, which has a sign and
/// does not change when both nodes' unknowns are turned alike.
template <class Space>
struct StrengthGraph {
  comm::HaloPlan<Space> halo;     ///< of the nodes, no ghosts if not coupled; its distribution is the nodes'
  Array<Offset, Space> offsets;   ///< nodes + 1; empty where edges are not wanted
  Array<Index, Space> neighbour;  ///< of each edge
  /// |a_ij| / sqrt(a_ii a_jj) of each edge, rounded to 12 bits; minus that where a_ij > 0 is no block's norm.
  Array<float, Space> weight;
  /// For each entry of A.local: 1 where it is kept in the filtered matrix. Entries of a node's own block are.
  /// Edges that are missing because a vertex is Dirichlet or the ranks are not coupled do not matter here.
  Array<unsigned char, Space> strong;
  /// 1 for nodes on which a neighbour depends: the edge is strong by the neighbour's row. A node without such
  /// a neighbour is no root of an aggregate; an example is a cell of low permeability between two permeable
  /// layers. Empty: schemes whose criterion does not compare within rows.
  Array<unsigned char, Space> leads;
  Index nodes() const { return halo.distribution().local_size(); }
};

/// A is square, symmetric in its pattern. Collective. \throws core::InvalidInput when rows are not whole
/// nodes, a tolerance is out of range, coordinates or materials are missing or not finite, or the coordinates
/// of two coupled nodes are equal; core::NumericalError naming the row when a diagonal entry is missing,
/// zero, negative or not finite, or an entry is not finite.
template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A, Points const& points,
                              StrengthParameters const& parameters);

/// The same for callers who have checked_diagonal(A).
template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> diagonal, Points const& points,
                              StrengthParameters const& parameters);

/// a_ii of the owned rows. Not collective.
/// \throws core::NumericalError naming the first row whose diagonal entry is missing, zero, negative or not
/// finite, or that has another entry which is not finite
template <class Space>
Array<double, Space> checked_diagonal(Space const& space, comm::DistCsr<double, Space> const& A);

/// The same checks for a diagonal that the caller has (0 for a missing entry, NaN where an entry of the row
/// is not finite). Entries below `smallest` are refused, too.
template <class Space>
void check_diagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                    double smallest = 0);

}  // namespace Tessera::aggregation
