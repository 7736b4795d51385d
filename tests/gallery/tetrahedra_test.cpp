// TetrahedraBeam3D: its mesh, and its matrix compared with naive loops.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include "gallery/mesh.hpp"
#include "oracle/lapack.hpp"
#include "whole.hpp"

namespace Tessera::gallery {
namespace {

using oracle::Dense;
using Place = std::array<double, 3>;

Place place(Mesh const& mesh, Index v) {
  return {mesh.at[3 * v], mesh.at[3 * v + 1], mesh.at[3 * v + 2]};
}

/// Rows 1, x, y, z of the corners of an element; the absolute determinant is six times the volume.
Dense corners(Mesh const& mesh, std::size_t element) {
  Dense result(4, 4);
  for (Index c = 0; c < 4; ++c) {
    auto const at = place(mesh, mesh.elements[4 * element + c]);
    result(0, c) = 1;
    for (Index k = 0; k < 3; ++k) result(k + 1, c) = at[k];
  }
  return result;
}

/// The signed determinant by its definition.
double determinant(Dense const& A) {
  std::array<Index, 4> order{0, 1, 2, 3};
  double sum = 0;
  do {
    int inversions = 0;
    for (int a = 0; a < 4; ++a) {
      for (int b = 0; b < a; ++b) inversions += order[b] > order[a];
    }
    double product = inversions % 2 == 0 ? 1 : -1;
    for (Index i = 0; i < 4; ++i) product *= A(i, order[i]);
    sum += product;
  } while (std::next_permutation(order.begin(), order.end()));
  return sum;
}

TEST(BoxOfTetrahedra, DividesACubeIntoSixAroundItsRisingDiagonal) {
  //      6 - 7
  //     /|  /|     Paths from 0 to 7 along x, y and z in each order.
  //    4 - 5 |
  //    | 2 | 3
  //    0 - 1
  auto const mesh = box_of_tetrahedra(1, 1, 1, 0.1, 0);
  EXPECT_EQ(mesh.dimensions, 3);
  EXPECT_EQ(mesh.at, (std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0,  //
                                          0, 0, 1, 1, 0, 1, 0, 1, 1, 1, 1, 1}));
  EXPECT_EQ(mesh.elements, (std::vector<Index>{0, 1, 3, 7, 0, 1, 5, 7, 0, 2, 3, 7,  //
                                               0, 2, 6, 7, 0, 4, 5, 7, 0, 4, 6, 7}));
}

TEST(BoxOfTetrahedra, MovesInnerPointsByUpToThePerturbation) {
  int const nx = 12, ny = 10, nz = 9;
  double const perturbation = 0.16;
  auto const mesh = box_of_tetrahedra(nx, ny, nz, perturbation, 3);
  EXPECT_NE(mesh.at, box_of_tetrahedra(nx, ny, nz, perturbation, 4).at);
  double low = 0, high = 0, sum = 0;
  std::set<double> different;
  for (Index v = 0; v < 13 * 11 * 10; ++v) {
    int const p[3] = {v % 13, v / 13 % 11, v / (13 * 11)};
    bool const inner = 0 < p[0] && p[0] < nx && 0 < p[1] && p[1] < ny && 0 < p[2] && p[2] < nz;
    for (int k = 0; k < 3; ++k) {
      double const moved = mesh.at[3 * v + k] - p[k];
      EXPECT_LE(std::abs(moved), inner ? perturbation : 0);
      low = std::min(low, moved), high = std::max(high, moved), sum += moved;
      if (inner) different.insert(moved);
    }
  }
  EXPECT_LT(low, -0.159);
  EXPECT_GT(high, 0.159);
  EXPECT_NEAR(sum / (3 * 11 * 9 * 8), 0, 0.01);
  EXPECT_EQ(different.size(), 3u * 11 * 9 * 8);
}

TEST(BoxOfTetrahedra, FillsTheBoxConformingly) {
  int const nx = 5, ny = 4, nz = 3;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto mesh = box_of_tetrahedra(nx, ny, nz, 0.1666, seed);
    auto const regular = box_of_tetrahedra(nx, ny, nz, 0, seed);
    ASSERT_EQ(mesh.elements.size(), 4u * 6 * nx * ny * nz);
    double volume = 0;
    for (std::size_t e = 0; e < mesh.elements.size() / 4; ++e) {
      double const six = determinant(corners(mesh, e)), before = determinant(corners(regular, e));
      EXPECT_NEAR(std::abs(before), 1, 1e-14);
      EXPECT_GT(six * before, 0);  // the tetrahedron has not turned inside out
      volume += std::abs(six) / 6;
    }
    EXPECT_NEAR(volume, nx * ny * nz, 1e-12);
    // Facets that two neighbouring cubes divide differently would count as boundary facets.
    find_boundary(mesh);
    EXPECT_EQ(mesh.facets.size(), 3u * 4 * (nx * ny + ny * nz + nx * nz));
  }
}

