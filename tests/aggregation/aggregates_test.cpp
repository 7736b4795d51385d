#include "aggregation/aggregates.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "aggregation/problems.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using aggregation::AggregationParameters;

/// On every rank: the aggregates' ids in their order, and each vertex's aggregate.
struct Partition {
  std::vector<VertexId> ids;
  std::vector<GlobalIndex> aggregate;
  std::vector<VertexId> root_of_vertex() const {
    std::vector<VertexId> root;
    for (auto const a : aggregate) root.push_back(a < 0 ? -1 : ids.at(a));
    return root;
  }
};

Partition partition_of(test::Whole const& A, int way, AggregationParameters const& parameters = {},
                       aggregation::StrengthParameters const& strength = {}) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const ids = test::ids_of(matrix.rows);
  auto const result =
      aggregation::aggregate(Host{}, test::graph_of(matrix, strength), ids.view(), parameters);
  EXPECT_EQ(result.ids.size(), static_cast<std::size_t>(result.coarse.local_size()));
  return {test::gathered(result.ids.begin(), result.ids.end()),
          test::gathered(result.aggregate.begin(), result.aggregate.end())};
}

AggregationParameters with_extra(int seed, int phases, int degree) {
  AggregationParameters parameters;
  parameters.seed = seed;
  parameters.extra_phases = phases;
  parameters.extra_degree = degree;
  return parameters;
}

TEST(Aggregates, AreThoseOfTheNaiveLoopsHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    auto const graph = test::whole_graph(A);
    for (auto const& parameters : {AggregationParameters{}, with_extra(3, 0, 4), with_extra(1, 3, 2)}) {
      auto const expected =
          oracle::aggregates(graph, parameters.seed, parameters.extra_phases, parameters.extra_degree);
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(partition_of(A, way, parameters).root_of_vertex(), expected);
    }
  }
}

TEST(Aggregates, AreNumberedInTheOrderOfTheirRoots) {
  auto const partition = partition_of(test::grid(13, 11), 3);
  GlobalIndex next = 0;
  for (GlobalIndex i = 0; i < 13 * 11; ++i) {
    if (partition.ids.at(partition.aggregate[i]) == test::id_of(i)) {
      EXPECT_EQ(partition.aggregate[i], next++);
    }
  }
  EXPECT_EQ(next, static_cast<GlobalIndex>(partition.ids.size()));
}

TEST(Aggregates, AreConnectedAndCoverAllButLoneVertices) {
  for (auto const& A : test::many_problems()) {
    auto const graph = test::whole_graph(A);
    auto const partition = partition_of(A, 0);
    std::map<GlobalIndex, std::set<std::size_t>> members;
    for (GlobalIndex i = 0; i < A.n; ++i) {
      double around = 0.0;
      for (auto const w : graph.weight[i]) around += w;
      EXPECT_EQ(partition.aggregate[i] >= 0, around > 0.0) << i;
      if (partition.aggregate[i] >= 0) members[partition.aggregate[i]].insert(i);
    }
    EXPECT_EQ(members.size(), partition.ids.size());
    for (auto const& [number, vertices] : members) {
      std::set<std::size_t> reached{*vertices.begin()};
      for (std::size_t before = 0; before != reached.size();) {
        before = reached.size();
        for (auto const i : vertices) {
          for (auto const j : vertices) {
            if (reached.count(i) != 0 && graph.edge(i, j)) reached.insert(j);
          }
        }
      }
      EXPECT_EQ(reached, vertices) << "aggregate " << number;
    }
  }
}

// 0 - 1 - 2: any root has both other vertices within distance two; the far vertex joins last.
TEST(Aggregates, APathOfThreeIsOneAggregate) {
  EXPECT_EQ(partition_of(test::path(3), 0).aggregate, (std::vector<GlobalIndex>{0, 0, 0}));
}

TEST(Aggregates, AStarIsOneAggregate) {
  auto const no_extra_phase = with_extra(0, 0, 4);
  EXPECT_EQ(partition_of(test::star(9), 3, no_extra_phase).aggregate, std::vector<GlobalIndex>(9, 0));
}

//  0 - 1   3   4 - 5        3 is alone
//   \ /         \ /
//    2           6
TEST(Aggregates, TwoTrianglesAreTwoAggregatesAndALoneVertexIsInNone) {
  test::Whole A(7);
  for (GlobalIndex i = 0; i < 7; ++i) A(i, i) = 2.0;
  for (GlobalIndex at : {0, 4}) {
    A.couple(at, at + 1, -1.0);
    A.couple(at, at + 2, -1.0);
    A.couple(at + 1, at + 2, -1.0);
  }
  EXPECT_EQ(partition_of(A, 0).aggregate, (std::vector<GlobalIndex>{0, 0, 0, -1, 1, 1, 1}));
}

// Row 2 is an identity row whose column is still there: 0 - 1 - (2) - 3 - 4 falls in two.
TEST(Aggregates, ADirichletVertexIsInNone) {
  auto A = test::path(5);
  A(2, 1) = A(2, 3) = 0.0;
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(partition_of(A, way).aggregate, (std::vector<GlobalIndex>{0, 0, -1, 1, 1}));
}

TEST(Aggregates, OneByOneHasNone) {
  EXPECT_EQ(partition_of(test::path(1), 0).aggregate, std::vector<GlobalIndex>{-1});
}

