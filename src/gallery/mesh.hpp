#pragma once
/// \file
/// Meshes of triangles and tetrahedra; each rank has the whole mesh.
#include <cstdint>
#include <vector>

#include "core/types.hpp"

namespace Tessera::gallery {

struct Mesh {
  int dimensions = 2;           ///< d
  std::vector<double> at;       ///< d coordinates of each vertex
  std::vector<Index> elements;  ///< d + 1 vertices of each element, in any orientation
  std::vector<Index> facets;    ///< d vertices of each boundary facet

  std::size_t vertices() const { return at.size() / static_cast<std::size_t>(dimensions); }
};

/// The coarse meshes of the gallery, without facets.
Mesh unit_square();
Mesh square_of_52_vertices();  ///< the unit square, 20 vertices on its boundary
Mesh horseshoe();
Mesh unit_cube();

/// Sets the boundary facets: facets of one element only.
void find_boundary(Mesh& mesh);

/// Divides each element into 2^d elements through the midpoints of its edges. Tetrahedra follow Bey,
/// "Tetrahedral grid refinement", Computing 55 (1995), whose descendants have at most three shapes. Old
/// vertices keep their numbers.
/// \throws core::InvalidInput for a refined mesh of 2^31 vertices or more
Mesh refined(Mesh const& mesh);

/// Whether each vertex is on the boundary.
std::vector<bool> on_boundary(Mesh const& mesh);

/// A box of nx x ny x nz unit cubes from the origin on, each divided into six tetrahedra around its rising
/// diagonal (Kuhn 1960, Freudenthal 1942). Each order of the axes gives one tetrahedron, along a path of
/// edges from the first corner of the cube to the last. Neighbouring cubes divide their common side in the
/// same way. Interior vertices move by up to `perturbation` along each axis, uniformly; below 1/6 no
/// tetrahedron can turn inside out. Vertices are numbered lexicographically, x fastest. Without facets.
Mesh box_of_tetrahedra(Index nx, Index ny, Index nz, double perturbation, std::uint64_t seed);

/// The Delaunay triangulation of distinct points, with point k as vertex k, without facets. at: x and y of
/// each point, in units of `unit`. Boost.Polygon uses exact predicates on integers, so that all ranks find
/// the same triangles. Points on one circle give a fan around the point of the smallest number.
/// \throws core::InvalidInput if two points are equal
Mesh delaunay(std::vector<std::int32_t> const& at, double unit);

/// A triangulated lattice of nx x ny interior points and a frame around them, with cells of side 1 / (nx + 1)
/// and the first point at (0, 0). Interior points move by up to `perturbation` sides along x and along y,
/// uniformly. Points are numbered lexicographically, x fastest, frame included.
Mesh perturbed_lattice(Index nx, Index ny, double perturbation, std::uint64_t seed);

/// Position of a point along Hilbert's curve; neighbours on the curve are near each other in space. cell:
/// coordinates below 2^bits, with bits * dimensions <= 63. Skilling, "Programming the Hilbert curve",
/// AIP Conference Proceedings 707 (2004).
inline std::int64_t hilbert_key(std::uint32_t const* cell, int dimensions, int bits) {
  std::uint32_t x[3] = {};
  for (int i = 0; i < dimensions; ++i) x[i] = cell[i];
  // Undo the rotations and reflections of the cubes that contain the point, from the largest to the smallest.
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    std::uint32_t const p = q - 1;
    for (int i = 0; i < dimensions; ++i) {
      if (x[i] & q) {
        x[0] ^= p;
      } else {
        std::uint32_t const t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  // Gray code.
  for (int i = 1; i < dimensions; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    if (x[dimensions - 1] & q) t ^= q - 1;
  }
  for (int i = 0; i < dimensions; ++i) x[i] ^= t;
  // Interleave the bits of the coordinates.
  std::int64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (int i = 0; i < dimensions; ++i) key = key << 1 | (x[i] >> bit & 1);
  }
  return key;
}

}  // namespace Tessera::gallery
