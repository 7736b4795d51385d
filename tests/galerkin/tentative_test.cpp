#include "galerkin/tentative.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using galerkin::Tentative;
using galerkin::tentative_prolongator;

/// T as a dense matrix, on every rank.
oracle::Dense dense(Tentative<Host> const& T) {
  auto const& comm = T.coarse_rows.comm();
  auto const values = test::gathered(comm, T.value.view(), T.vectors);
  std::vector<double> mine(T.aggregate.begin(), T.aggregate.end());
  auto const aggregate = comm.all_gather(mine);
  oracle::Dense result(values.rows, static_cast<Index>(T.coarse_rows.global_size()));
  for (Index i = 0; i < values.rows; ++i) {
    auto const a = static_cast<Index>(aggregate[i / T.equations]);
    for (int c = 0; c < T.vectors && a >= 0; ++c) result(i, a * T.vectors + c) = values(i, c);
  }
  return result;
}

struct Case {
  Index vertices;
  int equations, vectors;
  Index size, lonely;
};
constexpr Case cases[] = {
    {40, 1, 1, 4, 0}, {41, 1, 2, 7, 5}, {30, 2, 3, 5, 4}, {36, 3, 6, 9, 0}, {60, 1, 10, 30, 6}};

Tentative<Host> make(comm::Communicator const& comm, test::Split how, Case const& c, int seed) {
  auto const vertices = test::split(comm, how, c.vertices);
  auto const aggregates = test::aggregates(vertices, test::random_roots(c.vertices, c.size, c.lonely, seed));
  auto const B = test::vectors(c.vertices * c.equations, c.vectors, seed);
  auto const mine = test::part(vertices, B, c.equations * c.vectors);
  return tentative_prolongator(Host{}, aggregates, test::view(mine), c.equations, c.vectors);
}

TEST(Tentative, PairsOfOnesBecomeInverseRootsOfTwo) {
  // Vertices 0 1 | 2 | 3 (none) | 4 5 6 7:   T columns   1/sqrt2  1/sqrt2;   1;   -;   1/2 four times
  auto const comm = test::world();
  std::vector<GlobalIndex> const root{0, 0, 2, -1, 5, 5, 5, 5};
  auto const vertices = test::split(comm, test::Split::even, 8);
  std::vector<double> const B(vertices.local_size(), 1.0);
  auto const T = tentative_prolongator(Host{}, test::aggregates(vertices, root), test::view(B), 1, 1);
  double const half = std::sqrt(0.5);
  EXPECT_EQ(T.coarse_rows.global_size(), 3);
  auto const value = test::gathered(comm, T.value.view(), 1).value;
  auto const expected = std::vector<double>{half, half, 1, 0, 0.5, 0.5, 0.5, 0.5};
  EXPECT_LE(oracle::largest_difference(value, expected), 3e-16);
  auto const R = test::gathered(comm, T.coarse_nullspace.view(), 1).value;
  EXPECT_LE(oracle::largest_difference(R, {std::sqrt(2.0), 1, 2}), 5e-16);
}

TEST(Tentative, ColumnsAreOrthonormalAndReproduceTheNullspace) {
  for (auto const& c : cases) {
    for (auto const how : test::all_splits) {
      auto const T = make(test::world(), how, c, 3);
      auto const whole = dense(T);
      auto const gram = oracle::product(oracle::transposed(whole), whole);
      EXPECT_LE(oracle::largest_difference(gram, oracle::identity(gram.rows)), 1e-14);

      oracle::Dense B(c.vertices * c.equations, c.vectors,
                      test::vectors(c.vertices * c.equations, c.vectors, 3));
      auto const root = test::random_roots(c.vertices, c.size, c.lonely, 3);
      for (Index i = 0; i < B.rows; ++i) {
        for (Index k = 0; k < B.columns && root[i / c.equations] < 0; ++k) B(i, k) = 0;
      }
      auto const R = test::gathered(T.coarse_rows.comm(), T.coarse_nullspace.view(), c.vectors);
      EXPECT_LE(oracle::largest_difference(oracle::product(whole, R), B), 1e-14);
    }
  }
}

TEST(Tentative, FactorsAreUpperTriangularWithPositiveDiagonal) {
  auto const T = make(test::world(), test::Split::uneven, {36, 3, 6, 9, 0}, 8);
  auto const& R = T.coarse_nullspace;
  for (std::size_t k = 0; k < R.size(); ++k) {
    auto const row = k / 6 % 6, column = k % 6;
    if (column < row) {
      EXPECT_EQ(R[k], 0.0);
    } else if (column == row) {
      EXPECT_GT(R[k], 0.0);
    }
  }
}