TEST(BoxOfTetrahedra, CanTurnOneInsideOutFromASixthOn) {
  // Of a tetrahedron with corners 0, 100, 110, 111, the first and third corner move against the second and
  // fourth. Along (1, -1, 1) they are at 0, 1, 0, 1, and a move by t along each axis covers 3 t.
  for (double const t : {0.16, 0.17}) {
    Mesh mesh = box_of_tetrahedra(1, 1, 1, 0, 0);
    for (Index v : {0, 3}) mesh.at[3 * v] += t, mesh.at[3 * v + 1] -= t, mesh.at[3 * v + 2] += t;
    for (Index v : {1, 7}) mesh.at[3 * v] -= t, mesh.at[3 * v + 1] += t, mesh.at[3 * v + 2] -= t;
    EXPECT_EQ(determinant(corners(mesh, 0)) > 0, t < 1.0 / 6);
  }
}

/// The stiffness matrix from strains in Voigt's notation by naive loops: the sum over the elements of volume
/// B^T D B. node_at: vertices with unknowns, by coordinates.
Dense stiffness(Mesh const& mesh, std::map<Place, Index> const& node_at) {
  double const E = 1e9, nu = 0.25, factor = E / ((1 + nu) * (1 - 2 * nu));
  Dense D(6, 6);
  for (Index i = 0; i < 3; ++i) {
    for (Index j = 0; j < 3; ++j) D(i, j) = factor * (i == j ? 1 - nu : nu);
    D(i + 3, i + 3) = factor * (1 - 2 * nu) / 2;
  }
  auto const nodes = static_cast<Index>(node_at.size());
  Dense K(3 * nodes, 3 * nodes);
  for (std::size_t e = 0; e < mesh.elements.size() / 4; ++e) {
    auto const at = corners(mesh, e);
    auto const inverse = oracle::inverse(at);  // row c: a + b x + c y + d z is 1 at corner c
    Dense B(6, 12);
    for (Index c = 0; c < 4; ++c) {
      for (Index i = 0; i < 3; ++i) {
        Index const j = (i + 1) % 3;
        B(i, 3 * c + i) = inverse(c, i + 1);
        B(i + 3, 3 * c + i) = inverse(c, j + 1);  // shear strain of u_i and u_j
        B(i + 3, 3 * c + j) = inverse(c, i + 1);
      }
    }
    auto const element = oracle::triple_product(B, D);
    for (Index r = 0; r < 12; ++r) {
      for (Index s = 0; s < 12; ++s) {
        auto const row = node_at.find(place(mesh, mesh.elements[4 * e + r / 3]));
        auto const column = node_at.find(place(mesh, mesh.elements[4 * e + s / 3]));
        if (row == node_at.end() || column == node_at.end()) continue;
        K(3 * row->second + r % 3, 3 * column->second + s % 3) +=
            std::abs(determinant(at)) / 6 * element(r, s);
      }
    }
  }
  return K;
}

