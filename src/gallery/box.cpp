#include "gallery/box.hpp"

#include <algorithm>
#include <array>

#include "core/hash.hpp"

namespace Tessera::gallery {

namespace {

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

/// corner: the cube's first one. step: to the next vertex along each axis.
void append_cube(Index corner, std::array<Index, 3> const& step, std::vector<Index>& elements) {
  std::array<int, 3> order{0, 1, 2};
  do {
    Index vertex = corner;
    elements.push_back(vertex);
    for (int const axis : order) elements.push_back(vertex += step[axis]);
  } while (std::next_permutation(order.begin(), order.end()));
}

}  // namespace

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

}  // namespace Tessera::gallery
