#include "gallery/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>

namespace Tessera::gallery {
namespace {

/// d! times the signed measure of an element.
double determinant(Mesh const& mesh, std::size_t element) {
  int const d = mesh.dimensions;
  auto const* const v = &mesh.elements[element * (d + 1)];
  double e[3][3] = {};
  for (int i = 0; i < d; ++i) {
    for (int k = 0; k < d; ++k) e[i][k] = mesh.at[v[i + 1] * d + k] - mesh.at[v[0] * d + k];
  }
  if (d == 2) return e[0][0] * e[1][1] - e[0][1] * e[1][0];
  return e[0][0] * (e[1][1] * e[2][2] - e[1][2] * e[2][1]) -
         e[0][1] * (e[1][0] * e[2][2] - e[1][2] * e[2][0]) +
         e[0][2] * (e[1][0] * e[2][1] - e[1][1] * e[2][0]);
}

std::size_t element_count(Mesh const& mesh) {
  return mesh.elements.size() / (mesh.dimensions + 1);
}

double measure(Mesh const& mesh) {
  double sum = 0;
  for (std::size_t e = 0; e < element_count(mesh); ++e) sum += std::abs(determinant(mesh, e));
  return sum / (mesh.dimensions == 2 ? 2 : 6);
}

std::size_t edge_count(Mesh const& mesh) {
  std::set<std::pair<Index, Index>> edges;
  auto const corners = static_cast<std::size_t>(mesh.dimensions) + 1;
  for (std::size_t e = 0; e < mesh.elements.size(); e += corners) {
    for (std::size_t a = 0; a < corners; ++a) {
      for (std::size_t b = 0; b < a; ++b)
        edges.insert(std::minmax(mesh.elements[e + a], mesh.elements[e + b]));
    }
  }
  return edges.size();
}

struct Named {
  char const* name;
  Mesh mesh;
  double measure;
};

std::vector<Named> coarse_meshes() {
  // The arcs of the horseshoe are polygons of 14 sides outside and 8 sides inside, each of area n / 2 r^2
  // sin(pi / n), up to the rounding of vertices to three digits. Its legs are 1/2 x 3/4.
  double const pi = std::acos(-1.0);
  double const arcs = 14 / 2.0 * std::sin(pi / 14) - 8 / 2.0 * 0.25 * std::sin(pi / 8);
  std::vector<Named> meshes{{"square", unit_square(), 1},
                            {"horseshoe", horseshoe(), arcs + 0.75},
                            {"cube", unit_cube(), 1},
                            {"square of 52", square_of_52_vertices(), 1}};
  for (auto& [name, mesh, unused] : meshes) find_boundary(mesh);
  return meshes;
}

TEST(Mesh, FillsItsDomain) {
  for (auto const& [name, mesh, expected] : coarse_meshes())
    EXPECT_NEAR(measure(mesh), expected, 1e-3) << name;
}

TEST(Mesh, HasNoFlatElements) {
  for (auto const& [name, mesh, unused] : coarse_meshes()) {
    for (std::size_t e = 0; e < element_count(mesh); ++e)
      EXPECT_GT(std::abs(determinant(mesh, e)), 1e-3) << name;
  }
}

TEST(Mesh, HasTheEulerCharacteristicOfABall) {
  for (auto const& [name, mesh, unused] : coarse_meshes()) {
    auto const vertices = static_cast<int>(mesh.vertices()), edges = static_cast<int>(edge_count(mesh));
    auto const elements = static_cast<int>(element_count(mesh));
    auto const facets = static_cast<int>(mesh.facets.size()) / mesh.dimensions;
    if (mesh.dimensions == 2) {
      EXPECT_EQ(vertices - edges + elements, 1) << name;
    } else {
      // Four faces of each tetrahedron count inner faces twice, and boundary faces once.
      EXPECT_EQ(vertices - edges + (4 * elements + facets) / 2 - elements, 1) << name;
    }
  }
}

TEST(Refinement, SplitsATriangleInFour) {
  //  2            2
  //  | \          5 4      vertices 3, 4, 5 in the order of the edges 01, 02, 12
  //  0 - 1        0 3 1
  Mesh mesh;
  mesh.dimensions = 2;
  mesh.at = {0, 0, 2, 0, 0, 2};
  mesh.elements = {0, 1, 2};
  find_boundary(mesh);
  auto const fine = refined(mesh);
  EXPECT_EQ(fine.at, (std::vector<double>{0, 0, 2, 0, 0, 2, 1, 0, 0, 1, 1, 1}));
  EXPECT_EQ(fine.elements, (std::vector<Index>{0, 3, 4, 3, 1, 5, 4, 5, 2, 3, 5, 4}));
  EXPECT_EQ(fine.facets.size(), 12u);
}

TEST(Refinement, KeepsMeasureAndConformity) {
  for (auto const& [name, coarse, unused] : coarse_meshes()) {
    SCOPED_TRACE(name);
    auto const d = static_cast<std::size_t>(coarse.dimensions);
    auto const fine = refined(coarse);
    EXPECT_EQ(element_count(fine), element_count(coarse) << d);
    EXPECT_EQ(fine.vertices(), coarse.vertices() + edge_count(coarse));
    EXPECT_NEAR(measure(fine), measure(coarse), 1e-12);
    // A midpoint that is missing on one side would turn its facets into boundary facets.
    auto again = fine;
    find_boundary(again);
    EXPECT_EQ(again.facets.size(), fine.facets.size());
    EXPECT_EQ(on_boundary(again), on_boundary(fine));
  }
}

TEST(Refinement, OfTetrahedraKeepsTheirShape) {
  // Bey's descendants have at most three shapes, so that the flattest shape stays after the second
  // refinement.
  auto mesh = unit_cube();
  find_boundary(mesh);
  auto const flattest = [](Mesh const& m) {
    double least = HUGE_VAL;
    for (std::size_t e = 0; e < element_count(m); ++e) {
      auto const* const v = &m.elements[4 * e];
      double longest = 0;
      for (int a = 0; a < 4; ++a) {
        for (int b = 0; b < a; ++b) {
          double square = 0;
          for (int k = 0; k < 3; ++k) square += std::pow(m.at[3 * v[a] + k] - m.at[3 * v[b] + k], 2);
          longest = std::max(longest, square);
        }
      }
      least = std::min(least, std::abs(determinant(m, e)) / std::pow(longest, 1.5));
    }
    return least;
  };
  auto const once = refined(mesh), twice = refined(once), thrice = refined(twice);
  EXPECT_NEAR(flattest(thrice), flattest(twice), 1e-9);
  EXPECT_GT(flattest(thrice), 0.02);
}

TEST(Hilbert, VisitsNeighboursOneAfterTheOther) {
  for (int d : {2, 3}) {
    int const bits = 3, side = 1 << bits, points = d == 2 ? side * side : side * side * side;
    std::vector<int> at(points, -1);
    for (int p = 0; p < points; ++p) {
      std::uint32_t const place[3] = {std::uint32_t(p % side), std::uint32_t(p / side % side),
                                      std::uint32_t(p / side / side)};
      auto const key = hilbert_key(place, d, bits);
      ASSERT_GE(key, 0);
      ASSERT_LT(key, points);
      EXPECT_EQ(at[key], -1);
      at[key] = p;
    }
    for (int k = 1; k < points; ++k) {
      auto const distance = std::abs(at[k] % side - at[k - 1] % side) +
                            std::abs(at[k] / side % side - at[k - 1] / side % side) +
                            std::abs(at[k] / side / side - at[k - 1] / side / side);
      EXPECT_EQ(distance, 1) << d << " " << k;
    }
  }
}

}  // namespace
}  // namespace Tessera::gallery
