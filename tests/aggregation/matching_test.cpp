#include "aggregation/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

#include "aggregation/problems.hpp"
#include "aggregation/strength.hpp"
#include "oracle/generators.hpp"
#include "oracle/matching_oracle.hpp"
#include "support/distribute.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using aggregation::Isolated;

/// Numbers between 1/2 and 2.
double smooth(GlobalIndex i) {
  return 0.5 + static_cast<double>(core::mix64(i) % 97) / 64.0;
}

std::vector<VertexId> greedy(test::Whole const& A, Isolated isolated, float least) {
  oracle::MatchingProblem problem{static_cast<std::size_t>(A.n), A.value, {}, {}, {}};
  for (GlobalIndex i = 0; i < A.n; ++i) {
    problem.w.push_back(smooth(i));
    problem.ids.push_back(test::id_of(i));
  }
  return oracle::greedy_pairs(problem, isolated == Isolated::kept, least);
}

struct Pairs {
  std::vector<VertexId> id;  ///< of each vertex' aggregate
  int rounds = 0;
};

Pairs pairs_of(comm::DistCsr<double, Host> const& A, Isolated isolated, float least = 0) {
  Host const host;
  auto const diagonal = aggregation::checked_diagonal(host, A);
  std::vector<double> w;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) w.push_back(smooth(i));
  auto const graph =
      aggregation::matching_graph(host, A, diagonal.view(), Span<double const>(w.data(), w.size()));
  Pairs result;
  auto const pairs =
      aggregation::matched_pairs(host, graph, test::ids_of(A.rows).view(), isolated, least, &result.rounds);
  auto const number = test::gathered(pairs.aggregate.begin(), pairs.aggregate.end());
  auto const ids = test::gathered(pairs.ids.begin(), pairs.ids.end());
  EXPECT_EQ(static_cast<GlobalIndex>(ids.size()), pairs.coarse.global_size());
  for (auto const aggregate : number) result.id.push_back(aggregate < 0 ? -1 : ids[aggregate]);
  return result;
}

TEST(Matching, IsTheGreedyOneHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    for (auto const isolated : {Isolated::left_out, Isolated::kept}) {
      for (float const least : {0.0F, 1.1F}) {
        auto const expected = greedy(A, isolated, least);
        for (int way = 0; way < test::ways_to_share; ++way)
          EXPECT_EQ(pairs_of(test::distributed(A, test::shared_out(A.n, way)), isolated, least).id, expected);
      }
    }
  }
}

/// The deferred entries of this rank's rows, rows x all columns.
struct SetAside {
  std::vector<int> smooths;  ///< whether the entry smooths P; -1: no entry
  std::vector<float> before, after;
  SetAside(comm::DistCsr<double, Host> const& A, Span<double const> w)
      : smooths(static_cast<std::size_t>(A.local.rows * A.rows.global_size()), -1),
        before(smooths.size(), 0.0F),
        after(before) {
    Host const host;
    auto const diagonal = aggregation::checked_diagonal(host, A);
    Array<unsigned char, Host> strong(host, A.local.column.size());
    core::fill(host, strong.span(), 1);
    auto graph = aggregation::matching_graph(host, A, diagonal.view(), w);
    auto const weight = core::to_vector(host, graph.weight.view());
    aggregation::defer_light_edges(host, graph, aggregation::MatchingRules{}, strong.span());
    auto const global = comm::global_columns(A.halo);
    for (Index i = 0; i < A.local.rows; ++i) {
      for (Offset k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
        auto const at = i * A.rows.global_size() + global[A.local.column[k]];
        smooths[at] = strong[k];
        before[at] = weight[k];
        after[at] = graph.weight[k];
      }
    }
  }
};

TEST(Matching, SetsLightCouplingsAsideHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    oracle::MatchingProblem problem{static_cast<std::size_t>(A.n), A.value, {}, {}, {}};
    for (GlobalIndex i = 0; i < A.n; ++i) problem.w.push_back(smooth(i));
    for (int way = 0; way < test::ways_to_share; ++way) {
      auto const matrix = test::distributed(A, test::shared_out(A.n, way));
      auto const first = matrix.rows.begin();
      SetAside const found(matrix, Span<double const>(problem.w.data() + first, matrix.rows.local_size()));
      for (std::size_t k = 0; k < found.smooths.size(); ++k) {
        if (found.smooths[k] < 0) continue;
        auto const i = first + static_cast<GlobalIndex>(k) / A.n, j = static_cast<GlobalIndex>(k) % A.n;
        oracle::Above const above(problem, i, j);
        EXPECT_EQ(found.smooths[k] == 1, i == j || above.smooths()) << i << ", " << j;
        bool const waits = i != j && above.own > 0 && !above.may_be_first();
        EXPECT_EQ(found.after[k], waits ? 1.0F : found.before[k]) << i << ", " << j;
      }
    }
  }
}

