#include "galerkin/rigid_body_modes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/parallel.hpp"

namespace Tessera::galerkin {

namespace {

void require_dimension(int dimension) {
  TESSERA_VALIDATE(dimension == 2 || dimension == 3, "rigid-body modes exist in 2 and 3 dimensions, not in ",
                   dimension, "; give coordinates with 2 or 3 columns");
}

}  // namespace

RigidBodyFrame rigid_body_frame(comm::Communicator const& comm,
                                std::vector<std::pair<double, double>> const& box) {
  auto const dimension = static_cast<int>(box.size());
  require_dimension(dimension);
  RigidBodyFrame frame{dimension, {}, 1};
  double longest = 0;
  for (int axis = 0; axis < dimension; ++axis) {
    double const lowest = -comm.max(-box[axis].first), highest = comm.max(box[axis].second);
    if (lowest > highest) continue;  // no node anywhere
    frame.middle[axis] = 0.5 * lowest + 0.5 * highest;
    longest = std::max(longest, highest - lowest);
  }
  if (longest > 0) frame.half_edge = 0.5 * longest;
  return frame;
}

RigidBodyFrame rigid_body_frame(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                int dimension) {
  require_dimension(dimension);
  bool const finite =
      std::all_of(coordinates.begin(), coordinates.end(), [](double value) { return std::isfinite(value); });
  TESSERA_VALIDATE(!comm.any(!finite), "a coordinate is not finite; rigid-body modes cannot be made of it");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  std::vector<std::pair<double, double>> box(dimension, {infinity, -infinity});
  for (std::size_t i = 0; i < coordinates.size(); ++i) {
    auto& [lowest, highest] = box[i % dimension];
    lowest = std::min(lowest, coordinates[i]);
    highest = std::max(highest, coordinates[i]);
  }
  return rigid_body_frame(comm, box);
}

std::vector<double> rigid_body_modes(comm::Communicator const& comm, std::vector<double> const& coordinates,
                                     int dimension) {
  auto const frame = rigid_body_frame(comm, coordinates, dimension);
  std::vector<double> modes(coordinates.size() * rigid_body_mode_count(dimension));
  core::for_each(
      Host{}, coordinates.size() / dimension,
      RigidBodyModesBody{frame, {coordinates.data(), coordinates.size()}, {modes.data(), modes.size()}});
  return modes;
}

}  // namespace Tessera::galerkin