TEST(Aggregates, DoNotCrossRanksThatAreNotCoupled) {
  aggregation::StrengthParameters uncoupled;
  uncoupled.coupled = false;
  auto const A = test::distributed(test::grid(8, 9), test::shared_out(72, 0));
  auto const ids = test::ids_of(A.rows);
  auto const result = aggregation::aggregate(Host{}, test::graph_of(A, uncoupled), ids.view(), {});
  for (auto const a : result.aggregate) EXPECT_TRUE(result.coarse.owns(a)) << a;
}

TEST(Aggregates, DoNotDependOnRoundingErrorsOfTheMatrix) {
  auto const A = test::random_graph(150, 6.0, 4);
  auto noisy = A;
  for (GlobalIndex k = 0; k < A.n * A.n; ++k) noisy.value[k] *= 1.0 + 4e-15 * core::uniform(k, 1);
  EXPECT_EQ(partition_of(A, 0).aggregate, partition_of(noisy, 0).aggregate);
}

/// An unsymmetric matrix is a mistake, but must not hang: 0 -> 1 -> 2 -> ... -> 29.
TEST(Aggregates, OfAMatrixWithOneSidedCouplingsAreFoundAllTheSame) {
  auto A = test::path(30);
  for (GlobalIndex i = 0; i + 1 < 30; ++i) A(i + 1, i) = 0.0;
  for (int way = 0; way < test::ways_to_share; ++way) {
    for (auto const a : partition_of(A, way).aggregate) EXPECT_LT(a, 30);
  }
}

/// Two paths of n vertices with couplings 1, and n vertices between them that couple by 0.001 to both paths
/// and have no other couplings: two permeable layers and one of low permeability.
test::Whole layers(GlobalIndex n) {
  test::Whole A(3 * n);
  for (GlobalIndex i = 0; i < n; ++i) {
    for (GlobalIndex const outer : {i, 2 * n + i}) {
      A.couple(outer, n + i, -0.001);
      if (i + 1 < n) A.couple(outer, outer + 1, -1.0);
    }
  }
  for (GlobalIndex i = 0; i < 3 * n; ++i) {
    for (GlobalIndex j = 0; j < 3 * n; ++j) {
      if (j != i) A(i, i) -= A(i, j);
    }
    A(i, i) += 1e-6;
  }
  return A;
}

// By their own rows, the vertices between the layers depend on both.
TEST(Aggregates, DoNotJoinLayersThroughAVertexBetweenThem) {
  GlobalIndex const n = 12;
  aggregation::StrengthParameters strength;
  strength.scheme = aggregation::DropScheme::signed_classical;
  strength.drop_tolerance = 0.5;
  auto const A = layers(n);
  auto const aggregate = partition_of(A, 0, {}, strength).aggregate;
  std::set<GlobalIndex> const first(aggregate.begin(), aggregate.begin() + n);
  for (GlobalIndex i = 0; i < 3 * n; ++i) {
    EXPECT_GE(aggregate[i], 0) << i;
    if (i >= 2 * n) {
      EXPECT_EQ(first.count(aggregate[i]), 0U) << i;
    }
  }
  for (int way = 1; way < test::ways_to_share; ++way)
    EXPECT_EQ(partition_of(A, way, {}, strength).root_of_vertex(),
              partition_of(A, 0, {}, strength).root_of_vertex());
}

aggregation::AggregateStatistics statistics_of(aggregation::Aggregates<Host> const& aggregates) {
  return aggregation::aggregate_statistics(aggregates.coarse,
                                           core::to_vector(Host{}, aggregates.aggregate.view()));
}

TEST(AggregateStatistics, CountsMembersOnAllRanks) {
  auto const whole = test::random_graph(120, 3.0, 1);
  auto const A = test::distributed(whole, test::shared_out(whole.n, 3));
  auto const ids = test::ids_of(A.rows);
  auto const result = aggregation::aggregate(Host{}, test::graph_of(A), ids.view(), {});
  std::map<GlobalIndex, GlobalIndex> size;
  for (auto const a : test::gathered(result.aggregate.begin(), result.aggregate.end())) ++size[a];
  auto const statistics = statistics_of(result);
  EXPECT_EQ(statistics.outside, size[-1]);
  EXPECT_GT(statistics.outside, 0);
  size.erase(-1);
  EXPECT_EQ(statistics.count, static_cast<GlobalIndex>(size.size()));
  auto const less = [](auto const& a, auto const& b) { return a.second < b.second; };
  EXPECT_EQ(statistics.smallest, std::min_element(size.begin(), size.end(), less)->second);
  EXPECT_EQ(statistics.largest, std::max_element(size.begin(), size.end(), less)->second);
}

TEST(AggregateStatistics, AreZeroWithoutAggregates) {
  auto const A = test::distributed(test::path(1), test::shared_out(1, 0));
  auto const ids = test::ids_of(A.rows);
  auto const statistics = statistics_of(aggregation::aggregate(Host{}, test::graph_of(A), ids.view(), {}));
  EXPECT_EQ(statistics.count, 0);
  EXPECT_EQ(statistics.smallest, 0);
  EXPECT_EQ(statistics.largest, 0);
  EXPECT_EQ(statistics.outside, 1);
}

}  // namespace
}  // namespace Tessera
