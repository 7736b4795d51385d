#include "galerkin/prolongator.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"
#include "problem.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using test::Problem;
using test::problems;

/// T, A_F and D_F as dense matrices, by naive loops.
oracle::Dense oracle_prolongator(Problem const& p, oracle::Dense const& T, double omega) {
  auto const A = oracle::to_dense(p.A.view());
  oracle::Dense P = T;
  for (Index i = 0; i < A.rows; ++i) {
    if (p.root[i / p.equations] < 0) continue;
    double dropped = 0;
    for (Index j = 0; j < A.columns; ++j) dropped += p.strong(i, j) ? 0 : A(i, j) * p.kept(j) / p.kept(i);
    double const lumped = A(i, i) + dropped, least = p.filter.keep_above;
    bool const lump =
        p.filter.filtered && dropped != 0 && lumped > least * A(i, i) && least * lumped < A(i, i);
    double const d = lump ? lumped : A(i, i);
    for (Index c = 0; c < T.columns; ++c) {
      double sum = 0;
      for (Index j = 0; j < A.columns; ++j) {
        double const a = j == i ? d : lump && !p.strong(i, j) ? 0.0 : A(i, j);
        sum += a * T(j, c);
      }
      P(i, c) -= omega / d * sum;
    }
  }
  return P;
}

/// Vertex 0 has n - 1 neighbours, each an aggregate of its own.
Problem star(Index n) {
  oracle::Dense A = oracle::identity(n);
  std::vector<GlobalIndex> root;
  for (Index v = 0; v < n; ++v) {
    A(v, v) = v == 0 ? n : 2;
    if (v > 0) A(0, v) = A(v, 0) = -1;
    root.push_back(v);
  }
  return {oracle::to_csr(A), 1, 1, root, std::vector<double>(n, 1.0), {}};
}

TEST(Prolongator, OfATridiagonalMatrix) {
  // A = (-1, 2, -1), aggregates {0 1 2} and {3 4}, unit weights; T = 1/sqrt3 and 1/sqrt2.
  // A T:  1 0 1 -1 0 /sqrt3 in the first column;  0 0 -1 1 1 /sqrt2 in the second. omega / d = 1/3.
  Problem const p{oracle::laplace(5), 1, 1, {1, 1, 1, 3, 3}, std::vector<double>(5, 1.0), {}};
  auto const made = p.prolongator(test::world(), test::Split::even, 2.0 / 3.0);
  double const a = 1 / std::sqrt(3.0), b = 1 / std::sqrt(2.0);
  oracle::Dense const expected(5, 2, {a - a / 3, 0, a, 0, a - a / 3, b / 3, a / 3, b - b / 3, 0, b - b / 3});
  EXPECT_LE(oracle::largest_difference(test::gathered(made.P), expected), 2e-16);
  EXPECT_EQ(comm::global_nonzeros(made.P), 7);
}

TEST(Prolongator, IsTheProductOfTheDenseMatrices) {
  for (auto const& p : problems()) {
    for (auto const how : test::all_splits) {
      auto const made = p.prolongator(test::world(), how, 0.6);
      auto const T = test::gathered(p.prolongator(test::world(), how, 0.0).P);
      EXPECT_TRUE(test::columns_ascend(made.P));
      EXPECT_LE(oracle::largest_difference(test::gathered(made.P), oracle_prolongator(p, T, 0.6)), 1e-14);
    }
  }
}

TEST(Prolongator, WithoutDampingIsTentativeWithItsPattern) {
  for (auto const& p : problems()) {
    auto made = p.prolongator(test::world(), test::Split::uneven, 0.0);
    auto const in_aggregates = std::count_if(p.root.begin(), p.root.end(), [](auto r) { return r >= 0; });
    EXPECT_EQ(comm::global_nonzeros(made.P), in_aggregates * p.equations * p.vectors);
    std::fill(made.P.local.value.begin(), made.P.local.value.end(), -1.0);
    galerkin::refresh_prolongator(Host{}, made.A, made.filter(), test::view(made.diagonal), made.T, 0.0,
                                  made.plan, made.P);
    auto const P = test::gathered(made.P);
    auto const T = test::gathered(made.P.rows.comm(), made.T.value.view(), p.vectors);
    std::vector<double> mine(made.T.aggregate.begin(), made.T.aggregate.end());
    auto const aggregate = made.P.rows.comm().all_gather(mine);
    for (Index i = 0; i < P.rows; ++i) {
      for (Index c = 0; c < P.columns; ++c) {
        bool const home = c / p.vectors == aggregate[i / p.equations];
        EXPECT_EQ(P(i, c), home ? T(i, c % p.vectors) : 0.0);
      }
    }
  }
}

TEST(Prolongator, ReproducesTheNullspaceWhereAMapsItToZero) {
  // Rows of the Neumann Laplacian sum to zero, so P B_c = B - omega D^-1 A B = B for B = 1.
  auto const A = oracle::neumann_laplace(7, 6);
  std::vector<GlobalIndex> root = test::random_roots(42, 5, 0, 2);
  std::vector<double> const ones(42, 1.0);
  Problem const p{oracle::neumann_laplace(7, 6), 1, 1, root, ones, {}};
  auto const made = p.prolongator(test::world(), test::Split::uneven, 0.66);
  auto const& comm = made.P.rows.comm();
  auto const coarse = test::gathered(comm, made.T.coarse_nullspace.view(), 1);
  auto const B = oracle::product(test::gathered(made.P), coarse.value);
  EXPECT_LE(oracle::largest_difference(B, ones), 1e-14);
}

