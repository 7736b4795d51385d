#pragma once
/// \file
/// Meshes of triangles and tetrahedra, each rank holding the whole.
#include <vector>

#include "core/types.hpp"

namespace Tessera::gallery {

struct Mesh {
  int dimensions = 2;           ///< d
  std::vector<double> at;       ///< d coordinates a vertex
  std::vector<Index> elements;  ///< d + 1 vertices an element, in any orientation
  std::vector<Index> facets;    ///< d vertices a facet of the boundary

  std::size_t vertices() const { return at.size() / static_cast<std::size_t>(dimensions); }
};

/// The coarse meshes of the gallery, without facets.
Mesh unit_square();
Mesh square_of_52_vertices();  ///< the unit square, 20 vertices on its boundary
Mesh horseshoe();
Mesh unit_cube();

/// Sets the facets: those that belong to one element only.
void find_boundary(Mesh& mesh);

/// Each element in 2^d through the midpoints of its edges. Tetrahedra as in Bey, "Tetrahedral grid
/// refinement", Computing 55 (1995), whose descendants have at most three shapes. Old vertices keep their
/// numbers. \throws core::InvalidInput when there would be 2^31 vertices or more
Mesh refined(Mesh const& mesh);

/// For each vertex whether it lies on the boundary.
std::vector<bool> on_boundary(Mesh const& mesh);

}  // namespace Tessera::gallery
