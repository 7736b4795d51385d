#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "gallery/mesh.hpp"
#include "oracle/lapack.hpp"
#include "whole.hpp"

namespace Tessera::gallery {
namespace {

/// The integral of each row's basis function: a (d + 1)-th of the elements at its vertex, which its
/// coordinates identify.
std::vector<double> load(Mesh const& mesh, oracle::Dense const& coordinates) {
  int const d = mesh.dimensions;
  std::map<std::vector<double>, Index> row_at;
  for (Index i = 0; i < coordinates.rows; ++i) {
    row_at[{coordinates.value.begin() + i * d, coordinates.value.begin() + (i + 1) * d}] = i;
  }
  std::vector<double> b(coordinates.rows, 0);
  for (std::size_t e = 0; e < mesh.elements.size(); e += d + 1) {
    auto const edge = [&](int i, int k) {
      return mesh.at[mesh.elements[e + i] * d + k] - mesh.at[mesh.elements[e] * d + k];
    };
    double measure = 0;
    if (d == 2) {
      measure = std::abs(edge(1, 0) * edge(2, 1) - edge(1, 1) * edge(2, 0)) / 2;
    } else {
      for (int k = 0; k < 3; ++k) {
        int const l = (k + 1) % 3, m = (k + 2) % 3;
        measure += edge(1, k) * (edge(2, l) * edge(3, m) - edge(2, m) * edge(3, l)) / 6;
      }
      measure = std::abs(measure);
    }
    for (int c = 0; c <= d; ++c) {
      auto const* const at = &mesh.at[mesh.elements[e + c] * d];
      auto const found = row_at.find({at, at + d});
      if (found != row_at.end()) b[found->second] += measure / (d + 1);
    }
  }
  return b;
}

/// The integral of the solution of -div grad u = 1 on the unit square or cube with zero boundary values, by
/// its Fourier series.
double exact_integral(int d) {
  double const pi = std::acos(-1.0);
  double sum = 0;
  for (int i = 1; i < 60; i += 2) {
    for (int j = 1; j < 60; j += 2) {
      for (int k = 1; k < (d == 3 ? 60 : 2); k += 2) {
        double const squares = double(i) * i * j * j * k * k;
        sum += std::pow(8 / (pi * pi), d) / squares / (pi * pi * (i * i + j * j + (d == 3 ? k * k : 0)));
      }
    }
  }
  return sum;
}

/// Relative error of the integral of the solution, on one rank, because problems do not depend on the number
/// of ranks.
double error(std::string const& name, Mesh mesh, int refinements) {
  auto const problem = make_problem(name, {{"refinements", refinements}}, alone());
  for (int times = 0; times < refinements; ++times) mesh = refined(mesh);
  auto const b = load(mesh, whole(*problem.coordinates));
  auto const u = oracle::solve(whole(*problem.matrix), b);
  double integral = 0;
  for (std::size_t i = 0; i < b.size(); ++i) integral += b[i] * u[i];
  return integral / exact_integral(mesh.dimensions) - 1;
}

TEST(UnstructuredPoisson, ConvergesInTwoDimensionsFromBelow) {
  if (world()->getRank() != 0) return;
  // Galerkin's energy is less than the exact energy; its error is O(h^2).
  double const coarse = error("UnstructuredPoisson2D", unit_square(), 0);
  double const fine = error("UnstructuredPoisson2D", unit_square(), 1);
  EXPECT_LT(coarse, 0);
  EXPECT_GT(coarse, -0.1);
  EXPECT_LT(fine, 0);
  EXPECT_NEAR(fine / coarse, 0.25, 0.05);
}

TEST(UnstructuredPoisson, ConvergesInThreeDimensionsFromBelow) {
  if (world()->getRank() != 0) return;
  double const coarse = error("UnstructuredPoisson3D", unit_cube(), 1);
  double const fine = error("UnstructuredPoisson3D", unit_cube(), 2);
  EXPECT_LT(coarse, 0);
  EXPECT_GT(coarse, -0.4);
  EXPECT_LT(fine, 0);
  EXPECT_NEAR(fine / coarse, 0.25, 0.1);
}

TEST(UnstructuredPoisson, DoesNotForceLinearFunctions) {
  for (auto const* const name : {"UnstructuredPoisson2D", "UnstructuredPoisson3D", "Horseshoe2D",
                                 "UnstructuredAnisotropy2D", "HorseshoeAnisotropy2D"}) {
    SCOPED_TRACE(name);
    auto const problem = make_problem(name, {{"refinements", 1}}, world());
    auto const A = whole(*problem.matrix), X = whole(*problem.coordinates);
    auto const sums = oracle::product(A, std::vector<double>(A.rows, 1.0));
    auto const AX = oracle::product(A, X);
    int without_boundary = 0;
    for (Index i = 0; i < A.rows; ++i) {
      if (std::abs(sums[i]) > 1e-12 * A(i, i)) continue;
      ++without_boundary;
      for (Index k = 0; k < X.columns; ++k) EXPECT_NEAR(AX(i, k), 0, 1e-12 * A(i, i));
    }
    EXPECT_GT(without_boundary, 5);
  }
}

}  // namespace
}  // namespace Tessera::gallery
