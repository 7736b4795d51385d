#pragma once
/// \file
/// Boxes of tetrahedra.
#include <cstdint>

#include "gallery/mesh.hpp"

namespace Tessera::gallery {

/// nx x ny x nz unit cubes from the origin on, each in six tetrahedra around its rising diagonal (Kuhn 1960,
/// Freudenthal 1942): one for each order of the axes, along which a path of edges leads from the cube's first
/// corner to its last. Neighbouring cubes cut their common side alike. Vertices that are not on the boundary
/// are moved by up to `perturbation` along each axis, uniformly; below 1/6 no tetrahedron can turn inside
/// out. Vertices are numbered lexicographically, x fastest. Without facets.
Mesh box_of_tetrahedra(Index nx, Index ny, Index nz, double perturbation, std::uint64_t seed);

}  // namespace Tessera::gallery
