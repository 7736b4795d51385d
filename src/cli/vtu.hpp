#pragma once
/// \file
/// Points with numbers, for ParaView.
#include <string>
#include <vector>

#include "core/types.hpp"

namespace Tessera::cli {

/// A whole number of each point.
struct PointNumbers {
  std::string name;
  std::vector<GlobalIndex> of_point;
};

/// Writes a VTK unstructured grid (.vtu, XML with numbers as text) whose cells are the points.
/// coordinates: points x dimension, row-major; dimension: 1 to 3. Of one rank.
/// \throws core::InvalidInput when the file cannot be written
void write_vtu(std::string const& path, std::vector<double> const& coordinates, int dimension,
               std::vector<PointNumbers> const& numbers);

}  // namespace Tessera::cli
