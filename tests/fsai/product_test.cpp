#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <string>

#include "cases.hpp"
#include "core/error.hpp"
#include "core/hash.hpp"
#include "galerkin/distributed_product.hpp"
#include "oracle/lapack.hpp"

namespace Tessera {
namespace {

using test::share;
using test::world;

fsai::Parameters two_factors(int steps, double delta) {
  auto p = test::parameters(0, 0, delta);
  p.factors = 2;
  p.ordering = fsai::Ordering::random;
  p.postfilter_norm = fsai::PostfilterNorm::energy;
  p.adaptive_steps = steps;
  p.adaptive_step_size = 2;
  p.adaptive_tolerance = 1e-3;
  return p;
}

Index drawn(Index row) {
  return static_cast<Index>(core::mix62(row, 0) % 64);
}

/// Rows in random order.
std::vector<Index> random_order(Index n) {
  std::vector<Index> row(n);
  std::iota(row.begin(), row.end(), 0);
  std::stable_sort(row.begin(), row.end(), [](Index a, Index b) { return drawn(a) < drawn(b); });
  return row;
}

oracle::Dense permuted(oracle::Dense const& A, std::vector<Index> const& row) {
  oracle::Dense result(A.rows, A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.rows; ++j) result(i, j) = A(row[i], row[j]);
  }
  return result;
}

oracle::Dense adaptive(oracle::Dense const& A, int k, int steps, double delta, Index columns) {
  auto pattern = oracle::fsai_pattern(A, k, 0.05, columns);
  for (int step = 0; step < steps; ++step)
    pattern = oracle::fsai_grown(A, oracle::fsai_factor(A, pattern), pattern, 2, 1e-3, columns);
  return oracle::fsai_postfiltered(A, oracle::fsai_factor(A, pattern), delta, true);
}

TEST(Congruence, IsTheProductOfDenseMatrices) {
  for (auto const& A : test::matrices()) {
    for (bool const even : {true, false}) {
      auto const D = test::distribute(A, share(world(), A.rows, even));
      auto p = two_factors(2, 0.05);
      p.factors = 1;
      fsai::Fsai<double, Host> const M(Host{}, D, p);
      auto const G = test::whole_factor(M.factor()), dense = oracle::to_dense(A.view());
      auto const expected = oracle::product(G, oracle::transposed(oracle::product(G, dense)));
      auto const B = test::whole_factor(galerkin::congruence(Host{}, M.factor(), D));
      EXPECT_LT(oracle::largest_difference(B, expected), 1e-14);
    }
  }
}

/// The first factor has columns of the first half of the classes only. The second is the factor of G A G^T,
/// on any number of ranks. A refresh keeps both.
TEST(TwoFactors, AreTheOracles) {
  for (auto const& A : test::matrices()) {
    auto const n = A.rows;
    auto const row = random_order(n);
    auto const dense = permuted(oracle::to_dense(A.view()), row);
    auto const half =
        static_cast<Index>(std::count_if(row.begin(), row.end(), [](Index i) { return drawn(i) < 32; }));
    for (int const k : {0, 2}) {
      int const steps = k == 0 ? 3 : 0;
      auto const first = adaptive(dense, k, steps, 0.05, half);
      auto const left = oracle::product(first, oracle::transposed(oracle::product(first, dense)));
      auto const second = adaptive(left, k, steps, 0.05, oracle::all_columns);
      for (Index i = 0; i < n; ++i) {
        for (Index j = half; j < i; ++j) ASSERT_EQ(first(i, j), 0.0);
      }
      auto p = two_factors(steps, 0.05);
      p.pattern_level = k;
      p.prefilter = 0.05;
      for (bool const even : {true, false}) {
        auto const D = test::distribute(A, share(world(), n, even));
        fsai::Fsai<double, Host> M(Host{}, D, p);
        for (int again = 0; again < 2; ++again) {
          EXPECT_TRUE(permuted(test::whole_factor(M.factor(0)), row) == first);
          EXPECT_TRUE(permuted(test::whole_factor(M.factor(1)), row) == second);
          M.refresh(D);
        }
      }
    }
  }
}

TEST(TwoFactors, TheirProductIsNormalised) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    for (double const delta : {0.0, 0.1}) {
      fsai::Fsai<double, Host> const M(Host{}, test::distribute(A, share(world(), A.rows)),
                                       two_factors(3, delta));
      auto const G = oracle::product(test::whole_factor(M.factor(1)), test::whole_factor(M.factor(0)));
      auto const unit = oracle::product(oracle::product(G, dense), oracle::transposed(G));
      for (Index i = 0; i < A.rows; ++i) EXPECT_NEAR(unit(i, i), 1.0, 1e-12);
    }
  }
}