TEST(Matching, LeavesTheCouplingsAlongAnAnisotropyForP) {
  // Rows of a rotated anisotropy (Q1, theta = 0, eps = 1e-3): -0.67 along x, 0.33 along y, -0.17 between.
  int const n = 12;
  test::Whole A(n * n);
  auto const at = [n](int x, int y) { return static_cast<GlobalIndex>(y) * n + x; };
  for (int y = 0; y < n; ++y) {
    for (int x = 0; x < n; ++x) {
      A(at(x, y), at(x, y)) = 4.0 / 3;
      if (x + 1 < n) A.couple(at(x, y), at(x + 1, y), -2.0 / 3);
      if (y + 1 < n) A.couple(at(x, y), at(x, y + 1), 1.0 / 3);
      if (x + 1 < n && y + 1 < n) A.couple(at(x, y), at(x + 1, y + 1), -1.0 / 6);
      if (x > 0 && y + 1 < n) A.couple(at(x, y), at(x - 1, y + 1), -1.0 / 6);
    }
  }
  auto const matrix = test::distributed(A, test::shared_out(A.n, 0));
  std::vector<double> const ones(matrix.local.rows, 1.0);
  SetAside const found(matrix, Span<double const>(ones.data(), ones.size()));
  for (std::size_t k = 0; k < found.smooths.size(); ++k) {
    auto const i = matrix.rows.begin() + static_cast<GlobalIndex>(k) / A.n;
    if (found.smooths[k] < 0) continue;
    EXPECT_EQ(found.smooths[k] == 1, i / n == static_cast<GlobalIndex>(k) % A.n / n);
  }
}

TEST(Matching, DoesNotDependOnThreads) {
  auto const A = test::distributed(test::random_graph(150, 6.0, 4), test::shared_out(150, 0));
  auto const one = testing::with_threads(1, [&] { return pairs_of(A, Isolated::kept).id; });
  for (int threads : {2, 3})
    EXPECT_EQ(testing::with_threads(threads, [&] { return pairs_of(A, Isolated::kept).id; }), one);
}

/// The weights of all edges with a positive weight.
std::vector<float> weights_of(aggregation::StrengthGraph<Host> const& graph) {
  std::vector<float> own;
  std::copy_if(graph.weight.begin(), graph.weight.end(), std::back_inserter(own),
               [](float c) { return c != 0; });
  return test::gathered(own.data(), own.data() + own.size());
}

TEST(Matching, PutsUnlikeSignsOfWApart) {
  // c = 1 - 2 a w_i w_j / ...: a positive coupling between equal w has the weight 0, a negative one 2.
  test::Whole A(4);
  for (GlobalIndex i = 0; i < 4; ++i) A(i, i) = 1.0;
  A.couple(0, 1, 1.0);
  A.couple(1, 2, -1.0);
  A.couple(2, 3, -0.5);
  auto const rows = test::shared_out(4, 0);
  auto const matrix = test::distributed(A, rows);
  Host const host;
  std::vector<double> const ones(matrix.local.rows, 1.0), diagonal = ones;
  auto const graph =
      aggregation::matching_graph(host, matrix, Span<double const>(diagonal.data(), diagonal.size()),
                                  Span<double const>(ones.data(), ones.size()));
  EXPECT_EQ(weights_of(graph), (std::vector<float>{2.0F, 2.0F, 1.5F, 1.5F}));
}

// 0 -> 1 -> 2 -> 0: each vertex waits for the next. An unsymmetric matrix is a mistake, but must not hang.
TEST(Matching, OfAMatrixWithOneSidedCouplingsEnds) {
  test::Whole A(3);
  for (GlobalIndex i = 0; i < 3; ++i) {
    A(i, i) = 1.0;
    A(i, (i + 1) % 3) = -1.0;
  }
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const pairs = pairs_of(test::distributed(A, test::shared_out(3, way)), Isolated::kept);
    for (GlobalIndex i = 0; i < 3; ++i) EXPECT_EQ(pairs.id.at(i), test::id_of(i));
  }
}

TEST(Matching, OfEqualWeightsTakesFewRounds) {
  // Only the hash of their ends distinguishes the couplings of a grid.
  auto const A = test::on_the_first_rank(oracle::laplace(300, 300));
  Host const host;
  Array<VertexId, Host> ids(host, A.local.rows);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(i);
  std::vector<double> const ones(A.local.rows, 1.0);
  auto const diagonal = aggregation::checked_diagonal(host, A);
  auto const graph =
      aggregation::matching_graph(host, A, diagonal.view(), Span<double const>(ones.data(), ones.size()));
  int rounds = 0;
  auto const pairs = aggregation::matched_pairs(host, graph, ids.view(), Isolated::left_out, 0, &rounds);
  EXPECT_LE(rounds, 20);
  EXPECT_LT(pairs.coarse.global_size(), static_cast<GlobalIndex>(0.6 * A.rows.global_size()));
}

TEST(Matching, NumbersThatAreNotFiniteAreNoEdges) {
  test::Whole A(3);
  for (GlobalIndex i = 0; i < 3; ++i) A(i, i) = 1.0;
  A.couple(0, 1, -1e300);
  A.couple(1, 2, -0.5);
  auto const matrix = test::distributed(A, test::shared_out(3, 0));
  Host const host;
  std::vector<double> const diagonal(matrix.local.rows, 1.0), zeros(matrix.local.rows, 0.0);
  auto const graph = [&](std::vector<double> const& w) {
    auto const made =
        aggregation::matching_graph(host, matrix, Span<double const>(diagonal.data(), diagonal.size()),
                                    Span<double const>(w.data(), w.size()));
    return weights_of(made);
  };
  EXPECT_EQ(graph(diagonal), (std::vector<float>{1.5F, 1.5F}));
  EXPECT_TRUE(graph(zeros).empty());  // 0 / 0
}

}  // namespace
}  // namespace Tessera
