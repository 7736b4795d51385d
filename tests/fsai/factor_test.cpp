#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cases.hpp"
#include "oracle/lapack.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using test::factor_of;
using test::parameters;
using test::share;
using test::world;

TEST(Factor, EqualsTheDenseFactorOnAnyRanks) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    for (bool const even : {true, false}) {
      for (double const tau : {0.0, 0.15}) {
        for (double const delta : {0.0, 0.1}) {
          auto const pattern = oracle::fsai_pattern(dense, 3, tau);
          auto const expected = oracle::fsai_postfiltered(dense, oracle::fsai_factor(dense, pattern), delta);
          auto const G = factor_of(A, share(world(), A.rows, even), parameters(3, tau, delta));
          EXPECT_TRUE(G == expected);
          EXPECT_LT(oracle::distance_from_unit_diagonal(dense, G), 1e-12);
        }
      }
    }
  }
}

TEST(Factor, OfTheFullLowerPatternIsTheInverseCholeskyFactor) {
  auto const A = oracle::laplace(9, 7);
  auto const G = factor_of(A, share(world(), A.rows), parameters(63));
  auto const L = oracle::cholesky(oracle::to_dense(A.view()));
  EXPECT_LT(oracle::largest_difference(oracle::product(G, L), oracle::identity(A.rows)), 1e-13);
}

TEST(Factor, IsTheSameForAnyNumberOfThreads) {
  auto const A = oracle::laplace(30, 30, 10);
  auto const rows = share(world(), A.rows);
  auto const make = [&] {
    return fsai::Fsai<double, Host>(Host{}, test::distribute(A, rows), parameters(3, 0, 0.05))
        .report()
        .checksum;
  };
  EXPECT_EQ(testing::with_threads(1, make), testing::with_threads(3, make));
}

TEST(Factor, OfAKnownMatrixHasAKnownChecksum) {
  // The same on every number of ranks and threads, and on every back end.
  auto const A = oracle::laplace(12, 11, 10);
  auto p = parameters(3, 0, 0.05);
  p.adaptive_steps = 2;
  p.adaptive_tolerance = 0;
  fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), A.rows, false)), p);
  EXPECT_EQ(M.report().checksum, "4381e438ca8297a4");
}

TEST(Factor, OfGhostDepthZeroIsThatOfTheDiagonalBlocks) {
  auto const A = oracle::random_spd(90, 6.0, 13);
  auto const rows = share(world(), A.rows, false);
  auto dense = oracle::to_dense(A.view());
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.rows; ++j) {
      if (rows.owner(i) != rows.owner(j)) dense(i, j) = 0;
    }
  }
  auto p = parameters(2, 0, 0.02);
  p.ghost_depth = 0;
  auto const G = factor_of(A, rows, p);
  auto const pattern = oracle::fsai_pattern(dense, 2, 0);
  EXPECT_TRUE(G == oracle::fsai_postfiltered(dense, oracle::fsai_factor(dense, pattern), 0.02));
}

TEST(Factor, OfSomeGhostDepthIsNormalisedToo) {
  auto const A = oracle::laplace(10, 10);
  auto p = parameters(4);
  p.ghost_depth = 2;
  auto const G = factor_of(A, share(world(), A.rows), p);
  EXPECT_LT(oracle::distance_from_unit_diagonal(oracle::to_dense(A.view()), G), 1e-12);
}

TEST(Factor, OfRowsOutOfOrderIsTheSame) {
  auto const A = oracle::random_spd(50, 5.0, 17);
  auto const rows = share(world(), A.rows);
  auto B = test::distribute(A, rows);
  auto const p = parameters(2, 0, 0.05);
  auto const expected = test::whole_factor(fsai::Fsai<double, Host>(Host{}, B, p).factor());
  for (Index i = 0; i < B.local.rows; ++i) {
    std::reverse(B.local.column.begin() + B.local.offsets[i],
                 B.local.column.begin() + B.local.offsets[i + 1]);
    std::reverse(B.local.value.begin() + B.local.offsets[i], B.local.value.begin() + B.local.offsets[i + 1]);
  }
  fsai::Fsai<double, Host> M(Host{}, B, p);
  EXPECT_TRUE(test::whole_factor(M.factor()) == expected);
  M.refresh(B);
  EXPECT_TRUE(test::whole_factor(M.factor()) == expected);
}

TEST(Factor, OfDegenerateMatrices) {
  for (Index const n : {0, 1, 2}) {
    auto const A = oracle::laplace(n);
    fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), n)), parameters(3, 0.0, 0.03));
    EXPECT_EQ(M.report().rows, n);
    EXPECT_EQ(M.report().factor_nonzeros, n == 2 ? 3 : n);
  }
  oracle::Dense diagonal(9, 9);
  for (Index i = 0; i < 9; ++i) diagonal(i, i) = (i + 1) * (i + 1);
  auto const G = factor_of(oracle::to_csr(diagonal), share(world(), 9), parameters(3));
  for (Index i = 0; i < 9; ++i) EXPECT_EQ(G(i, i), 1.0 / (i + 1));
}

