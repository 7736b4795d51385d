#include "gallery/mesh.hpp"

#include <algorithm>
#include <boost/polygon/voronoi.hpp>
#include <cmath>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "gallery/linear_elements.hpp"

namespace Tessera::gallery {

Mesh delaunay(std::vector<std::int32_t> const& at, double unit) {
  namespace polygon = boost::polygon;
  Mesh mesh;
  std::vector<polygon::point_data<std::int32_t>> points;
  for (std::size_t k = 0; k < at.size(); k += 2) {
    points.emplace_back(at[k], at[k + 1]);
    mesh.at.insert(mesh.at.end(), {unit * at[k], unit * at[k + 1]});
  }
  polygon::voronoi_diagram<double> diagram;
  polygon::construct_voronoi(points.begin(), points.end(), &diagram);
  TESSERA_VALIDATE(diagram.num_cells() == points.size(),
                   "two of the points to triangulate are equal (a triangulation needs distinct points)");
  // A vertex of the Voronoi diagram gives a triangle, or a polygon if more than three points lie on a circle.
  std::vector<Index> corners;
  for (auto const& vertex : diagram.vertices()) {
    corners.clear();
    auto const* edge = vertex.incident_edge();
    do {
      corners.push_back(static_cast<Index>(edge->cell()->source_index()));
      edge = edge->rot_next();
    } while (edge != vertex.incident_edge());
    std::rotate(corners.begin(), std::min_element(corners.begin(), corners.end()), corners.end());
    for (std::size_t c = 1; c + 1 < corners.size(); ++c)
      mesh.elements.insert(mesh.elements.end(), {corners[0], corners[c], corners[c + 1]});
  }
  return mesh;
}

Mesh perturbed_lattice(Index nx, Index ny, double perturbation, std::uint64_t seed) {
  auto const columns = std::int64_t{nx} + 2, rows = std::int64_t{ny} + 2;
  std::int64_t const side = (1 << 30) / (std::max(columns, rows) - 1);
  // Displacements are multiples of 1 / side.
  TESSERA_VALIDATE(side >= 10000, "the lattice of ", nx, " x ", ny,
                   " points is too long (coordinates have 32 bits); give nx and ny of at most 100000");
  std::vector<std::int32_t> at;
  at.reserve(static_cast<std::size_t>(2 * columns * rows));
  for (std::int64_t j = 0; j < rows; ++j) {
    for (std::int64_t i = 0; i < columns; ++i) {
      bool const frame = i == 0 || j == 0 || i + 1 == columns || j + 1 == rows;
      auto const moved = [&](std::uint64_t direction) {
        if (frame) return std::int64_t{0};
        double const way = perturbation * core::uniform(i + columns * j, 2 * seed + direction);
        return static_cast<std::int64_t>(std::lround(way * static_cast<double>(side)));
      };
      at.push_back(static_cast<std::int32_t>(side * i + moved(0)));
      at.push_back(static_cast<std::int32_t>(side * j + moved(1)));
    }
  }
  return delaunay(at, 1 / (static_cast<double>(side) * (static_cast<double>(nx) + 1)));
}

namespace {

/// The meshes of Brannick et al. 2013, section 5.1: triangulations of perturbed lattices. The paper does not
/// give the size of the perturbation. Here points move by up to a quarter of a side in each direction, which
/// gives the paper's condition numbers in the 1-norm: 1.2e4, 5.0e4 and 2.1e5 for 128, 256 and 512 points a
/// side. The frame has no unknowns, and does not move. Both boundary conditions have the same graph, as the
/// equal coarsening ratios of the paper's tables 5.4 and 5.5 indicate: equation 2.1 with and without its
/// second sum.
Problem lattice_problem(Options const& options, Boundary boundary, CommPtr const& comm) {
  auto const nx = static_cast<Index>(options.at("nx")), ny = static_cast<Index>(options.at("ny"));
  TESSERA_VALIDATE((nx + 2.0) * (ny + 2.0) < 1 << 29, "the lattice of ", nx, " x ", ny,
                   " points is too large (each rank builds the whole mesh); give at most 2^29 points");
  TESSERA_VALIDATE(boundary == Boundary::dirichlet || nx > 1 || ny > 1,
                   "the lattice has one point (a graph Laplacian needs an edge); give a larger --nx or --ny");
  auto const mesh =
      perturbed_lattice(nx, ny, options.at("perturbation"), static_cast<std::uint64_t>(options.at("seed")));
  std::vector<Index> inside;
  for (Index j = 1; j <= ny; ++j) {
    for (Index i = 1; i <= nx; ++i) inside.push_back(i + (nx + 2) * j);
  }
  return assemble({mesh, inside, 1, laplacian(2), boundary}, comm);
}

}  // namespace

Problem delaunay_2d(Options const& options, CommPtr const& comm) {
  return lattice_problem(options, Boundary::dirichlet, comm);
}

Problem neumann_delaunay_2d(Options const& options, CommPtr const& comm) {
  return lattice_problem(options, Boundary::removed, comm);
}

}  // namespace Tessera::gallery
