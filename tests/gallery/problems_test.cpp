#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "tpetra/types.hpp"
#include "whole.hpp"

namespace Tessera::gallery {
namespace {

using oracle::Dense;

/// Problems that are small enough for dense comparisons.
struct Small {
  std::string name;
  Options options;
};

std::vector<Small> small_problems() {
  return {{"Laplace2D", {{"nx", 5}, {"ny", 4}}},
          {"Star2D", {{"nx", 4}, {"ny", 5}}},
          {"Laplace3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}}},
          {"Brick3D", {{"nx", 4}, {"ny", 3}, {"nz", 3}}},
          {"Elasticity2D", {{"nx", 4}, {"ny", 5}}},
          {"Elasticity3D", {{"nx", 3}, {"ny", 4}, {"nz", 3}}},
          {"RotatedAnisotropy2D", {{"nx", 6}, {"ny", 5}, {"theta", 0.7}}},
          {"Darcy3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}, {"sigma", 2}, {"seed", 3}}},
          {"ApacheLike3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}}},
          {"RandomNetwork2D", {{"nx", 5}, {"ny", 4}, {"decades", 2}, {"seed", 3}}},
          {"UnstructuredPoisson2D", {{"refinements", 0}}},
          {"UnstructuredPoisson3D", {{"refinements", 1}}},
          {"Horseshoe2D", {{"refinements", 1}}},
          {"NeumannLaplace2D", {{"nx", 5}, {"ny", 4}}},
          {"NeumannLaplace3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}}},
          {"Delaunay2D", {{"nx", 7}, {"ny", 6}}},
          {"NeumannDelaunay2D", {{"nx", 6}, {"ny", 7}, {"seed", 5}}},
          {"UnstructuredAnisotropy2D", {{"refinements", 1}, {"theta", 0.7}}},
          {"HorseshoeAnisotropy2D", {{"refinements", 0}}},
          {"Beam2D", {{"refinements", 1}}},
          {"TetrahedraBeam3D", {{"nx", 3}, {"ny", 3}, {"nz", 2}}},
          {"MeshDeformation2D", {{"nx", 7}, {"ny", 6}, {"grading", 100}}},
          {"PoseGraph2D", {{"nx", 5}, {"ny", 4}, {"closures", 0.5}, {"seed", 3}}},
          {"HolsteinHubbard", {{"sites", 3}, {"electrons", 3}, {"phonons", 2}}}};
}

/// The row of the middle point (1, 1) or (1, 1, 1) of 3 x 3 (x 3) points.
std::vector<double> middle_row(Dense const& A) {
  auto const row = A.rows / 2 * A.columns;
  return {A.value.begin() + row, A.value.begin() + row + A.columns};
}

TEST(Gallery, Laplace2DOn3x3) {
  Dense const expected(9, 9, {4,  -1, 0,  -1, 0,  0,  0,  0,  0,   //
                              -1, 4,  -1, 0,  -1, 0,  0,  0,  0,   //
                              0,  -1, 4,  0,  0,  -1, 0,  0,  0,   //
                              -1, 0,  0,  4,  -1, 0,  -1, 0,  0,   //
                              0,  -1, 0,  -1, 4,  -1, 0,  -1, 0,   //
                              0,  0,  -1, 0,  -1, 4,  0,  0,  -1,  //
                              0,  0,  0,  -1, 0,  0,  4,  -1, 0,   //
                              0,  0,  0,  0,  -1, 0,  -1, 4,  -1,  //
                              0,  0,  0,  0,  0,  -1, 0,  -1, 4});
  EXPECT_EQ(whole(*make_problem("Laplace2D", {{"nx", 3}, {"ny", 3}}, world()).matrix), expected);
}

TEST(Gallery, Star2DCouplesToEightNeighbours) {
  auto const A = whole(*make_problem("Star2D", {{"nx", 3}, {"ny", 3}}, world()).matrix);
  EXPECT_EQ(middle_row(A), (std::vector<double>{-1, -1, -1, -1, 8, -1, -1, -1, -1}));
  // Point (0, 0) has couplings to points 1, 3 and 4, so that point 2 is not its neighbour.
  EXPECT_EQ(std::vector<double>(A.value.begin(), A.value.begin() + 9),
            (std::vector<double>{8, -1, 0, -1, -1, 0, 0, 0, 0}));
}

TEST(Gallery, Laplace3DIsTheOracles) {
  auto const A = whole(*make_problem("Laplace3D", {{"nx", 3}, {"ny", 4}, {"nz", 2}}, world()).matrix);
  EXPECT_EQ(A, oracle::to_dense(oracle::laplace(3, 4, 2).view()));
}

TEST(Gallery, Brick3DCouplesToTwentySixNeighbours) {
  auto const A = whole(*make_problem("Brick3D", {{"nx", 3}, {"ny", 3}, {"nz", 3}}, world()).matrix);
  std::vector<double> expected(27, -1);
  expected[13] = 26;
  EXPECT_EQ(middle_row(A), expected);
  for (Index i = 0; i < 27; ++i) EXPECT_EQ(A(i, i), 26);
}

TEST(Gallery, RotatedAnisotropyAlongTheAxesIsTheBilinearElementsStencil) {
  // eps must be positive; eps = 1 and theta = 0 give K = diag(2, 1) on square elements.
  auto const problem =
      make_problem("RotatedAnisotropy2D", {{"nx", 3}, {"ny", 3}, {"eps", 1}, {"theta", 0}}, world());
  auto const row = middle_row(whole(*problem.matrix));
  double const expected[] = {-0.5, 0, -0.5, -1, 4, -1, -0.5, 0, -0.5};
  for (int i = 0; i < 9; ++i) EXPECT_NEAR(row[i], expected[i], 1e-14);
}

TEST(Gallery, RotatedAnisotropyIsExactForQuadraticFunctions) {
  // The stencil applied to x^2, x y and y^2 gives -2 K_xx, -2 K_xy and -2 K_yy times the area of a cell.
  double const eps = 0.01, theta = 0.6;
  int const nx = 5, ny = 7;
  auto const A = whole(
      *make_problem("RotatedAnisotropy2D", {{"nx", nx}, {"ny", ny}, {"eps", eps}, {"theta", theta}}, world())
           .matrix);
  double const hx = 1.0 / (nx + 1), hy = 1.0 / (ny + 1), c = std::cos(theta), s = std::sin(theta);
  std::vector<double> xx, xy, yy;
  for (int j = 1; j <= ny; ++j) {
    for (int i = 1; i <= nx; ++i) {
      xx.push_back(i * hx * i * hx);
      xy.push_back(i * hx * j * hy);
      yy.push_back(j * hy * j * hy);
    }
  }
  auto const middle = static_cast<std::size_t>(ny / 2 * nx + nx / 2);
  EXPECT_NEAR(oracle::product(A, xx)[middle], -2 * (eps + c * c) * hx * hy, 1e-12);
  EXPECT_NEAR(oracle::product(A, xy)[middle], -2 * c * s * hx * hy, 1e-12);
  EXPECT_NEAR(oracle::product(A, yy)[middle], -2 * (eps + s * s) * hx * hy, 1e-12);
}

TEST(Gallery, Darcy3DHasNoFlowThroughTheBoundary) {
  auto const A =
      whole(*make_problem("Darcy3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}, {"sigma", 3}}, world()).matrix);
  auto const sums = oracle::product(A, std::vector<double>(60, 1.0));
  EXPECT_NEAR(sums[0], A(0, 0) / 2, 1e-12 * A(0, 0));
  for (Index i = 1; i < 60; ++i) EXPECT_NEAR(sums[i], 0, 1e-13 * A(i, i));
}

TEST(Gallery, Darcy3DWithoutVariationIsTheNeumannLaplacian) {
  // Permeability e everywhere.
  auto const A =
      whole(*make_problem("Darcy3D", {{"nx", 2}, {"ny", 3}, {"nz", 4}, {"sigma", 0}}, world()).matrix);
  auto expected = oracle::to_dense(oracle::neumann_laplace(2, 3, 4).view());
  expected(0, 0) *= 2;
  for (auto& value : expected.value) value *= std::exp(1.0);
  EXPECT_LT(oracle::largest_difference(A, expected), 1e-13);
}

TEST(Gallery, Darcy3DIsLognormalWithTheGivenDeviation) {
  // Couplings are harmonic means of two permeabilities. Mean and deviation of their logarithms on 20^3 cells
  // determine sigma: for sigma = 0.1, the logarithm of a harmonic mean is the mean of two logarithms up to
  // O(sigma^2).
  auto const problem = make_problem("Darcy3D", {{"nx", 20}, {"ny", 20}, {"nz", 20}, {"sigma", 0.1}}, alone());
  auto const local = problem.matrix->getLocalMatrixHost();
  double count = 0, sum = 0, squares = 0;
  for (int i = 0; i < 8000; ++i) {
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      if (local.graph.entries(k) <= i) continue;
      double const logarithm = std::log(-local.values(k));
      ++count;
      sum += logarithm;
      squares += logarithm * logarithm;
    }
  }
  double const mean = sum / count, deviation = std::sqrt(squares / count - mean * mean);
  EXPECT_EQ(count, 3 * 19 * 400);
  EXPECT_NEAR(mean, 1, 0.01);
  EXPECT_NEAR(deviation, 0.1 / std::sqrt(2.0), 0.002);
}

TEST(Gallery, ApacheLike3DHasTheSizeOfItsModel) {
  auto const A = make_problem("ApacheLike3D", {}, world()).matrix;
  EXPECT_EQ(A->getGlobalNumRows(), 715176u);
  EXPECT_EQ(A->getGlobalNumEntries(), 4817870u);
}

TEST(Gallery, ApacheLike3DHasNeumannEndsOnTheStrongAxisOnly) {
  auto const A = whole(*make_problem("ApacheLike3D", {{"nx", 3}, {"ny", 3}, {"nz", 3}}, world()).matrix);
  auto const sums = oracle::product(A, std::vector<double>(27, 1.0));
  EXPECT_EQ(A(13, 13), 60048);
  EXPECT_EQ(A(13, 12), -30000);
  EXPECT_EQ(A(13, 10), -12);
  EXPECT_EQ(A(12, 12), 30048);
  EXPECT_EQ(sums[12], 0);      // an end of the strong axis, interior in y and z
  EXPECT_EQ(sums[0], 2 * 12);  // a corner: one Dirichlet side in y, one in z
}

TEST(Gallery, RandomNetworkWithoutVariationIsALaplacianWithDirichletEndsInY) {
  // y = 1  4 5 6 7      no edge leaves the rectangle in x; edges in y leave it at both ends
  // y = 0  0 1 2 3
  auto const A =
      whole(*make_problem("RandomNetwork2D", {{"nx", 4}, {"ny", 2}, {"decades", 0}}, world()).matrix);
  Dense const expected(8, 8, {3,  -1, 0,  0,  -1, 0,  0,  0,   //
                              -1, 4,  -1, 0,  0,  -1, 0,  0,   //
                              0,  -1, 4,  -1, 0,  0,  -1, 0,   //
                              0,  0,  -1, 3,  0,  0,  0,  -1,  //
                              -1, 0,  0,  0,  3,  -1, 0,  0,   //
                              0,  -1, 0,  0,  -1, 4,  -1, 0,   //
                              0,  0,  -1, 0,  0,  -1, 4,  -1,  //
                              0,  0,  0,  -1, 0,  0,  -1, 3});
  EXPECT_EQ(A, expected);
}

TEST(Gallery, RandomNetworkHasTheGivenDecadesOnItsEdges) {
  // Logarithms of conductances are uniform in [-d, d): distinct, with mean 0 and deviation d / sqrt(3). Only
  // the ends in y, where the solution is zero, make row sums positive.
  double const d = 1.5;
  auto const A =
      whole(*make_problem("RandomNetwork2D", {{"nx", 30}, {"ny", 20}, {"decades", d}}, world()).matrix);
  auto const sums = oracle::product(A, std::vector<double>(600, 1.0));
  std::vector<double> logarithms;
  for (Index i = 0; i < 600; ++i) {
    bool const end = i < 30 || i >= 570;
    if (end) logarithms.push_back(std::log10(sums[i]));
    EXPECT_NEAR(end ? 0 : sums[i], 0, 1e-13 * A(i, i));
    for (Index j = i + 1; j < 600; ++j) {
      if (A(i, j) != 0) logarithms.push_back(std::log10(-A(i, j)));
    }
  }
  ASSERT_EQ(logarithms.size(), 2u * 30 + 29 * 20 + 30 * 19);
  double sum = 0, squares = 0;
  for (auto const x : logarithms) {
    EXPECT_LT(std::abs(x), d + 1e-10);
    sum += x;
    squares += x * x;
  }
  auto const n = static_cast<double>(logarithms.size());
  EXPECT_NEAR(sum / n, 0, 0.08);
  EXPECT_NEAR(std::sqrt(squares / n), d / std::sqrt(3.0), 0.04);
  std::sort(logarithms.begin(), logarithms.end());
  EXPECT_EQ(std::adjacent_find(logarithms.begin(), logarithms.end()), logarithms.end());
}

TEST(Gallery, NeumannLaplaciansAreThoseOfTheGraphs) {
  auto const flat = whole(*make_problem("NeumannLaplace2D", {{"nx", 4}, {"ny", 3}}, world()).matrix);
  auto const deep =
      whole(*make_problem("NeumannLaplace3D", {{"nx", 2}, {"ny", 3}, {"nz", 4}}, world()).matrix);
  EXPECT_EQ(flat, oracle::to_dense(oracle::neumann_laplace(4, 3, 1).view()));
  EXPECT_EQ(deep, oracle::to_dense(oracle::neumann_laplace(2, 3, 4).view()));
}

TEST(Gallery, EveryProblemIsAmongTheSmallProblems) {
  std::vector<std::string> tested, all;
  for (auto const& small : small_problems()) tested.push_back(small.name);
  for (auto const& entry : catalogue()) all.push_back(entry.name);
  EXPECT_EQ(tested, all);
}

TEST(Gallery, EveryMatrixIsBitwiseSymmetric) {
  for (auto const& [name, options] : small_problems()) {
    SCOPED_TRACE(name);
    auto const A = whole(*make_problem(name, options, world()).matrix);
    EXPECT_EQ(A, oracle::transposed(A));
  }
}

TEST(Gallery, EveryMatrixIsPositiveDefiniteBeyondItsKernel) {
  for (auto const& [name, options] : small_problems()) {
    SCOPED_TRACE(name);
    auto const problem = make_problem(name, options, world());
    auto A = whole(*problem.matrix);
    if (problem.kernel == Kernel::constants) {
      auto const sums = oracle::product(A, std::vector<double>(A.rows, 1.0));
      for (Index i = 0; i < A.rows; ++i) EXPECT_NEAR(sums[i], 0, 1e-14 * A(i, i));
      for (auto& value : A.value) value += 1.0 / A.rows;
    }
    EXPECT_TRUE(oracle::is_positive_definite(A));
  }
}

TEST(Gallery, EveryProblemIsTheSameOnAnyNumberOfRanks) {
  for (auto const& [name, options] : small_problems()) {
    SCOPED_TRACE(name);
    auto const many = make_problem(name, options, world()), one = make_problem(name, options, alone());
    EXPECT_EQ(whole(*many.matrix), whole(*one.matrix));
    EXPECT_EQ(whole(*many.rhs), whole(*one.rhs));
    ASSERT_EQ(many.nullspace.is_null(), one.nullspace.is_null());
    if (!one.nullspace.is_null()) {
      EXPECT_EQ(whole(*many.nullspace), whole(*one.nullspace));
    }
    ASSERT_EQ(many.coordinates.is_null(), one.coordinates.is_null());
    if (!one.coordinates.is_null()) {
      EXPECT_EQ(whole(*many.coordinates), whole(*one.coordinates));
    }
    auto const all = pattern(*one.matrix), mine = pattern(*many.matrix);
    auto const rows = tpetra::local_elements(*many.matrix->getRowMap());
    for (int i = 0; i < rows.size(); ++i) EXPECT_EQ(mine[i], all[rows[i]]);
  }
}

TEST(Gallery, EveryProblemKeepsTheRowsOfANodeTogether) {
  for (auto const& [name, options] : small_problems()) {
    SCOPED_TRACE(name);
    auto const problem = make_problem(name, options, world());
    EXPECT_EQ(tpetra::local_size(*problem.matrix->getRowMap()) % problem.equations, 0u);
    EXPECT_EQ(problem.matrix->getGlobalNumRows() % problem.equations, 0u);
  }
}

TEST(Elasticity, RigidBodyModesAreStressFreeAwayFromDirichletSides) {
  // Sides i = 0, j = 0 (and k = 0) have Dirichlet conditions; all other boundaries are free.
  for (int dimensions : {2, 3}) {
    SCOPED_TRACE(dimensions);
    Options options{{"nx", 4}, {"ny", 5}};
    if (dimensions == 3) options["nz"] = 3;
    auto const problem = make_problem(dimensions == 2 ? "Elasticity2D" : "Elasticity3D", options, world());
    EXPECT_EQ(problem.equations, dimensions);
    auto const A = whole(*problem.matrix), B = whole(*problem.nullspace);
    ASSERT_EQ(B.columns, dimensions == 2 ? 3 : 6);
    auto const stress = oracle::product(A, B);
    double held = 0;
    for (Index row = 0; row < A.rows; ++row) {
      auto const node = row / dimensions;
      bool const free = node % 4 > 0 && node / 4 % 5 > 0 && (dimensions == 2 || node / 20 > 0);
      for (Index mode = 0; mode < B.columns; ++mode) {
        if (free) {
          EXPECT_NEAR(stress(row, mode) / 1e9, 0, 1e-13) << row << " " << mode;
        } else {
          held = std::max(held, std::abs(stress(row, mode)) / 1e9);
        }
      }
    }
    EXPECT_GT(held, 0.1);
  }
}

TEST(Elasticity, RigidBodyModesAreOrthogonalAndOfOneNorm) {
  auto const B = whole(*make_problem("Elasticity3D", {{"nx", 3}, {"ny", 4}, {"nz", 5}}, world()).nullspace);
  auto const gram = oracle::product(oracle::transposed(B), B);
  for (Index i = 0; i < 6; ++i) {
    for (Index j = 0; j < 6; ++j) EXPECT_NEAR(gram(i, j), i == j ? 60 : 0, 1e-12) << i << " " << j;
  }
}

TEST(RightHandSide, LiesInTheRangeOfASingularMatrix) {
  for (int nx : {4, 5}) {
    SCOPED_TRACE(nx);
    Options const options{{"nx", nx}, {"ny", 1}};
    auto const problem = make_problem("NeumannLaplace2D", options, world());
    auto const& A = *problem.matrix;
    EXPECT_EQ(whole(*problem.rhs).value,
              nx == 4 ? (std::vector<double>{1, 1, -1, -1}) : (std::vector<double>{1, 1, 0, -1, -1}));
    EXPECT_EQ(whole(*make_rhs(RhsKind::consistent, A, problem.kernel)).value,
              nx == 4 ? (std::vector<double>{0, 2, -2, 0}) : (std::vector<double>{0, 1, 0, -1, 0}));
    auto const random = whole(*make_rhs(RhsKind::random, A, problem.kernel)).value;
    for (int i = 0; i < nx; ++i) EXPECT_EQ(random[i], -random[nx - 1 - i]);
    EXPECT_NE(random[0], random[1]);
    auto const alike = make_problem("NeumannLaplace2D", options, alone());
    EXPECT_EQ(random, whole(*make_rhs(RhsKind::random, *alike.matrix, alike.kernel)).value);
  }
}

TEST(RightHandSide, IsOnesRandomOrConsistent) {
  auto const A = make_problem("Laplace2D", {{"nx", 3}, {"ny", 3}}, world()).matrix;
  EXPECT_EQ(whole(*make_rhs(parse_rhs_kind("ones"), *A)), Dense(9, 1, std::vector<double>(9, 1.0)));
  EXPECT_EQ(whole(*make_rhs(parse_rhs_kind("consistent"), *A)), Dense(9, 1, {2, 1, 2, 1, 0, 1, 2, 1, 2}));
  auto const random = whole(*make_rhs(parse_rhs_kind("random"), *A));
  auto const alike = make_problem("Laplace2D", {{"nx", 3}, {"ny", 3}}, alone()).matrix;
  EXPECT_EQ(random, whole(*make_rhs(RhsKind::random, *alike)));
  for (Index i = 0; i < 9; ++i) {
    EXPECT_LT(std::abs(random(i, 0)), 1);
    for (Index j = 0; j < i; ++j) EXPECT_NE(random(i, 0), random(j, 0));
  }
}

}  // namespace
}  // namespace Tessera::gallery
