#include "galerkin/rigid_body_modes.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::galerkin {
namespace {

struct Box {
  std::array<double, 3> middle{};
  double half_edge = 1;  ///< of the longest edge; 1 where there is no extent
};

/// Of all ranks' nodes; the bounds are exact, so the box is the same for any number of ranks.
Box bounding_box(comm::Communicator const& comm, std::vector<double> const& coordinates, int dimension) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Box box;
  double longest = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    double lowest = infinity, highest = -infinity;
    for (std::size_t i = axis; i < coordinates.size(); i += dimension) {
      lowest = std::min(lowest, coordinates[i]);
      highest = std::max(highest, coordinates[i]);
    }
    lowest = -comm.max(-lowest);
    highest = comm.max(highest);
    if (lowest > highest) continue;  // no node anywhere
    box.middle[axis] = 0.5 * lowest + 0.5 * highest;
    longest = std::max(longest, highest - lowest);
  }
  if (longest > 0) box.half_edge = 0.5 * longest;
  return box;
}

}  // namespace

std::vector<double> rigid_body_modes(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                     int dimension) {
  TESSERA_VALIDATE(dimension == 2 || dimension == 3, "rigid-body modes exist in 2 and 3 dimensions, not in ",
                   dimension, "; give coordinates with 2 or 3 columns");
  bool const finite =
      std::all_of(coordinates.begin(), coordinates.end(), [](double value) { return std::isfinite(value); });
  TESSERA_VALIDATE(!comm.any(!finite), "a coordinate is not finite; rigid-body modes cannot be made of it");
  Box const box = bounding_box(comm, coordinates, dimension);
  std::size_t const nodes = coordinates.size() / dimension;
  std::size_t const modes = rigid_body_mode_count(dimension);
  std::vector<double> result(nodes * dimension * modes, 0.0);
  core::for_each(Host{}, nodes, [&](std::size_t node) {
    std::array<double, 3> x{};
    for (int axis = 0; axis < dimension; ++axis) {
      x[axis] = (coordinates[node * dimension + axis] - box.middle[axis]) / box.half_edge;
    }
    double* const rows = &result[node * dimension * modes];
    for (int axis = 0; axis < dimension; ++axis) rows[axis * modes + axis] = 1;
    if (dimension == 2) {
      rows[0 * modes + 2] = -x[1];
      rows[1 * modes + 2] = x[0];
    } else {
      for (int about = 0; about < 3; ++about) {  // e_about x r
        int const next = (about + 1) % 3, last = (about + 2) % 3;
        rows[next * modes + 3 + about] = -x[last];
        rows[last * modes + 3 + about] = x[next];
      }
    }
  });
  return result;
}

}  // namespace Tessera::galerkin
