#pragma once
/// \file
/// A matrix that knows where the nodes are and nothing else.
#include <functional>

#include "aggregation/couplings.hpp"
#include "comm/halo_plan.hpp"

namespace Tessera::aggregation {

using NodeName = std::function<GlobalIndex(Index node)>;

/// l_ij = -1 / |x_i - x_j|^2 where a_ij is more than negligible, else 0; l_ii = -sum_j l_ij.
template <class Space>
struct DistanceLaplacian {
  Array<double, Space> value;     ///< on A's pattern; the diagonal entries of it are not set to l_ii but 0
  Array<double, Space> diagonal;  ///< l_ii of the owned nodes
};

/// coordinates: owned nodes x dimension, row-major. row_of: the user's name of an owned node's first row.
/// Collective.
/// \throws core::InvalidInput when two coupled nodes are at one place or a coordinate is not finite
template <class Space>
DistanceLaplacian<Space> distance_laplacian(Space const& space, Couplings const& couplings,
                                            comm::HaloPlan<Space> const& halo, Span<double const> coordinates,
                                            int dimension, NodeName const& row_of);

}  // namespace Tessera::aggregation
