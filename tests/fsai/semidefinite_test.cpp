// Matrices with singular components that are smaller than the patterns of rows.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

#include "cases.hpp"
#include "core/error.hpp"
#include "fsai/row_systems.hpp"
#include "oracle/lapack.hpp"

namespace Tessera {
namespace {

using oracle::Dense;
using oracle::DensePattern;

struct Solved {
  std::vector<double> value;
  fsai::RowFailure failure;
};

Solved solve(Dense const& A, DensePattern const& dense) {
  auto const sparse = oracle::to_csr(A);
  auto const pattern = test::to_pattern(dense);
  Solved s{std::vector<double>(pattern.column.size(), std::nan("")), {}};
  Span<double> const value(s.value.data(), s.value.size());
  s.failure = fsai::solve_rows(Host{}, test::whole(sparse), pattern.view(), value, std::size_t{1} << 20);
  return s;
}

DensePattern full(Index n) {
  return {static_cast<std::size_t>(n), std::vector<bool>(static_cast<std::size_t>(n), true)};
}

/// The factor of a full pattern.
Dense factor(Index n, std::vector<double> const& value) {
  Dense G(n, n);
  std::size_t k = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j <= i; ++j) G(i, j) = value[k++];
  }
  return G;
}

/// Laplacian of a weighted path without Dirichlet rows.
Dense path(std::vector<double> const& weights) {
  auto const n = static_cast<Index>(weights.size()) + 1;
  Dense A(n, n);
  for (Index e = 0; e + 1 < n; ++e) {
    A(e, e) += weights[e];
    A(e + 1, e + 1) += weights[e];
    A(e, e + 1) = A(e + 1, e) = -weights[e];
  }
  return A;
}

/// B B^T of rank `rank`, with small integer entries.
Dense of_rank(Index n, Index rank, unsigned seed) {
  std::mt19937 random(seed);
  Dense B(n, rank);
  for (Index i = 0; i < n; ++i) {
    for (Index k = 0; k < rank; ++k) B(i, k) = static_cast<double>(random() % 7) - 3 + (i == k ? 9 : 0);
  }
  return oracle::product(B, oracle::transposed(B));
}

///  8e-4  -8e-4    Row 1 has its diagonal only.
/// -8e-4   8e-4
TEST(Semidefinite, TheSmallestSingularRowHasItsDiagonalOnly) {
  auto const s = solve(path({8e-4}), full(2));
  EXPECT_EQ(s.failure.row, -1);
  double const g = 1 / std::sqrt(8e-4);
  EXPECT_EQ(s.value, (std::vector<double>{g, 0, g}));
}

TEST(Semidefinite, PathsOfEverySizeAreTheOracles) {
  for (Index n = 2; n < 90; ++n) {
    std::vector<double> weights;
    for (Index e = 0; e + 1 < n; ++e) weights.push_back(0.1 * (1 + (7 * e + n) % 9));
    auto const A = path(weights);
    auto const s = solve(A, full(n));
    ASSERT_EQ(s.failure.row, -1) << n;
    EXPECT_TRUE(factor(n, s.value) == oracle::fsai_factor(A, full(n), true)) << n;
  }
}

TEST(Semidefinite, AnyRankIsTheOracles) {
  for (Index const n : {3, 8, 17, 40, 130}) {
    for (Index const lost : {1, 2, 6}) {
      if (lost >= n) continue;
      auto const A = of_rank(n, n - lost, 5 + n);
      auto const s = solve(A, full(n));
      ASSERT_EQ(s.failure.row, -1) << n << " " << lost;
      EXPECT_TRUE(factor(n, s.value) == oracle::fsai_factor(A, full(n), true)) << n << " " << lost;
    }
  }
}

/// Couplings are 1e6, except for the last one, which is 1. The pivot of the last node is about 1e-10 with any
/// sign, although its diagonal is 1 and exactly representable.
TEST(Semidefinite, AWeakCouplingAfterStrongOnesIsDetected) {
  for (Index const n : {3, 5, 9, 33, 80}) {
    for (double const strong : {1e3, 1e6 / 3, 1e9 / 7}) {
      std::vector<double> weights(n - 1, strong);
      weights.back() = 1;
      auto const s = solve(path(weights), full(n));
      ASSERT_EQ(s.failure.row, -1) << n << " " << strong;
      EXPECT_EQ(s.value.back(), 1.0) << n << " " << strong;
      EXPECT_EQ(s.value[s.value.size() - 2], 0.0);
    }
  }
}

