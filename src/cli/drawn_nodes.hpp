#pragma once
/// \file
/// Which nodes are drawn.
#include <string>

#include "cli/points.hpp"

namespace Tessera::cli {

struct DrawnNodes {
  std::vector<int> node;     ///< ascending
  std::vector<double> x, y;  ///< where each is in the picture, y upwards
  std::string words;         ///< such as: All 100 nodes
};

/// Two axes as they are. Of three the two with the largest extents, in a slice as thick as nodes lie apart,
/// through the node next to the middle; and of more than `most` nodes those next to the middle, in a square.
DrawnNodes drawn_nodes(Points const& points, std::size_t most);

}  // namespace Tessera::cli
