#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "cases.hpp"
#include "core/hash.hpp"
#include "fsai/pattern.hpp"
#include "fsai/row_systems.hpp"

namespace Tessera {
namespace {

using test::share;
using test::whole;
using test::world;

std::vector<std::vector<Index>> grown(sparse::Csr<double, Host> const& A, oracle::DensePattern const& dense,
                                      std::vector<unsigned char> active, int step_size, int max_size = 1024,
                                      double tolerance = 0) {
  auto const pattern = test::to_pattern(dense);
  std::vector<double> value(pattern.column.size());
  Span<double> const values(value.data(), value.size());
  fsai::solve_rows(Host{}, whole(A), pattern.view(), values, 1 << 20);
  auto const result = fsai::grown_pattern(Host{}, whole(A), pattern.view(), Span<double const>(values),
                                          Span<unsigned char>(active.data(), active.size()),
                                          {step_size, max_size, tolerance});
  return test::rows_of(result.view());
}

/// 4 . . 1     From the diagonal, g_3 = (0, 0, 0, 1/2): (A g_3)_j^2 / a_jj is 1/16 for j = 0, 1/16 for j = 1
/// . 4 . 1     and 1/4 for j = 2. So column 2 is first, then column 0, the smaller of two equal gains.
/// . . 4 2    (Since g_3^T A g_3 = 1, column 2 alone lowers g_33^-2 = 4 by a quarter, to 3.)
/// 1 1 2 4
TEST(Growth, TakesTheLargestGradientAndTheSmallerColumnOfTwo) {
  oracle::Dense dense(4, 4);
  for (Index i = 0; i < 4; ++i) dense(i, i) = 4;
  for (auto const& [j, a] : {std::pair{0, 1.0}, {1, 1.0}, {2, 2.0}}) dense(3, j) = dense(j, 3) = a;
  auto const A = oracle::to_csr(dense);
  auto const start = oracle::fsai_pattern(dense, 0, 0.0);
  using Rows = std::vector<std::vector<Index>>;
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 1), (Rows{{0}, {1}, {2}, {2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 2), (Rows{{0}, {1}, {2}, {0, 2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 9), (Rows{{0}, {1}, {2}, {0, 1, 2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 9, 3), (Rows{{0}, {1}, {2}, {0, 2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 0}, 9), (Rows{{0}, {1}, {2}, {3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 9, 1024, 0.0624), (Rows{{0}, {1}, {2}, {0, 1, 2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 9, 1024, 0.0625), (Rows{{0}, {1}, {2}, {2, 3}}));
  EXPECT_EQ(grown(A, start, {1, 1, 1, 1}, 9, 1024, 0.25), (Rows{{0}, {1}, {2}, {3}}));
}

TEST(Growth, EqualsTheNaiveMethod) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    std::vector<unsigned char> const all(A.rows, 1);
    for (int const k : {0, 1, 2}) {
      auto const pattern = oracle::fsai_pattern(dense, k, 0.0);
      auto const expected = oracle::fsai_grown(dense, oracle::fsai_factor(dense, pattern), pattern, 3);
      EXPECT_EQ(grown(A, pattern, all, 3), test::rows_of(expected));
      auto const few = oracle::fsai_grown(dense, oracle::fsai_factor(dense, pattern), pattern, 3, 0.003);
      EXPECT_EQ(grown(A, pattern, all, 3, 1024, 0.003), test::rows_of(few));
    }
  }
}

TEST(Adaptive, AlternatesGrowthAndSolution) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    auto pattern = oracle::fsai_pattern(dense, 1, 0.1);
    for (int step = 0; step < 3; ++step)
      pattern = oracle::fsai_grown(dense, oracle::fsai_factor(dense, pattern), pattern, 2);
    auto p = test::parameters(1, 0.1, 0.05);
    p.adaptive_steps = 3;
    p.adaptive_step_size = 2;
    p.adaptive_tolerance = 0;
    for (bool const even : {true, false}) {
      auto const G = test::factor_of(A, share(world(), A.rows, even), p);
      EXPECT_TRUE(G == oracle::fsai_postfiltered(dense, oracle::fsai_factor(dense, pattern), 0.05));
      EXPECT_LT(oracle::distance_from_unit_diagonal(dense, G), 1e-12);
    }
  }
}

TEST(Adaptive, EveryStepLowersTheKaporinNumber) {
  auto const A = oracle::anisotropic_laplace(12, 12, 1, 1.0, 0.1, 0.0);
  auto p = test::parameters(0);
  double before = 1e300;
  for (p.adaptive_steps = 0; p.adaptive_steps < 6; ++p.adaptive_steps) {
    auto const now = oracle::log_kaporin(test::factor_of(A, share(world(), A.rows), p));
    EXPECT_LT(now, before);
    before = now;
  }
}

/// In random order G is the factor of the permuted matrix, on any number of ranks, with static patterns and
/// with growth. A refresh keeps the pattern.
TEST(Ordering, RandomIsThePermutedMatrixsFactor) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    auto const n = A.rows;
    auto const drawn = [](Index i) { return core::mix62(i, 0) % 64; };
    std::vector<Index> row(n);
    std::iota(row.begin(), row.end(), 0);
    std::stable_sort(row.begin(), row.end(), [&](Index a, Index b) { return drawn(a) < drawn(b); });
    oracle::Dense permuted(n, n), expected(n, n);
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) permuted(i, j) = dense(row[i], row[j]);
    }
    for (int const steps : {0, 3}) {
      auto pattern = oracle::fsai_pattern(permuted, 1, 0.05);
      for (int step = 0; step < steps; ++step)
        pattern = oracle::fsai_grown(permuted, oracle::fsai_factor(permuted, pattern), pattern, 2, 1e-3);
      auto const G = oracle::fsai_postfiltered(permuted, oracle::fsai_factor(permuted, pattern), 0.05, true);
      for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) expected(row[i], row[j]) = G(i, j);
      }
      auto p = test::parameters(1, 0.05, 0.05);
      p.ordering = fsai::Ordering::random;
      p.postfilter_norm = fsai::PostfilterNorm::energy;
      p.adaptive_steps = steps;
      p.adaptive_step_size = 2;
      for (bool const even : {true, false}) {
        auto const D = test::distribute(A, share(world(), n, even));
        fsai::Fsai<double, Host> M(Host{}, D, p);
        EXPECT_TRUE(test::whole_factor(M.factor()) == expected);
        M.refresh(D);
        EXPECT_TRUE(test::whole_factor(M.factor()) == expected);
      }
    }
  }
}

/// An entry below the tolerance is not added, and a row without a new entry stops growing.
TEST(Adaptive, AToleranceEndsGrowth) {
  auto const A = oracle::laplace(12, 12);
  auto const D = test::distribute(A, share(world(), A.rows));
  auto p = test::parameters(0);
  p.adaptive_step_size = 1;
  auto const entries = [&](int steps, double tolerance) {
    p.adaptive_steps = steps;
    p.adaptive_tolerance = tolerance;
    return fsai::Fsai<double, Host>(Host{}, D, p).report().pattern_nonzeros;
  };
  EXPECT_EQ(entries(5, 0.9), A.rows);  // the first gain of a neighbour is 1/16
  EXPECT_GT(entries(5, 0.01), entries(1, 0.01));
  EXPECT_LT(entries(5, 0.01), entries(5, 0.0));
  EXPECT_EQ(entries(20, 0.01), entries(40, 0.01));
}

}  // namespace
}  // namespace Tessera
