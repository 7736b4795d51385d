#pragma once
/// \file
/// Strength of connection.
#include "comm/dist_csr.hpp"

namespace Tessera::aggregation {

enum class DropScheme {
  classical,          ///< |a_ij| > theta sqrt(|a_ii a_jj|)
  signed_classical,   ///< -a_ij >= theta max_k(-a_ik), in either direction; positive couplings are weak
  signed_symmetric,   ///< -a_ij > theta sqrt(|a_ii a_jj|)
  distance_laplacian  ///< classical, applied to the Laplacian of inverse squared distances (needs
                      ///< coordinates)
};

struct StrengthParameters {
  DropScheme scheme = DropScheme::classical;
  double drop_tolerance = 0.0;  ///< theta
  int equations = 1;            ///< unknowns a node; nodes are consecutive rows of one rank
  double dirichlet_threshold =
      0.0;              ///< a row whose off-diagonals are all <= this times a_ii is a Dirichlet row
  bool coupled = true;  ///< false: edges to other ranks are dropped
};

/// The graph that aggregates are made of: one vertex a node, strong edges only, no self edges, symmetric.
/// Columns are numbered as in DistCsr, ghosts in the order of halo.
template <class Space>
struct StrengthGraph {
  comm::HaloPlan<Space> halo;    ///< of the nodes; its distribution is the nodes'
  Array<Offset, Space> offsets;  ///< nodes + 1
  Array<Index, Space> neighbour;
  Array<float, Space>
      weight;  ///< of each edge, coarsely rounded: equal couplings stay equal under rounding errors
  Array<unsigned char, Space>
      strong;  ///< for each entry of A.local: 1 where it is kept in the filtered matrix
  Index nodes() const { return halo.distribution().local_size(); }
};

/// coordinates: nodes x dimension, row-major, owned nodes (only for distance_laplacian; else empty).
/// Collective. \throws core::InvalidInput when rows are not whole nodes; core::NumericalError naming the row
/// when a diagonal entry is missing, zero, negative or not finite, or an entry is not finite.
template <class Space>
StrengthGraph<Space> strength(Space const& space, comm::DistCsr<double, Space> const& A,
                              Span<double const> coordinates, int dimension,
                              StrengthParameters const& parameters);

}  // namespace Tessera::aggregation
