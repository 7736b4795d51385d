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
  cut                  ///< sizes above the first gap in the row, in either direction (couplings.hpp)
};

struct StrengthParameters {
  DropScheme scheme = DropScheme::classical;
  double drop_tolerance = 0.0;  ///< theta
  int equations = 1;            ///< unknowns per node, which are consecutive rows of one rank
  double dirichlet_threshold =
      0.0;  ///< a row whose off-diagonal entries are all <= this times a_ii is a Dirichlet row, without edges
  /// A row with |sum_j a_ij| > this times a_ii, which its mass dominates, is a Dirichlet row, too. At most 0:
  /// no such rows. For one equation per node.
  double row_sum_tolerance = -1.0;
  bool material = false;  ///< distance_laplacian: distances depend on the nodes' materials
  bool coupled = true;    ///< false: edges to other ranks are dropped
  bool edges = true;      ///< false: only `strong` is computed, no edges
};

/// Coordinates and materials of the owned nodes, for distance_laplacian; empty for other schemes.
struct Points {
  Span<double const> coordinates;  ///< nodes x dimension, row-major
  int dimension = 0;
  /// The inverse of each node's material, such as a conductivity: nodes x 1 for numbers, nodes x dimension^2
  /// for symmetric tensors. Empty: one material.
  Span<double const> resistance = {};
};

/// The graph for aggregation: one vertex per node, strong edges only, no self edges, symmetric if A is
/// symmetric. Columns are numbered as in DistCsr, ghosts in the order of halo.
///
/// A coupling of |a_ij| <= 1e-12 sqrt(a_ii a_jj) is zero to rounding, and never strong. Thresholds and the
/// values that are compared with them are rounded to 12 bits first. So matrices that differ by rounding
/// errors have the same graph.
///
/// With several equations per node, one number a_ij represents the block between two nodes. It is the
/// Frobenius norm, which does not depend on the orthonormal basis of either node. For the signed schemes it
/// is the trace, which has a sign and does not change if one rotation turns both nodes' unknowns.
template <class Space>
struct StrengthGraph {
  comm::HaloPlan<Space> halo;     ///< of the nodes; no ghosts if ranks are not coupled
  Array<Offset, Space> offsets;   ///< nodes + 1; empty without edges
  Array<Index, Space> neighbour;  ///< the column of each edge
  /// |a_ij| / sqrt(a_ii a_jj) of each edge, rounded to 12 bits; negative for a_ij > 0, unless a_ij is a norm.
  Array<float, Space> weight;
  /// For each entry of A.local 1 if the filtered matrix keeps it; it keeps the entries of a node's own block.
  /// Dirichlet vertices and uncoupled ranks, which remove edges, have no effect here.
  Array<unsigned char, Space> strong;
  /// 1 for nodes on which a neighbour depends: the edge is strong by the neighbour's row. A node without such
  /// a neighbour is never a root; an example is a cell of low permeability between two permeable layers.
  /// Empty for schemes whose criterion does not depend on the row.
  Array<unsigned char, Space> leads;
  Index nodes() const { return halo.distribution().local_size(); }
};

/// A is square, with a symmetric pattern. Collective. \throws core::InvalidInput if rows are not whole nodes,
/// a tolerance is out of range, coordinates or materials are missing or not finite, or two coupled nodes have
/// equal coordinates; core::NumericalError, which names the row, if a diagonal entry is missing, zero,
/// negative or not finite, or an entry is not finite.
template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A, Points const& points,
                              StrengthParameters const& parameters);

/// The same with diagonal = checked_diagonal(A).
template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> diagonal, Points const& points,
                              StrengthParameters const& parameters);

/// a_ii of the owned rows. Not collective. \throws core::NumericalError, which names the first row with an
/// entry that is not finite or with a diagonal entry that is missing, zero or negative
template <class Space>
Array<double, Space> checked_diagonal(Space const& space, comm::DistCsr<double, Space> const& A);

/// The same checks for a known diagonal, with 0 for a missing entry and NaN for a row with an entry that is
/// not finite. Throws also for entries below `smallest`.
template <class Space>
void check_diagonal(Space const& space, comm::DistCsr<double, Space> const& A, Span<double const> diagonal,
                    double smallest = 0);

}  // namespace Tessera::aggregation
