// Energies of functions, sizes of matrices, and relations between problems.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "tpetra/vectors.hpp"
#include "whole.hpp"

namespace Tessera::gallery {
namespace {

double const pi = std::acos(-1.0);

/// u^T A u for a function u of coordinates and equation.
double energy(Problem const& problem, std::function<double(double, double, int)> const& u) {
  tpetra::MultiVector values(problem.matrix->getRowMap(), 1), product(values, Teuchos::Copy);
  int const m = problem.equations;
  {
    tpetra::ReadColumns const at(*problem.coordinates);
    tpetra::WriteColumns const columns(values);
    for (std::size_t row = 0; row < columns[0].size(); ++row)
      columns[0][row] = u(at[0][row / m], at[1][row / m], static_cast<int>(row % m));
  }
  problem.matrix->apply(values, product);
  double result = 0;
  values.dot(product, Teuchos::ArrayView<double>(&result, 1));
  return result;
}

/// A function that is zero on the boundary of the unit square. With K = [xx, xy; xy, yy] the integral of
/// K grad u . grad u is 5/4 pi^2 (xx + yy) - 64/9 xy.
double waves(double x, double y, int) {
  return std::sin(pi * x) * std::sin(pi * y) + std::sin(2 * pi * x) * std::sin(2 * pi * y);
}

TEST(Energy, OfTheTensorIsTheExactOneForFineMeshes) {
  for (double theta : {0.0, pi / 6, -pi / 6, pi / 2}) {
    SCOPED_TRACE(theta);
    double const eps = 0.1, c = std::cos(theta), s = std::sin(theta);
    double const exact = 1.25 * pi * pi * (2 * eps + 1) - 64.0 / 9 * c * s;
    double error[2];
    for (int k : {0, 1}) {
      Options const options{{"refinements", 2 + k}, {"eps", eps}, {"theta", theta}};
      error[k] = energy(make_problem("UnstructuredAnisotropy2D", options, world()), waves) / exact - 1;
    }
    EXPECT_NEAR(error[1], 0, 0.02);
    EXPECT_NEAR(error[1] / error[0], 0.25, 0.05);
  }
}

TEST(Energy, OnDelaunayMeshesIsTheExactOneForFineMeshes) {
  auto const problem = make_problem("Delaunay2D", {{"nx", 40}, {"ny", 40}}, world());
  EXPECT_NEAR(energy(problem, waves), 2.5 * pi * pi, 0.01 * 2.5 * pi * pi);
}

TEST(Energy, OfTheBeamsStretchAndShearIsExact) {
  // u = (x, 0): (lambda + 2 mu) 8; u = (0, x): mu 8; u = (0, x y): strains e_xy = y / 2, e_yy = x.
  double const lambda = 1.7, mu = 0.42;
  auto const beam = make_problem("Beam2D", {{"refinements", 2}}, world());
  EXPECT_NEAR(energy(beam, [](double x, double, int i) { return i == 0 ? x : 0; }), 8 * (lambda + 2 * mu),
              1e-11);
  EXPECT_NEAR(energy(beam, [](double x, double, int i) { return i == 1 ? x : 0; }), 8 * mu, 1e-11);
  EXPECT_NEAR(energy(beam, [](double x, double y, int i) { return i == 1 ? x * y : 0; }),
              512.0 / 3 * (lambda + 2 * mu) + 8.0 / 3 * mu, 1);
}

TEST(Beam, IsClampedAtOneEndOnly) {
  auto const beam = make_problem("Beam2D", {{"refinements", 1}}, world());
  EXPECT_EQ(beam.equations, 2);
  auto const A = whole(*beam.matrix), B = whole(*beam.nullspace), X = whole(*beam.coordinates);
  ASSERT_EQ(B.columns, 3);
  auto const stress = oracle::product(A, B);
  double held = 0;
  for (Index row = 0; row < A.rows; ++row) {
    for (Index mode = 0; mode < 3; ++mode) {
      if (X(row / 2, 0) > 0.5) {
        EXPECT_NEAR(stress(row, mode), 0, 1e-13);
      } else {
        held = std::max(held, std::abs(stress(row, mode)));
      }
    }
  }
  EXPECT_GT(held, 0.1);
  for (Index node = 0; node < X.rows; ++node)  // vertices from x = 0.5 to 8
    EXPECT_DOUBLE_EQ(B(2 * node, 2) * 3.75, 0.5 - X(node, 1));
}

TEST(Sizes, AreThoseOfThePapersWithoutTheBoundary) {
  // 168577 vertices, of which 1280 are on the boundary; 33345 vertices, of which 65 are clamped.
  EXPECT_EQ(make_problem("UnstructuredAnisotropy2D", {}, world()).matrix->getGlobalNumRows(), 168577u - 1280);
  EXPECT_EQ(make_problem("Beam2D", {}, world()).matrix->getGlobalNumRows(), 66690u - 2 * 65);
}

TEST(NeumannDelaunay, HasTheCouplingsOfTheDirichletProblem) {
  Options const options{{"nx", 6}, {"ny", 5}};
  auto const held = whole(*make_problem("Delaunay2D", options, world()).matrix);
  auto const free = whole(*make_problem("NeumannDelaunay2D", options, world()).matrix);
  for (Index i = 0; i < 30; ++i) {
    bool const frame = i % 6 == 0 || i % 6 == 5 || i < 6 || i >= 24;
    for (Index j = 0; j < 30; ++j) {
      if (i != j) {
        EXPECT_EQ(held(i, j), free(i, j));
        EXPECT_LE(held(i, j), 1e-15);
      } else if (frame) {
        EXPECT_GT(held(i, i), free(i, i) + 0.1);
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::gallery
