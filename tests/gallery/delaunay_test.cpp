#include "gallery/mesh.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "core/error.hpp"
#include "core/hash.hpp"

namespace Tessera::gallery {
namespace {

using Integer = __int128;
using Triangle = std::array<Index, 3>;

std::vector<Triangle> triangles(Mesh const& mesh) {
  std::vector<Triangle> result;
  for (std::size_t e = 0; e < mesh.elements.size(); e += 3) {
    Triangle t{mesh.elements[e], mesh.elements[e + 1], mesh.elements[e + 2]};
    std::rotate(t.begin(), std::min_element(t.begin(), t.end()), t.end());
    result.push_back(t);
  }
  std::sort(result.begin(), result.end());
  return result;
}

/// Twice the area, positive if a, b, c run counter-clockwise.
Integer area(std::vector<std::int32_t> const& at, Index a, Index b, Index c) {
  auto const x = [&](Index v) { return Integer{at[2 * v]}; };
  auto const y = [&](Index v) { return Integer{at[2 * v + 1]}; };
  return (x(b) - x(a)) * (y(c) - y(a)) - (x(c) - x(a)) * (y(b) - y(a));
}

/// Positive if d is inside the circle through a, b, c, which run counter-clockwise.
Integer in_circle(std::vector<std::int32_t> const& at, Triangle const& t, Index d) {
  Integer dx[3], dy[3], square[3], result = 0;
  for (int k = 0; k < 3; ++k) {
    dx[k] = Integer{at[2 * t[k]]} - at[2 * d];
    dy[k] = Integer{at[2 * t[k] + 1]} - at[2 * d + 1];
    square[k] = dx[k] * dx[k] + dy[k] * dy[k];
  }
  for (int k = 0; k < 3; ++k) {
    int const l = (k + 1) % 3, m = (k + 2) % 3;
    result += square[k] * (dx[l] * dy[m] - dx[m] * dy[l]);
  }
  return result;
}

TEST(Delaunay, OfFourPointsTakesTheShortDiagonal) {
  //      2
  //    / | \      The short diagonal 1 - 2 has length 4; 0 - 3 has length 8.
  //  0   |   3
  //    \ | /
  //      1
  auto const mesh = delaunay({-4, 0, 0, -2, 0, 2, 4, 0}, 0.5);
  EXPECT_EQ(triangles(mesh), (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));
  EXPECT_EQ(mesh.at, (std::vector<double>{-2, 0, 0, -1, 0, 1, 2, 0}));
}

TEST(Delaunay, OfPointsOnACircleIsTheFanOfTheFirst) {
  auto const mesh = delaunay({5, 0, 3, 4, -3, 4, -5, 0, -3, -4, 3, -4}, 1);
  EXPECT_EQ(triangles(mesh), (std::vector<Triangle>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}}));
}

TEST(Delaunay, HasNoPointInACircleAndCoversTheHull) {
  std::vector<std::int32_t> at{0, 0, 1 << 20, 0, 0, 1 << 20, 1 << 20, 1 << 20};
  for (int k = 0; k < 200; ++k)
    at.push_back(static_cast<std::int32_t>((core::uniform(k, 7) + 1) * (1 << 19)));
  Integer total = 0;
  for (auto const& t : triangles(delaunay(at, 1))) {
    EXPECT_GT(area(at, t[0], t[1], t[2]), 0);
    total += area(at, t[0], t[1], t[2]);
    for (Index d = 0; d < static_cast<Index>(at.size() / 2); ++d) {
      if (std::count(t.begin(), t.end(), d) > 0) continue;
      EXPECT_FALSE(in_circle(at, t, d) > 0) << d;
    }
  }
  EXPECT_TRUE(total == Integer{1} << 41);
}

TEST(Delaunay, RejectsEqualPoints) {
  EXPECT_THROW(delaunay({0, 0, 1, 0, 0, 1, 1, 0}, 1), core::InvalidInput);
}

TEST(PerturbedLattice, OfNoPerturbationIsSquaresWithADiagonal) {
  auto const mesh = perturbed_lattice(3, 2, 0, 0);
  EXPECT_EQ(mesh.vertices(), 20u);
  EXPECT_EQ(mesh.elements.size(), 3u * 2 * 4 * 3);
  for (Index v = 0; v < 20; ++v) {
    EXPECT_DOUBLE_EQ(mesh.at[2 * v], v % 5 / 4.0);
    EXPECT_DOUBLE_EQ(mesh.at[2 * v + 1], v / 5 / 4.0);
  }
}

TEST(PerturbedLattice, MovesPointsByUpToThePerturbation) {
  int const n = 40;
  double const perturbation = 0.4, side = 1.0 / (n + 1);
  auto const mesh = perturbed_lattice(n, n, perturbation, 3),
             other = perturbed_lattice(n, n, perturbation, 4);
  EXPECT_NE(mesh.at, other.at);
  double low = 0, high = 0, sum = 0;
  for (Index v = 0; v < (n + 2) * (n + 2); ++v) {
    Index const place[2] = {v % (n + 2), v / (n + 2)};
    bool const frame = std::min(place[0], place[1]) == 0 || std::max(place[0], place[1]) == n + 1;
    for (int k = 0; k < 2; ++k) {
      double const moved = mesh.at[2 * v + k] / side - place[k];
      EXPECT_LE(std::abs(moved), frame ? 1e-12 : perturbation + 1e-6);
      low = std::min(low, moved), high = std::max(high, moved), sum += moved;
    }
  }
  EXPECT_LT(low, -0.39);
  EXPECT_GT(high, 0.39);
  EXPECT_NEAR(sum / (2 * n * n), 0, 0.02);
}

TEST(PerturbedLattice, CoversTheSquareConformingly) {
  auto mesh = perturbed_lattice(30, 30, 0.4, 0);
  find_boundary(mesh);
  EXPECT_EQ(mesh.facets.size(), 2u * 4 * 31);
  EXPECT_EQ(mesh.elements.size() / 3, 2u * 32 * 32 - 4 * 31 - 2);  // by Euler
  double sum = 0;
  for (std::size_t e = 0; e < mesh.elements.size(); e += 3) {
    auto const *a = &mesh.at[2 * mesh.elements[e]], *b = &mesh.at[2 * mesh.elements[e + 1]],
               *c = &mesh.at[2 * mesh.elements[e + 2]];
    double const twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    EXPECT_GT(twice, 0);
    sum += twice / 2;
  }
  EXPECT_NEAR(sum, 1, 1e-12);
}

}  // namespace
}  // namespace Tessera::gallery