// D A D of the Neumann Laplacian A maps 1 / D to zero, whatever is weak. Coarse levels are like this, where
// the near-nullspace is the square root of the aggregates' sizes. Plain sums of weak entries miss it by 0.1.
TEST(Prolongator, ReproducesANullspaceThatIsNotConstantWhereRowsAreFiltered) {
  auto scaled = oracle::neumann_laplace(9, 8);
  std::vector<double> B;
  for (Index i = 0; i < 72; ++i) B.push_back(1 / (1 + core::uniform(i, 5)));
  for (Index i = 0; i < 72; ++i) {
    for (auto k = scaled.offsets[i]; k < scaled.offsets[i + 1]; ++k)
      scaled.value[k] /= B[i] * B[scaled.column[k]];
  }
  Problem const p{std::move(scaled), 1, 1, test::random_roots(72, 5, 0, 2), B, {true, 0.1}, 2.0};
  for (auto const how : test::all_splits) {
    auto const made = p.prolongator(test::world(), how, 0.66);
    auto const& comm = made.P.rows.comm();
    EXPECT_TRUE(comm.any(std::count(made.lumped.begin(), made.lumped.end(), 1) > 0));
    auto const coarse = test::gathered(comm, made.T.coarse_nullspace.view(), 1);
    EXPECT_LE(oracle::largest_difference(oracle::product(test::gathered(made.P), coarse.value), B), 1e-14);
  }
}

TEST(Prolongator, RowsWithoutAggregateAreEmpty) {
  for (auto const& p : problems()) {
    auto const made = p.prolongator(test::world(), test::Split::even, 0.6);
    for (Index i = 0; i < made.P.local.rows; ++i) {
      bool const none = made.T.aggregate[i / p.equations] < 0;
      EXPECT_EQ(made.P.local.offsets[i + 1] == made.P.local.offsets[i], none);
    }
  }
}

TEST(Prolongator, DoesNotDependOnRanksOrThreads) {
  for (auto const& p : problems()) {
    auto const serial =
        testing::with_threads(1, [&] { return p.prolongator(comm::Communicator(), test::Split::even, 0.7); });
    for (auto const how : test::all_splits) {
      auto const made = testing::with_threads(2, [&] { return p.prolongator(test::world(), how, 0.7); });
      EXPECT_EQ(test::gathered(made.P), test::gathered(serial.P));
      EXPECT_EQ(comm::global_nonzeros(made.P), comm::global_nonzeros(serial.P));
    }
  }
}

TEST(Prolongator, RowsOfAnyNumberOfAggregates) {
  for (Index const n : {7, 8, 9, 48, 49, 64, 65, 120}) {
    auto const p = star(n);
    for (auto const how : test::all_splits) {
      auto const made = p.prolongator(test::world(), how, 0.5);
      EXPECT_TRUE(test::columns_ascend(made.P)) << n;
      EXPECT_LE(
          oracle::largest_difference(test::gathered(made.P), oracle_prolongator(p, oracle::identity(n), 0.5)),
          1e-15)
          << n;
    }
  }
}

/// Two refreshes with new values, compared with new prolongators.
void expect_refreshes_are_bitwise(Problem const& p, test::Split how) {
  auto made = p.prolongator(test::world(), how, 0.6);
  for (double const omega : {0.5, 0.7}) {
    for (auto& a : made.A.local.value) a = a * a - 0.3 * a;
    for (auto& d : made.diagonal) d = 1 + d * d;
    auto const expected =
        galerkin::prolongator(Host{}, made.A, made.filter(), test::view(made.diagonal), made.T, omega);
    std::fill(made.P.local.value.begin(), made.P.local.value.end(), -1.0);
    galerkin::refresh_prolongator(Host{}, made.A, made.filter(), test::view(made.diagonal), made.T, omega,
                                  made.plan, made.P);
    EXPECT_TRUE(oracle::identical(made.P.local, expected.local));
  }
}

TEST(Prolongator, IsRefreshedBitwise) {
  for (auto const& p : problems()) {
    for (auto const how : test::all_splits) expect_refreshes_are_bitwise(p, how);
  }
}

TEST(Prolongator, IsRefreshedBitwiseWhateverARowsLength) {
  // Scatter indices of short rows are bytes.
  for (Index const n : {7, 8, 9, 16, 254, 255, 256, 257, 400})
    expect_refreshes_are_bitwise(star(n), test::Split::uneven);
  Index const n = 20000;  // several stretches of rows
  Problem const large{oracle::laplace(200, 100),   1, 1, test::random_roots(n, 20, 50, 3),
                      std::vector<double>(n, 1.0), {}};
  expect_refreshes_are_bitwise(large, test::Split::uneven);
}

}  // namespace
}  // namespace Tessera
