#include "aggregation/aggregates.hpp"

#include <gtest/gtest.h>

#include "aggregation/reshaping.hpp"
#include "oracle/generators.hpp"
#include "support/distribute.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

/// Bilinear elements stretched along x: couplings across are positive, those to corners are not.
test::Whole stretched(int nx, int ny) {
  test::Whole A(static_cast<GlobalIndex>(nx) * ny);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    auto const x = i % nx, y = i / nx;
    A(i, i) = 4.0;
    if (x + 1 < nx) A.couple(i, i + 1, -2.0);
    if (y + 1 < ny) A.couple(i, i + nx, 1.0);
    if (x + 1 < nx && y + 1 < ny) A.couple(i, i + nx + 1, -0.5);
    if (x > 0 && y + 1 < ny) A.couple(i, i + nx - 1, -0.5);
  }
  return A;
}

std::vector<test::Whole> problems() {
  auto result = test::many_problems();
  result.push_back(stretched(12, 9));
  return result;
}

struct Reshaped {
  test::ByIds before, after;
};

Reshaped reshaped(test::Whole const& A, int way, int steps) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const ids = test::ids_of(matrix.rows);
  auto const graph = test::graph_of(matrix);
  auto aggregates = aggregation::aggregate(Host{}, graph, ids.view(), {});
  auto const before = test::by_ids(aggregates);
  aggregation::reshape(Host{}, graph, ids.view(), steps, aggregates);
  return {before, test::by_ids(aggregates)};
}

TEST(Reshape, IsThatOfTheNaiveSearchHoweverVerticesAreShared) {
  int changed = 0;
  for (auto const& A : problems()) {
    auto const graph = test::weighed_graph(A);
    for (int const steps : {1, 4}) {
      auto const expected = oracle::reshaped(graph, reshaped(A, 0, 0).before, steps);
      for (int way = 0; way < test::ways_to_share; ++way) {
        auto const result = reshaped(A, way, steps);
        EXPECT_EQ(result.after, expected) << A.n << " vertices, way " << way << ", steps " << steps;
        changed += result.after != result.before ? 1 : 0;
      }
    }
  }
  EXPECT_GT(changed, 4 * 2 * test::ways_to_share);
}

TEST(Reshape, KeepsAggregatesConnectedAndCoversTheSameVertices) {
  for (auto const& A : problems()) {
    auto const graph = test::weighed_graph(A);
    auto const result = reshaped(A, 3, 4);
    std::map<VertexId, std::vector<std::size_t>> before, after;
    for (GlobalIndex i = 0; i < A.n; ++i) {
      EXPECT_EQ(result.before[i] < 0, result.after[i] < 0);
      before[result.before[i]].push_back(i);
      after[result.after[i]].push_back(i);
    }
    EXPECT_EQ(before.size(), after.size());
    for (auto const& [id, vertices] : after) {
      EXPECT_EQ(before.count(id), 1u);
      EXPECT_TRUE(id < 0 || oracle::is_connected(graph, vertices)) << id;
    }
  }
}

TEST(Reshape, WithoutStepsChangesNothing) {
  auto const result = reshaped(test::grid(13, 11), 0, 0);
  EXPECT_EQ(result.after, result.before);
}

/// Two aggregates: vertices below `first` and the others, which belong to the first and the last vertex.
std::vector<int> sizes_of_two(test::Whole const& A, GlobalIndex first, int way) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const ids = test::ids_of(matrix.rows);
  std::vector<GlobalIndex> aggregate(A.n, 1);
  std::fill_n(aggregate.begin(), first, 0);
  auto aggregates = test::given(matrix.rows, aggregate, {0, A.n - 1});
  aggregation::reshape(Host{}, test::graph_of(matrix), ids.view(), 3, aggregates);
  std::vector<int> sizes(2, 0);
  for (auto const a : test::gathered(aggregates.aggregate.begin(), aggregates.aggregate.end())) ++sizes.at(a);
  return sizes;
}

// 0 - 1 - ... - 15: the only cut into halves is in the middle.
TEST(Reshape, MakesSidesOfAPathEqual) {
  for (int way = 0; way < test::ways_to_share; ++way) {
    for (GlobalIndex first = 1; first < 16; ++first)
      EXPECT_EQ(sizes_of_two(test::path(16), first, way), (std::vector<int>{8, 8})) << first;
    auto const odd = sizes_of_two(test::path(7), 1, way);
    EXPECT_EQ(std::abs(odd[0] - odd[1]), 1);
  }
}

