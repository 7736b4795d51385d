#include "gallery/mesh.hpp"

#include <algorithm>
#include <array>
#include <boost/polygon/voronoi.hpp>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <utility>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace Tessera::gallery {

namespace {

/// Midpoints of edges, numbered in the order of first use: a hash table with linear probing.
class Midpoints {
 public:
  Midpoints(Mesh const& coarse, Mesh& fine) : coarse_(coarse), fine_(fine) {
    // Upper bound of the edges of a conforming mesh: three for each triangle, six for each tetrahedron.
    auto const bound = coarse.elements.size() / (coarse.dimensions + 1) * (coarse.dimensions == 2 ? 3 : 6);
    std::size_t size = 64;
    while (size < bound + bound / 2) size *= 2;
    keys_.assign(size, empty);
    numbers_.resize(size);
  }

  Index operator()(Index a, Index b) {
    if (b < a) std::swap(a, b);
    auto const key = static_cast<std::int64_t>(a) << 32 | b;
    auto slot = core::mix64(static_cast<std::uint64_t>(key)) & (keys_.size() - 1);
    while (keys_[slot] != key && keys_[slot] != empty) slot = (slot + 1) & (keys_.size() - 1);
    if (keys_[slot] == empty) {
      keys_[slot] = key;
      numbers_[slot] = add(a, b);
    }
    return numbers_[slot];
  }

 private:
  static std::int64_t constexpr empty = -1;

  Index add(Index a, Index b) {
    auto const number = fine_.vertices();
    TESSERA_VALIDATE(
        number < std::numeric_limits<Index>::max(),
        "the refined mesh has 2^31 vertices or more (indices have 32 bits); give fewer refinements");
    auto const d = static_cast<std::size_t>(coarse_.dimensions);
    for (std::size_t k = 0; k < d; ++k)
      fine_.at.push_back((coarse_.at[a * d + k] + coarse_.at[b * d + k]) / 2);
    return static_cast<Index>(number);
  }

  Mesh const& coarse_;
  Mesh& fine_;
  std::vector<std::int64_t> keys_;
  std::vector<Index> numbers_;
};

void append(std::vector<Index>& target, std::initializer_list<Index> vertices) {
  target.insert(target.end(), vertices);
}

void refine_edge(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m = middle(v[0], v[1]);
  append(target, {v[0], m, m, v[1]});
}

void refine_triangle(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m01 = middle(v[0], v[1]), m02 = middle(v[0], v[2]), m12 = middle(v[1], v[2]);
  append(target, {v[0], m01, m02, m01, v[1], m12, m02, m12, v[2], m01, m12, m02});
}

void refine_tetrahedron(Index const* v, Midpoints& middle, std::vector<Index>& target) {
  auto const m01 = middle(v[0], v[1]), m02 = middle(v[0], v[2]), m03 = middle(v[0], v[3]);
  auto const m12 = middle(v[1], v[2]), m13 = middle(v[1], v[3]), m23 = middle(v[2], v[3]);
  append(target, {v[0], m01, m02, m03, m01, v[1], m12, m13, m02, m12, v[2], m23, m03, m13, m23, v[3],
                  m01,  m02, m03, m13, m01, m02,  m12, m13, m02, m03, m13,  m23, m02, m12, m13, m23});
}

void append_points(std::array<Index, 3> const& cells, double perturbation, std::uint64_t seed,
                   std::vector<double>& at) {
  Index number = 0;
  std::array<Index, 3> p;
  for (p[2] = 0; p[2] <= cells[2]; ++p[2]) {
    for (p[1] = 0; p[1] <= cells[1]; ++p[1]) {
      for (p[0] = 0; p[0] <= cells[0]; ++p[0], ++number) {
        bool inner = true;
        for (int k = 0; k < 3; ++k) inner = inner && 0 < p[k] && p[k] < cells[k];
        for (std::uint64_t k = 0; k < 3; ++k)
          at.push_back(p[k] + (inner ? perturbation * core::uniform(number, 3 * seed + k) : 0));
      }
    }
  }
}

/// corner: first vertex of the cube. step: difference of vertex numbers along each axis.
void append_cube(Index corner, std::array<Index, 3> const& step, std::vector<Index>& elements) {
  std::array<int, 3> order{0, 1, 2};
  do {
    Index vertex = corner;
    elements.push_back(vertex);
    for (int const axis : order) elements.push_back(vertex += step[axis]);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace

void find_boundary(Mesh& mesh) {
  int const corners = mesh.dimensions + 1;
  std::map<std::vector<Index>, int> count;
  auto const each_facet = [&](auto const& work) {
    for (std::size_t e = 0; e < mesh.elements.size(); e += corners) {
      for (int without = 0; without < corners; ++without) {
        std::vector<Index> facet;
        for (int c = 0; c < corners; ++c) {
          if (c != without) facet.push_back(mesh.elements[e + c]);
        }
        std::sort(facet.begin(), facet.end());
        work(facet);
      }
    }
  };
  each_facet([&](auto const& facet) { ++count[facet]; });
  mesh.facets.clear();
  each_facet([&](auto const& facet) {
    if (count[facet] == 1) mesh.facets.insert(mesh.facets.end(), facet.begin(), facet.end());
  });
}

Mesh refined(Mesh const& mesh) {
  auto const d = static_cast<std::size_t>(mesh.dimensions);
  Mesh fine;
  fine.dimensions = mesh.dimensions;
  fine.at = mesh.at;
  fine.elements.reserve(mesh.elements.size() << d);
  fine.facets.reserve(mesh.facets.size() << (d - 1));
  Midpoints middle(mesh, fine);
  for (std::size_t e = 0; e < mesh.elements.size(); e += d + 1) {
    (d == 2 ? refine_triangle : refine_tetrahedron)(&mesh.elements[e], middle, fine.elements);
  }
  for (std::size_t f = 0; f < mesh.facets.size(); f += d) {
    (d == 2 ? refine_edge : refine_triangle)(&mesh.facets[f], middle, fine.facets);
  }
  return fine;
}

std::vector<bool> on_boundary(Mesh const& mesh) {
  std::vector<bool> result(mesh.vertices(), false);
  for (auto const vertex : mesh.facets) result[vertex] = true;
  return result;
}

Mesh box_of_tetrahedra(Index nx, Index ny, Index nz, double perturbation, std::uint64_t seed) {
  Mesh mesh;
  mesh.dimensions = 3;
  std::array<Index, 3> const step{1, nx + 1, (nx + 1) * (ny + 1)};
  mesh.at.reserve(3 * static_cast<std::size_t>(step[2]) * (nz + 1));
  append_points({nx, ny, nz}, perturbation, seed, mesh.at);
  mesh.elements.reserve(24 * static_cast<std::size_t>(nx) * ny * nz);
  for (Index k = 0; k < nz; ++k) {
    for (Index j = 0; j < ny; ++j) {
      for (Index i = 0; i < nx; ++i) append_cube(i + j * step[1] + k * step[2], step, mesh.elements);
    }
  }
  return mesh;
}

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

}  // namespace Tessera::gallery
