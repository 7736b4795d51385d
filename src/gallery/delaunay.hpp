#pragma once
/// \file
/// Delaunay triangulations of points in the plane, and problems on those of perturbed lattices.
#include <cstdint>
#include <vector>

#include "gallery/mesh.hpp"

namespace Tessera::gallery {

/// The triangulation of distinct points, each a vertex of its number, without facets. at: x and y of each
/// point, in units of `unit`. Boost.Polygon decides by exact predicates on integers, so all ranks find the
/// same. Points on one circle: a fan from the one of the smallest number. \throws core::InvalidInput when a
/// point stands twice
Mesh delaunay(std::vector<std::int32_t> const& at, double unit);

/// The points of a lattice of squares, nx x ny inside a frame that stays; each of those inside is moved by up
/// to `perturbation` sides along x and along y, uniformly. Numbered lexicographically, x fastest, frame
/// included. The side is 1 / (nx + 1), the first point (0, 0).
Mesh perturbed_lattice(Index nx, Index ny, double perturbation, std::uint64_t seed);

}  // namespace Tessera::gallery
