#pragma once
/// \file
/// The near-nullspace of elasticity: translations and rotations.
#include <utility>
#include <vector>

#include "comm/communicator.hpp"
#include "core/span.hpp"

namespace Tessera::galerkin {

/// Number of rigid-body modes in 2 or 3 dimensions: 3 or 6.
TESSERA_HD constexpr int rigid_body_mode_count(int dimension) {
  return dimension * (dimension + 1) / 2;
}

/// Centre and unit of the rotations: the centre of the nodes' bounding box, and half of its longest edge. So
/// all modes are of order one, and do not depend on the number of ranks.
struct RigidBodyFrame {
  int dimension = 0;  ///< 0: there are no modes
  double middle[3] = {};
  double half_edge = 1;  ///< 1 for a single point
};

/// coordinates: owned nodes x dimension, row-major. Collective.
/// \throws core::InvalidInput, on every rank: dimension is not 2 or 3; a coordinate is not finite
RigidBodyFrame rigid_body_frame(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                int dimension);
/// box: the least and the largest coordinate of this rank along each axis (sparse::extremes).
RigidBodyFrame rigid_body_frame(comm::Communicator const& comm,
                                std::vector<std::pair<double, double>> const& box);

/// Body: the rows of a node of the rigid-body modes. There are nodes * dimension rows (the displacements of
/// a node are consecutive) x rigid_body_mode_count(dimension), row-major. Columns: translations along each
/// axis, then rotations (2D: -y, x; 3D: about x, y and z).
struct RigidBodyModesBody {
  RigidBodyFrame frame;
  Span<double const> coordinates;  ///< nodes x dimension
  Span<double> modes;
  TESSERA_HD void operator()(Index node) const {
    int const dimension = frame.dimension, count = rigid_body_mode_count(dimension);
    double x[3] = {};
    for (int axis = 0; axis < dimension; ++axis)
      x[axis] =
          (coordinates[static_cast<Offset>(node) * dimension + axis] - frame.middle[axis]) / frame.half_edge;
    double* const rows = modes.data() + static_cast<Offset>(node) * dimension * count;
    for (int k = 0; k < dimension * count; ++k) rows[k] = 0;
    for (int axis = 0; axis < dimension; ++axis) rows[axis * count + axis] = 1;
    if (dimension == 2) {
      rows[2] = -x[1];
      rows[count + 2] = x[0];
      return;
    }
    for (int about = 0; about < 3; ++about) {  // e_about x r
      int const next = (about + 1) % 3, last = (about + 2) % 3;
      rows[next * count + 3 + about] = -x[last];
      rows[last * count + 3 + about] = x[next];
    }
  }
};

/// The modes on the host. Collective, and throws, as rigid_body_frame.
std::vector<double> rigid_body_modes(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                     int dimension);

}  // namespace Tessera::galerkin
