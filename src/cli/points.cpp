#include "cli/points.hpp"

#include <algorithm>

#include "cli/gathered.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::cli {

Points points_of(comm::Communicator const& ranks, tpetra::MultiVector const& coordinates) {
  Points points;
  points.dimension = static_cast<int>(std::min<std::size_t>(3, coordinates.getNumVectors()));
  std::vector<double> mine;
  {
    tpetra::ReadColumns const columns(coordinates);
    for (std::size_t v = 0; v < coordinates.getLocalLength(); ++v)
      for (int axis = 0; axis < points.dimension; ++axis) mine.push_back(columns[axis][v]);
  }
  points.coordinates = gathered(ranks, mine);
  return points;
}

}  // namespace Tessera::cli