TEST(Reshape, LeavesMoreThanSixteenVerticesAlone) {
  EXPECT_EQ(sizes_of_two(test::path(17), 3, 0), (std::vector<int>{3, 14}));
  EXPECT_EQ(sizes_of_two(test::path(17), 16, 0), (std::vector<int>{16, 1}));
}

// A star has no two connected halves.
TEST(Reshape, LeavesPairsWithoutABipartitionAlone) {
  EXPECT_EQ(sizes_of_two(test::star(9), 8, 0), (std::vector<int>{8, 1}));
}

// Halves along x and across: strong couplings along x, so that the sides lie one above the other.
//     0 0 1 1         0 0 0 0
//     0 0 1 1    ->   0 0 0 0
//     0 0 1 1         1 1 1 1
//     0 0 1 1         1 1 1 1
TEST(Reshape, TurnsSidesInTheDirectionOfStrongCouplings) {
  auto A = test::grid(4, 4, 1, 100.0);
  for (GlobalIndex i = 0; i < 16; ++i) {
    if (i % 4 < 3) A.couple(i, i + 1, -10.0);
  }
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const matrix = test::distributed(A, test::shared_out(16, way));
    auto const ids = test::ids_of(matrix.rows);
    auto aggregates = test::given(matrix.rows, {0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1}, {0, 15});
    aggregation::reshape(Host{}, test::graph_of(matrix), ids.view(), 1, aggregates);
    auto const result = test::gathered(aggregates.aggregate.begin(), aggregates.aggregate.end());
    for (GlobalIndex i = 0; i < 16; ++i) EXPECT_EQ(result[i] == result[0], i < 8) << i;
  }
}

TEST(Reshape, DoesNotCrossRanksThatAreNotCoupled) {
  aggregation::StrengthParameters uncoupled;
  uncoupled.coupled = false;
  auto const A = test::distributed(test::grid(8, 9), test::shared_out(72, 0));
  auto const ids = test::ids_of(A.rows);
  auto const graph = test::graph_of(A, uncoupled);
  auto result = aggregation::aggregate(Host{}, graph, ids.view(), {});
  aggregation::reshape(Host{}, graph, ids.view(), 4, result);
  for (auto const a : result.aggregate) EXPECT_TRUE(result.coarse.owns(a)) << a;
}

TEST(Reshape, DoesNotDependOnRoundingErrorsOfTheMatrix) {
  auto const A = test::random_graph(150, 4.0, 4);
  auto noisy = A;
  for (GlobalIndex k = 0; k < A.n * A.n; ++k) noisy.value[k] *= 1.0 + 4e-15 * core::uniform(k, 1);
  EXPECT_EQ(reshaped(A, 0, 3).after, reshaped(noisy, 0, 3).after);
}

/// An unsymmetric matrix is a mistake, but must not hang.
TEST(Reshape, OfAMatrixWithOneSidedCouplingsEnds) {
  auto A = test::grid(9, 7);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < i; ++j) {
      if (A(i, j) != 0.0)
        A((i + j) % 2 == 0 ? i : j, (i + j) % 2 == 0 ? j : i) = (i + 2 * j) % 3 == 0 ? 0.0 : -3.0;
    }
  }
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const result = reshaped(A, way, 3);
    EXPECT_EQ(result.after.size(), result.before.size());
  }
}

TEST(Reshape, DoesNotDependOnThreads) {
  auto const whole = oracle::anisotropic_laplace(90, 80, 1, 1.0, 0.01, 1.0);
  auto const comm = test::world();
  auto const A = test::distribute(whole, {comm, comm.rank() == 0 ? whole.rows : 0});
  auto const ids = test::ids_of(A.rows);
  auto const graph = test::graph_of(A);
  auto const with = [&](int threads) {
    return testing::with_threads(threads, [&] {
      auto result = aggregation::aggregate(Host{}, graph, ids.view(), {});
      aggregation::reshape(Host{}, graph, ids.view(), 3, result);
      return std::vector<GlobalIndex>(result.aggregate.begin(), result.aggregate.end());
    });
  };
  EXPECT_EQ(with(1), with(3));
}

}  // namespace
}  // namespace Tessera
