#include "aggregation/matching.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

#include "aggregation/coarse_rounding.hpp"
#include "aggregation/diagonal.hpp"
#include "aggregation/problems.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using aggregation::Isolated;

/// Numbers between 1/2 and 2.
double smooth(GlobalIndex i) {
  return 0.5 + static_cast<double>(core::mix64(i) % 97) / 64.0;
}

double weight(test::Whole const& A, GlobalIndex i, GlobalIndex j) {
  double const wi = smooth(i), wj = smooth(j);
  return aggregation::coarsely_rounded(1.0 - 2.0 * (A(i, j) * (wi * wj)) /
                                                 (A(i, i) * (wi * wi) + A(j, j) * (wj * wj)));
}

/// The id of each vertex' aggregate, -1 for none: edges from the heaviest on, whose ends match when both are
/// free.
std::vector<VertexId> greedy(test::Whole const& A, Isolated isolated) {
  std::vector<std::tuple<float, std::uint64_t, VertexId, VertexId>> edges;
  std::vector<VertexId> aggregate(A.n, -1);
  std::map<VertexId, GlobalIndex> vertex;
  for (GlobalIndex i = 0; i < A.n; ++i) vertex[test::id_of(i)] = i;
  std::vector<bool> has_edge(A.n, false);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (i == j || A(i, j) == 0.0 || weight(A, i, j) <= 0.0) continue;
      has_edge[i] = true;
      auto const low = std::min(test::id_of(i), test::id_of(j)),
                 high = std::max(test::id_of(i), test::id_of(j));
      if (test::id_of(i) != low) continue;
      auto const tie =
          core::mix64(core::mix64(static_cast<std::uint64_t>(low)) + static_cast<std::uint64_t>(high));
      edges.emplace_back(static_cast<float>(weight(A, i, j)), ~tie, low, high);
    }
  }
  // Heaviest first, then the largest hash, then the smallest ids.
  std::sort(edges.begin(), edges.end(), [](auto const& a, auto const& b) {
    return std::tuple(-std::get<0>(a), std::get<1>(a), std::get<2>(a), std::get<3>(a)) <
           std::tuple(-std::get<0>(b), std::get<1>(b), std::get<2>(b), std::get<3>(b));
  });
  for (auto const& [w, tie, low, high] : edges) {
    if (aggregate[vertex[low]] >= 0 || aggregate[vertex[high]] >= 0) continue;
    aggregate[vertex[low]] = aggregate[vertex[high]] = low;
  }
  for (GlobalIndex i = 0; i < A.n; ++i) {
    if (aggregate[i] < 0 && (has_edge[i] || isolated == Isolated::kept)) aggregate[i] = test::id_of(i);
  }
  return aggregate;
}

struct Pairs {
  std::vector<VertexId> id;  ///< of each vertex' aggregate
  int rounds = 0;
};

Pairs pairs_of(comm::DistCsr<double, Host> const& A, Isolated isolated) {
  Host const host;
  auto const diagonal = aggregation::checked_diagonal(host, A);
  std::vector<double> w;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) w.push_back(smooth(i));
  auto const graph =
      aggregation::matching_graph(host, A, diagonal.view(), Span<double const>(w.data(), w.size()));
  Pairs result;
  auto const pairs =
      aggregation::matched_pairs(host, graph, test::ids_of(A.rows).view(), isolated, &result.rounds);
  auto const number = test::gathered(pairs.aggregate.begin(), pairs.aggregate.end());
  auto const ids = test::gathered(pairs.ids.begin(), pairs.ids.end());
  EXPECT_EQ(static_cast<GlobalIndex>(ids.size()), pairs.coarse.global_size());
  for (auto const aggregate : number) result.id.push_back(aggregate < 0 ? -1 : ids[aggregate]);
  return result;
}

TEST(Matching, IsTheGreedyOneHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    for (auto const isolated : {Isolated::left_out, Isolated::kept}) {
      auto const expected = greedy(A, isolated);
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(pairs_of(test::distributed(A, test::shared_out(A.n, way)), isolated).id, expected);
    }
  }
}

TEST(Matching, DoesNotDependOnThreads) {
  auto const A = test::distributed(test::random_graph(150, 6.0, 4), test::shared_out(150, 0));
  auto const one = testing::with_threads(1, [&] { return pairs_of(A, Isolated::kept).id; });
  for (int threads : {2, 3})
    EXPECT_EQ(testing::with_threads(threads, [&] { return pairs_of(A, Isolated::kept).id; }), one);
}

TEST(Matching, PutsUnlikeSignsOfWApart) {
  // c = 1 - 2 a w_i w_j / ...: a positive coupling between equal w weighs nothing, a negative one 2.
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
  auto const weights = test::gathered(graph.weight.begin(), graph.weight.end());
  EXPECT_EQ(weights, (std::vector<float>{2.0F, 2.0F, 1.5F, 1.5F}));
}

TEST(Matching, OfEqualWeightsTakesFewRounds) {
  // All couplings of a grid weigh the same but for the hash of their ends.
  auto const whole = oracle::laplace(300, 300);
  auto const comm = test::world();
  auto const first = comm.rank() == 0;
  comm::Distribution const rows(comm, first ? whole.rows : 0);
  std::vector<GlobalIndex> const column(whole.column.begin(), whole.column.end());
  auto const A = comm::from_global(
      rows, rows,
      first ? std::vector<Offset>(whole.offsets.begin(), whole.offsets.end()) : std::vector<Offset>{0},
      first ? column : std::vector<GlobalIndex>{},
      first ? std::vector<double>(whole.value.begin(), whole.value.end()) : std::vector<double>{});
  Host const host;
  Array<VertexId, Host> ids(host, A.local.rows);
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<VertexId>(i);
  std::vector<double> const ones(A.local.rows, 1.0);
  auto const diagonal = aggregation::checked_diagonal(host, A);
  auto const graph =
      aggregation::matching_graph(host, A, diagonal.view(), Span<double const>(ones.data(), ones.size()));
  int rounds = 0;
  auto const pairs = aggregation::matched_pairs(host, graph, ids.view(), Isolated::left_out, &rounds);
  EXPECT_LE(rounds, 20);
  EXPECT_LT(pairs.coarse.global_size(), static_cast<GlobalIndex>(0.6 * whole.rows));
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
    return test::gathered(made.weight.begin(), made.weight.end());
  };
  EXPECT_EQ(graph(diagonal), (std::vector<float>{1.5F, 1.5F}));
  EXPECT_TRUE(graph(zeros).empty());  // 0 / 0
}

}  // namespace
}  // namespace Tessera
