#pragma once
/// \file
/// Where the nodes are, on one rank: for pictures.
#include <vector>

#include "comm/communicator.hpp"
#include "tpetra/types.hpp"

namespace Tessera::cli {

/// At most the first three coordinates of each node.
struct Points {
  int dimension = 0;
  std::vector<double> coordinates;  ///< points x dimension, row-major
  std::size_t count() const {
    return dimension == 0 ? 0 : coordinates.size() / static_cast<std::size_t>(dimension);
  }
  double at(std::size_t point, int axis) const { return coordinates[point * dimension + axis]; }
};

/// All ranks' in rank order, on rank 0; elsewhere there are none. Collective.
Points points_of(comm::Communicator const& ranks, tpetra::MultiVector const& coordinates);

}  // namespace Tessera::cli