std::map<Place, Index> by_place(Dense const& X) {
  std::map<Place, Index> result;
  for (Index node = 0; node < X.rows; ++node) result[{X(node, 0), X(node, 1), X(node, 2)}] = node;
  return result;
}

TEST(TetrahedraBeam, IsTheSumOfItsElements) {
  Options const options{{"nx", 4}, {"ny", 2}, {"nz", 3}, {"perturbation", 0.16}, {"seed", 5}};
  auto const beam = make_problem("TetrahedraBeam3D", options, world());
  auto const A = whole(*beam.matrix);
  auto const nodes = by_place(whole(*beam.coordinates));
  ASSERT_EQ(nodes.size(), 4u * 3 * 4);  // distinct vertices, without clamped vertices
  auto const expected = stiffness(box_of_tetrahedra(4, 2, 3, 0.16, 5), nodes);
  ASSERT_EQ(A.rows, expected.rows);
  EXPECT_LT(oracle::largest_difference(A, expected), 1e-13 * 1e9 * 10);
  EXPECT_GT(oracle::symmetric_eigenvalues(A).front(), 1e4);
}

TEST(TetrahedraBeam, EnergyOfStretchAndShearIsExact) {
  // lambda = mu = 4e8. u = (x, 0, 0): (lambda + 2 mu) V; u = (0, x, 0) and (0, 0, x): mu V.
  auto const beam = make_problem("TetrahedraBeam3D", {{"nx", 6}, {"ny", 2}, {"nz", 3}}, world());
  auto const A = whole(*beam.matrix), X = whole(*beam.coordinates);
  for (Index direction = 0; direction < 3; ++direction) {
    std::vector<double> u(A.rows, 0);
    for (Index node = 0; node < X.rows; ++node) u[3 * node + direction] = X(node, 0);
    auto const force = oracle::product(A, u);
    double energy = 0;
    for (Index row = 0; row < A.rows; ++row) energy += u[row] * force[row];
    EXPECT_NEAR(energy / (36 * 4e8), direction == 0 ? 3 : 1, 1e-12);
  }
}

TEST(TetrahedraBeam, RigidBodyModesAreStressFreeAwayFromTheClampedEnd) {
  auto const beam = make_problem("TetrahedraBeam3D", {{"nx", 5}, {"ny", 2}, {"nz", 2}}, world());
  EXPECT_EQ(beam.equations, 3);
  auto const A = whole(*beam.matrix), B = whole(*beam.nullspace), X = whole(*beam.coordinates);
  ASSERT_EQ(B.columns, 6);
  auto const stress = oracle::product(A, B);
  double held = 0;
  for (Index row = 0; row < A.rows; ++row) {
    for (Index mode = 0; mode < 6; ++mode) {
      if (X(row / 3, 0) > 1.5) {  // vertices of the second layer have no clamped neighbour
        EXPECT_NEAR(stress(row, mode) / 1e9, 0, 1e-13);
      } else {
        held = std::max(held, std::abs(stress(row, mode)) / 1e9);
      }
    }
  }
  EXPECT_GT(held, 0.1);
  EXPECT_GT(oracle::symmetric_eigenvalues(oracle::product(oracle::transposed(B), B)).front(), 1);
}

TEST(TetrahedraBeam, HasAsManyUnknownsAsItsFreePoints) {
  auto const beam = make_problem("TetrahedraBeam3D", {}, world());
  EXPECT_EQ(beam.matrix->getGlobalNumRows(), 3u * 96 * 13 * 13);
  // Couplings of each pair of neighbours in both directions, and diagonal blocks: 5 edges of the free side.
  EXPECT_EQ(make_problem("TetrahedraBeam3D", {{"nx", 1}, {"ny", 1}, {"nz", 1}}, world())
                .matrix->getGlobalNumEntries(),
            9u * (4 + 2 * 5));
}

}  // namespace
}  // namespace Tessera::gallery