/// With the whole component in the pattern, nonzero eigenvalues are between 1 and 1 + k for a nullspace of k
/// dimensions, wherever the dependent rows are.
TEST(Semidefinite, EigenvaluesAreBounded) {
  for (Index const n : {6, 25, 60}) {
    for (Index const lost : {1, 3, 5}) {
      auto const A = of_rank(n, n - lost, 11 + n);
      auto const G = factor(n, solve(A, full(n)).value);
      auto all = oracle::symmetric_eigenvalues(oracle::product(oracle::product(G, A), oracle::transposed(G)));
      std::sort(all.begin(), all.end());
      for (Index i = 0; i < lost; ++i) EXPECT_NEAR(all[i], 0.0, 1e-7);
      EXPECT_GT(all[lost], 1 - 1e-7);
      EXPECT_LT(all.back(), 1 + lost + 1e-7);
    }
  }
}

/// A nearly singular matrix is treated as regular.
TEST(Semidefinite, NearlySingularPivotsStay) {
  auto A = path({1, 1, 1});
  A(0, 0) += 1e-11;
  auto const s = solve(A, full(4));
  EXPECT_EQ(s.failure.row, -1);
  EXPECT_TRUE(factor(4, s.value) == oracle::fsai_factor(A, full(4)));
  EXPECT_GT(s.value.back(), 1e5);
}

/// A pivot is negative beyond rounding errors.
TEST(Semidefinite, IndefiniteMatricesAreNamed) {
  auto A = path({1, 1, 1});
  A(3, 3) -= 1e-9;
  auto const s = solve(A, full(4));
  EXPECT_EQ(s.failure.row, 3);
  EXPECT_NEAR(s.failure.pivot, -1e-9, 1e-14);
}

/// 1 1 .    Rows 0 and 1 alone are semidefinite. After row 2, the pivot of row 1 would be 1 - 1 - 1.
/// 1 1 1
/// . 1 1
TEST(Semidefinite, AZeroPivotWithACouplingIsIndefinite) {
  Dense A = oracle::identity(3);
  A(0, 1) = A(1, 0) = A(1, 2) = A(2, 1) = 1;
  auto const s = solve(A, full(3));
  EXPECT_EQ(s.failure.row, 2);
  EXPECT_EQ(s.failure.pivot, -1.0);
}

/// Disconnected paths of 2 and 3 nodes and a grid, scattered over the ranks: rows of the grid are as without
/// the paths.
TEST(Semidefinite, SingularComponentsSetUpOnAnyRanks) {
  auto const grid = oracle::to_dense(oracle::laplace(8, 7).view());
  auto const two = path({0.1}), three = path({0.6, 0.7});
  Dense A(61, 61);
  std::vector<Index> of_grid, of_two{3, 40}, of_three{0, 17, 60};
  for (Index i = 0; i < 61; ++i) {
    if (i != 3 && i != 40 && i != 0 && i != 17 && i != 60) of_grid.push_back(i);
  }
  auto const put = [&](Dense const& part, std::vector<Index> const& at) {
    for (std::size_t i = 0; i < at.size(); ++i) {
      for (std::size_t j = 0; j < at.size(); ++j) A(at[i], at[j]) = part(i, j);
    }
  };
  put(grid, of_grid);
  put(two, of_two);
  put(three, of_three);
  for (bool const adaptive : {false, true}) {
    auto p = test::parameters(adaptive ? 0 : 3, 0, 0.05);
    p.adaptive_steps = adaptive ? 3 : 0;
    auto const G = test::factor_of(oracle::to_csr(A), test::share(test::world(), 61, false), p);
    EXPECT_LT(oracle::distance_from_unit_diagonal(A, G), 1e-12);
    EXPECT_EQ(G(40, 40), 1 / std::sqrt(0.1));
    EXPECT_EQ(G(60, 60), 1 / std::sqrt(0.7));
    if (adaptive) continue;
    auto const expected =
        oracle::fsai_postfiltered(grid, oracle::fsai_factor(grid, oracle::fsai_pattern(grid, 3, 0)), 0.05);
    for (std::size_t i = 0; i < of_grid.size(); ++i) {
      for (std::size_t j = 0; j < of_grid.size(); ++j) EXPECT_EQ(G(of_grid[i], of_grid[j]), expected(i, j));
    }
  }
}

/// A refresh may make the matrix singular, and regular again.
TEST(Semidefinite, RefreshesMayBecomeSingularAndRegular) {
  auto const rows = test::share(test::world(), 6);
  auto const singular = test::distribute(oracle::to_csr(path({1, 2, 3, 4, 5})), rows);
  auto A = path({1, 2, 3, 4, 5});
  A(0, 0) += 1;
  auto const definite = test::distribute(oracle::to_csr(A), rows);
  auto const p = test::parameters(5);
  fsai::Fsai<double, Host> M(Host{}, definite, p);
  auto const before = M.report().checksum;
  M.refresh(singular);
  EXPECT_EQ(test::whole_factor(M.factor())(5, 5), 1 / std::sqrt(5.0));
  M.refresh(definite);
  EXPECT_EQ(M.report().checksum, before);
}

}  // namespace
}  // namespace Tessera