/// Each row of the second half of the classes may have all columns of the first half in the first factor, and
/// all columns of its own half in the second.
TEST(TwoFactors, OfFullPatternsAreTheInverseCholeskyFactor) {
  auto const A = oracle::laplace(9, 7);
  auto p = two_factors(0, 0.0);
  p.pattern_level = 63;
  fsai::Fsai<double, Host> const M(Host{}, test::distribute(A, share(world(), A.rows)), p);
  auto const row = random_order(A.rows);
  auto const G =
      permuted(oracle::product(test::whole_factor(M.factor(1)), test::whole_factor(M.factor(0))), row);
  auto const L = oracle::cholesky(permuted(oracle::to_dense(A.view()), row));
  EXPECT_LT(oracle::largest_difference(oracle::product(G, L), oracle::identity(A.rows)), 1e-12);
}

TEST(TwoFactors, ApplyAsTheProductAndFollowTheValues) {
  auto const A = oracle::random_spd(120, 5.0, 19);
  auto const rows = share(world(), A.rows, false);
  auto D = test::distribute(A, rows);
  auto const p = two_factors(3, 0.02);
  fsai::Fsai<double, Host> M(Host{}, D, p);
  fsai::Fsai<float, Host> single(Host{}, D, p);
  auto const n = static_cast<std::size_t>(rows.local_size());
  auto const b = oracle::random_vector(120, 23);
  std::vector<double> x(n), y(n);
  auto const expect_product = [&](double tolerance, std::vector<double> const& got) {
    auto const G = oracle::product(test::whole_factor(M.factor(1)), test::whole_factor(M.factor(0)));
    auto const expected = oracle::product(oracle::transposed(G), oracle::product(G, b));
    for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(got[i], expected[rows.begin() + i], tolerance);
  };
  M.apply(Span<double const>(b.data() + rows.begin(), n), {x.data(), n});
  single.apply(Span<double const>(b.data() + rows.begin(), n), {y.data(), n});
  expect_product(1e-14, x);
  expect_product(1e-6, y);
  for (auto& value : D.local.value) value *= 4;
  M.refresh(D);
  M.apply(Span<double const>(b.data() + rows.begin(), n), {y.data(), n});
  expect_product(1e-14, y);
  for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(4 * y[i], x[i]);
}

TEST(TwoFactors, ReportTheSumOfBoth) {
  auto const A = oracle::laplace(12, 11, 10);
  auto const D = test::distribute(A, share(world(), A.rows, false));
  fsai::Fsai<double, Host> M(Host{}, D, two_factors(3, 0.05));
  auto const& report = M.report();
  // The same on every number of ranks and threads, and on every back end.
  EXPECT_EQ(report.checksum, "a1769a27b52d17cb-30ac74b321e9d5c7");
  EXPECT_EQ(report.factors, 2);
  EXPECT_EQ(report.factor_nonzeros, comm::global_nonzeros(M.factor(0)) + comm::global_nonzeros(M.factor(1)));
  EXPECT_EQ(
      std::accumulate(report.row_size_histogram.begin(), report.row_size_histogram.end(), GlobalIndex{0}),
      2 * A.rows);
  auto const bytes = report.bytes;
  auto const in_use = core::memory_use(Host{}).in_use;
  M.refresh(D);
  EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
  EXPECT_EQ(M.report().bytes, bytes);
}

/// Only the second factor couples the last two rows of the random order.
TEST(TwoFactors, NameTheRowWhereTheSecondFails) {
  Index const n = 40;
  auto const row = random_order(n);
  auto dense = oracle::to_dense(oracle::laplace(n).view());
  dense(row[n - 1], row[n - 2]) = dense(row[n - 2], row[n - 1]) = -3;
  auto const D = test::distribute(oracle::to_csr(dense), share(world(), n));
  try {
    fsai::Fsai<double, Host> const M(Host{}, D, two_factors(2, 0.0));
    ADD_FAILURE() << "nothing was thrown";
  } catch (core::NumericalError const& error) {
    EXPECT_NE(std::string(error.what()).find("row " + std::to_string(row[n - 1]) + ": "), std::string::npos)
        << error.what();
  }
}

TEST(TwoFactors, OfDegenerateMatrices) {
  for (Index const n : {0, 1, 2}) {
    auto const A = oracle::laplace(n);
    fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), n)), two_factors(2, 0.0));
    M.apply();
    EXPECT_EQ(M.report().factor_nonzeros, n == 2 ? 5 : 2 * n);
  }
}

}  // namespace
}  // namespace Tessera