/// Two disconnected grids, numbered alternately.
TEST(Factor, OfADisconnectedMatrixIsThatOfItsParts) {
  auto const part = oracle::laplace(6, 5);
  auto const dense = oracle::to_dense(part.view());
  oracle::Dense both(60, 60);
  for (Index i = 0; i < 30; ++i) {
    for (Index j = 0; j < 30; ++j) both(2 * i, 2 * j) = both(2 * i + 1, 2 * j + 1) = dense(i, j);
  }
  auto const G = factor_of(oracle::to_csr(both), share(world(), 60), parameters(3, 0, 0.05));
  auto const expected =
      oracle::fsai_postfiltered(dense, oracle::fsai_factor(dense, oracle::fsai_pattern(dense, 3, 0)), 0.05);
  for (Index i = 0; i < 60; ++i) {
    for (Index j = 0; j < 60; ++j) EXPECT_EQ(G(i, j), i % 2 == j % 2 ? expected(i / 2, j / 2) : 0.0);
  }
}

TEST(Apply, IsTheProductWithGAndItsTranspose) {
  auto const A = oracle::random_spd(120, 5.0, 19);
  auto const rows = share(world(), A.rows, false);
  for (auto const& [name, format] : sparse::matrix_formats) {
    comm::StorageParameters storage;
    storage.format = format;
    auto const B = test::distribute(A, rows);
    fsai::Fsai<double, Host> M(Host{}, B, parameters(2, 0, 0.02), storage);
    fsai::Fsai<float, Host> single(Host{}, B, parameters(2, 0, 0.02), storage);
    auto const G = test::whole_factor(M.factor());
    auto const b = oracle::random_vector(120, 23);
    auto const expected = oracle::product(oracle::transposed(G), oracle::product(G, b));
    auto const n = static_cast<std::size_t>(rows.local_size());
    std::vector<double> x(n), y(n);
    M.apply(Span<double const>(b.data() + rows.begin(), n), {x.data(), n});
    single.apply(Span<double const>(b.data() + rows.begin(), n), {y.data(), n});
    std::copy_n(b.data() + rows.begin(), n, M.input().data());
    M.apply();
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_NEAR(x[i], expected[rows.begin() + i], 1e-14);
      EXPECT_EQ(M.output()[i], x[i]);
      EXPECT_NEAR(y[i], expected[rows.begin() + i], 1e-6);
    }
  }
}

TEST(Refresh, WithTheSameValuesIsBitwiseTheSame) {
  auto const A = test::distribute(oracle::random_spd(150, 5.0, 29), share(world(), 150, false));
  auto p = parameters(2, 0.01, 0.05);
  p.adaptive_steps = 2;
  fsai::Fsai<double, Host> M(Host{}, A, p);
  auto const before = M.report().checksum;
  auto const bytes = M.report().bytes;
  auto const in_use = core::memory_use(Host{}).in_use;
  M.refresh(A);
  EXPECT_EQ(core::memory_use(Host{}).in_use, in_use);
  EXPECT_EQ(M.report().checksum, before);
  EXPECT_EQ(M.report().bytes, bytes);
}

/// Powers of four scale all numbers exactly, so that all filters decide as before.
TEST(Refresh, FollowsTheValues) {
  auto A = test::distribute(oracle::random_spd(150, 5.0, 31), share(world(), 150));
  auto const p = parameters(3, 0.0, 0.05);
  fsai::Fsai<float, Host> M(Host{}, A, p);
  for (auto& value : A.local.value) value *= 4;
  M.refresh(A);
  fsai::Fsai<float, Host> fresh(Host{}, A, p);
  EXPECT_EQ(M.report().checksum, fresh.report().checksum);
  std::vector<double> const b(A.local.rows, 1.0);
  std::vector<double> x(b.size()), y(b.size());
  M.apply(Span<double const>(b.data(), b.size()), {x.data(), x.size()});
  fresh.apply(Span<double const>(b.data(), b.size()), {y.data(), y.size()});
  EXPECT_EQ(x, y);
}

TEST(Report, CountsAllRanks) {
  auto const A = oracle::laplace(30);  // rows 0, 1 and 2 have 1, 2 and 3 entries in reach, all others 3
  fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), 30)), parameters(2));
  auto const& report = M.report();
  EXPECT_EQ(report.rows, 30);
  EXPECT_EQ(report.nonzeros, 88);
  EXPECT_EQ(report.pattern_nonzeros, 87);
  EXPECT_EQ(report.factor_nonzeros, 87);
  EXPECT_EQ(report.row_size_histogram, (std::vector<GlobalIndex>{1, 1, 28}));
  EXPECT_EQ(report.largest_row, 3);
  EXPECT_DOUBLE_EQ(report.density, 87.0 / 88.0);
  EXPECT_EQ(report.filtered_share, 0.0);
  EXPECT_GT(report.peak_workspace, 0u);
  EXPECT_GT(report.apply_bytes, 2 * 87 * 8.0);
}

}  // namespace
}  // namespace Tessera