TEST(Tentative, DoesNotDependOnRanksOrThreads) {
  for (auto const& c : cases) {
    auto const serial =
        testing::with_threads(1, [&] { return make(comm::Communicator(), test::Split::even, c, 5); });
    for (auto const how : test::all_splits) {
      for (int const threads : {1, 2, 3}) {
        auto const T = testing::with_threads(threads, [&] { return make(test::world(), how, c, 5); });
        auto const& comm = T.coarse_rows.comm();
        EXPECT_EQ(dense(T), dense(serial));
        EXPECT_EQ(test::gathered(comm, T.coarse_nullspace.view(), c.vectors).value,
                  std::vector(serial.coarse_nullspace.begin(), serial.coarse_nullspace.end()));
      }
    }
  }
}

TEST(Tentative, DropsRotationsOfSingleNodes) {
  // Rigid-body modes of 3D elasticity. Aggregates: {0}: 3 rows, rank 3; {1, 2}: 6 rows, but the rotation
  // about the line through both is missing, rank 5; {3, 4, 5}: rank 6.
  double const coordinate[6][3] = {{1, 2, 3}, {0, 0, 0}, {1, 0, 0}, {4, 0, 1}, {4, 1, 1}, {5, 0, 2}};
  std::vector<double> B;
  for (auto const& x : coordinate) {
    B.insert(B.end(), {1, 0, 0, 0, x[2], -x[1]});
    B.insert(B.end(), {0, 1, 0, -x[2], 0, x[0]});
    B.insert(B.end(), {0, 0, 1, x[1], -x[0], 0});
  }
  auto const comm = test::world();
  auto const vertices = test::split(comm, test::Split::even, 6);
  auto const mine = test::part(vertices, B, 18);
  auto const T =
      tentative_prolongator(Host{}, test::aggregates(vertices, {0, 1, 1, 3, 3, 3}), test::view(mine), 3, 6);
  auto const whole = dense(T);
  auto const R = test::gathered(comm, T.coarse_nullspace.view(), 6);
  auto const gram = oracle::product(oracle::transposed(whole), whole);
  int const rank[3] = {3, 5, 6};
  for (int a = 0; a < 3; ++a) {
    int kept = 0;
    for (Index c = a * 6; c < a * 6 + 6; ++c) {
      double row = 0, column = 0;
      for (Index k = 0; k < 6; ++k) row += std::abs(R(c, k));
      for (Index i = 0; i < 18; ++i) column += std::abs(whole(i, c));
      EXPECT_EQ(row == 0, column == 0);
      kept += column > 0 ? 1 : 0;
      EXPECT_NEAR(gram(c, c), column > 0 ? 1.0 : 0.0, 1e-14);
    }
    EXPECT_EQ(kept, rank[a]);
  }
  EXPECT_LE(oracle::largest_difference(oracle::product(whole, R), {18, 6, B}), 1e-13);
}

TEST(Tentative, NearlyDependentColumnsStayOrthogonal) {
  // The second vector is the first but for 1e-7 of something else; one round of Gram-Schmidt would leave
  // 1e-9.
  auto const comm = test::world();
  auto const vertices = test::split(comm, test::Split::even, 12);
  std::vector<double> B;
  for (Index i = 0; i < 12; ++i)
    B.insert(B.end(), {1.0 + 0.1 * i, 1.0 + 0.1 * i + 1e-7 * core::uniform(i, 1)});
  auto const mine = test::part(vertices, B, 2);
  std::vector<GlobalIndex> const root(12, 4);
  auto roots = root;
  auto const T = tentative_prolongator(Host{}, test::aggregates(vertices, roots), test::view(mine), 1, 2);
  auto const whole = dense(T);
  auto const gram = oracle::product(oracle::transposed(whole), whole);
  EXPECT_LE(oracle::largest_difference(gram, oracle::identity(2)), 1e-15);
}

TEST(Tentative, ZeroVectorsAreDropped) {
  auto const comm = test::world();
  auto const vertices = test::split(comm, test::Split::even, 4);
  std::vector<double> const B(vertices.local_size(), 0.0);
  auto const T = tentative_prolongator(Host{}, test::aggregates(vertices, {1, 1, 1, 1}), test::view(B), 1, 1);
  for (double const t : T.value) EXPECT_EQ(t, 0.0);
  for (double const r : T.coarse_nullspace) EXPECT_EQ(r, 0.0);
}

TEST(Tentative, NoAggregatesAndNoVerticesMakeNoColumns) {
  for (Index const n : {0, 1, 9}) {
    auto const vertices = test::split(test::world(), test::Split::even, n);
    std::vector<double> const B(vertices.local_size() * 2, 1.0);
    auto const T = tentative_prolongator(Host{}, test::aggregates(vertices, std::vector<GlobalIndex>(n, -1)),
                                         test::view(B), 1, 2);
    EXPECT_EQ(T.coarse_rows.global_size(), 0);
    EXPECT_TRUE(T.coarse_nullspace.empty());
    for (double const t : T.value) EXPECT_EQ(t, 0.0);
  }
}

}  // namespace
}  // namespace Tessera
