#pragma once
/// \file
/// The near-nullspace of elasticity: translations and rotations.
#include <vector>

#include "comm/communicator.hpp"

namespace Tessera::galerkin {

/// Number of rigid-body modes in 2 or 3 dimensions: 3 or 6.
constexpr int rigid_body_mode_count(int dimension) {
  return dimension * (dimension + 1) / 2;
}

/// The rigid-body modes of the nodes of this rank: nodes * dimension rows (the displacements of a node are
/// consecutive) x rigid_body_mode_count(dimension), row-major. First the translations along each axis, then
/// the rotations (2D: -y, x; 3D: about x, y and z), about the middle of the nodes' bounding box and in units
/// of half its longest edge, so that all modes are of order one and do not depend on the number of ranks.
/// coordinates: owned nodes x dimension, row-major. Collective.
/// \throws core::InvalidInput, on every rank: dimension is not 2 or 3; a coordinate is not finite
std::vector<double> rigid_body_modes(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                     int dimension);

}  // namespace Tessera::galerkin
