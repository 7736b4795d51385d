#include "aggregation/paa.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <set>

#include "aggregation/problems.hpp"
#include "oracle/generators.hpp"
#include "oracle/paa_oracle.hpp"
#include "support/distribute.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using aggregation::AggregationParameters;

AggregationParameters at_most(int largest, int seed = 0) {
  AggregationParameters parameters;
  parameters.largest = largest;
  parameters.seed = seed;
  return parameters;
}

/// On every rank: the aggregates' ids in their order, and each vertex's aggregate.
struct Partition {
  std::vector<VertexId> ids;
  std::vector<GlobalIndex> aggregate;

  Partition(test::Whole const& A, int way, AggregationParameters const& parameters,
            aggregation::Isolated isolated = aggregation::Isolated::left_out) {
    auto const matrix = test::distributed(A, test::shared_out(A.n, way));
    auto const vertex_ids = test::ids_of(matrix.rows);
    auto const found =
        aggregation::paa(Host{}, test::graph_of(matrix), vertex_ids.view(), parameters, isolated);
    ids = test::gathered(found.ids.begin(), found.ids.end());
    aggregate = test::gathered(found.aggregate.begin(), found.aggregate.end());
  }
  /// Of each vertex.
  std::vector<VertexId> id() const {
    std::vector<VertexId> result;
    for (auto const a : aggregate) result.push_back(a < 0 ? -1 : ids.at(a));
    return result;
  }
};

TEST(Paa, IsTheNaiveAlgorithmHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    auto const graph = test::whole_graph(A);
    auto const place = oracle::places(graph.ids);
    for (auto const& parameters : {at_most(0), at_most(1), at_most(2), at_most(4, 3)}) {
      auto const centre = oracle::paa(graph, parameters.largest, parameters.seed);
      std::set<VertexId> centres;
      for (auto const c : centre) {
        if (c >= 0) centres.insert(place[c]);
      }
      std::vector<VertexId> expected;
      for (auto const c : centre)
        expected.push_back(c < 0 ? -1 : std::distance(centres.begin(), centres.find(place[c])));
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(Partition(A, way, parameters).id(), expected);
    }
  }
}

/// Whether v has one neighbour. Such a leaf may exceed the limit, and its neighbour need not be the centre.
bool is_leaf(oracle::WholeGraph const& graph, std::size_t i) {
  std::size_t around = 0;
  for (std::size_t j = 0; j < graph.size(); ++j) around += graph.edge(i, j) ? 1 : 0;
  return around == 1;
}

TEST(Paa, CoversAllButLoneVerticesWithStarsOfLimitedSizeAndLeaves) {
  for (auto const& A : test::many_problems()) {
    auto const graph = test::whole_graph(A);
    for (int const largest : {2, 3, 5}) {
      Partition const found(A, 3, at_most(largest));
      std::map<GlobalIndex, std::vector<std::size_t>> members;
      for (GlobalIndex i = 0; i < A.n; ++i) {
        double const around = std::accumulate(graph.weight[i].begin(), graph.weight[i].end(), 0.0);
        EXPECT_EQ(found.aggregate[i] >= 0, around > 0.0) << i;
        if (found.aggregate[i] >= 0) members[found.aggregate[i]].push_back(i);
      }
      EXPECT_EQ(members.size(), found.ids.size());
      for (auto& [number, vertices] : members) {
        if (vertices.size() == 1) {
          EXPECT_FALSE(is_leaf(graph, vertices[0]));
        }
        if (vertices.size() == 2) continue;
        vertices.erase(std::remove_if(vertices.begin(), vertices.end(),
                                      [&](std::size_t i) { return is_leaf(graph, i); }),
                       vertices.end());
      }
      for (auto const& [number, vertices] : members) {
        EXPECT_LE(vertices.size(), static_cast<std::size_t>(largest));
        auto const& of = vertices;
        EXPECT_TRUE(std::any_of(of.begin(), of.end(),
                                [&](std::size_t c) {
                                  return std::all_of(of.begin(), of.end(), [&](std::size_t j) {
                                    return j == c || graph.edge(c, j);
                                  });
                                }))
            << "no vertex of aggregate " << number << " is a neighbour of all others";
      }
    }
  }
}

// Brannick et al. 2013, table 5.1, n = 128: (1.99), (2.03), (2.41), (2.97). Rows are numbered as the paper's.
TEST(Paa, CoarsensTheStructuredGridAsThePaperDoes) {
  auto const A = test::on_the_first_rank(oracle::laplace(128, 128));
  std::vector<VertexId> ids(A.local.rows);
  std::iota(ids.begin(), ids.end(), A.rows.begin());
  auto const graph = test::graph_of(A);
  std::map<int, double> const ratios{{2, 1.99}, {3, 2.03}, {4, 2.41}, {5, 2.97}};
  for (auto const& [largest, ratio] : ratios) {
    auto const found = aggregation::paa(Host{}, graph, {ids.data(), ids.size()}, at_most(largest));
    EXPECT_NEAR(static_cast<double>(A.rows.global_size()) / found.coarse.global_size(), ratio, 0.005);
  }
}

TEST(Paa, IsTheSameForAnyNumberOfThreads) {
  auto const A = test::distributed(test::random_graph(900, 5.0, 4), test::shared_out(900, 0));
  auto const graph = test::graph_of(A);
  auto const ids = test::ids_of(A.rows);
  auto const with = [&](int threads) {
    return testing::with_threads(threads,
                                 [&] { return aggregation::paa(Host{}, graph, ids.view(), at_most(4)); });
  };
  auto const reference = with(1);
  for (int const threads : {2, 3}) {
    auto const found = with(threads);
    EXPECT_TRUE(std::equal(found.aggregate.begin(), found.aggregate.end(), reference.aggregate.begin(),
                           reference.aggregate.end()));
  }
}

TEST(Paa, KeepsLoneVerticesWhereTold) {
  Partition const found(test::pieces(), 0, at_most(0), aggregation::Isolated::kept);
  EXPECT_EQ(std::count(found.aggregate.begin(), found.aggregate.end(), -1), 0);
  EXPECT_EQ(std::count(found.aggregate.begin(), found.aggregate.end(), found.aggregate.back()), 1);
}

// The distance-two dependencies of the classes i mod 12 would take 64 rounds if they led through all
// vertices.
TEST(Paa, TakesFewRoundsOnAGridInThreeDimensions) {
  auto const A = test::on_the_first_rank(oracle::laplace(30, 30, 30));
  std::vector<VertexId> ids(A.local.rows);
  std::iota(ids.begin(), ids.end(), A.rows.begin());
  int rounds = 0;
  aggregation::paa(Host{}, test::graph_of(A), {ids.data(), ids.size()}, at_most(4),
                   aggregation::Isolated::left_out, &rounds);
  EXPECT_LE(rounds, 32);
}

// Leaves 2 to 5 hang on 0, leaf 6 on 1; at most 3 vertices: the centre 0 takes 1 and 2, and all leaves join.
//
//     2   3
//      | |
//   4 - 0 - 1 - 6
//       |
//       5
TEST(Paa, LeavesGoWithTheirNeighbourBeyondTheLimit) {
  test::Whole A(7);
  for (GlobalIndex i = 0; i < A.n; ++i) A(i, i) = 6.0;
  for (GlobalIndex const leaf : {1, 2, 3, 4, 5}) A.couple(0, leaf, -1.0);
  A.couple(1, 6, -1.0);
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(Partition(A, way, at_most(3)).aggregate, std::vector<GlobalIndex>(7, 0));
    EXPECT_EQ(Partition(A, way, at_most(1)).ids.size(), 7u);
  }
}

// 0 is a neighbour of all others, which make a ring: the centre 0 takes 1 and 2; the others pair up.
TEST(Paa, OfTooManyNeighboursTheFirstStay) {
  auto A = test::star(7);
  for (GlobalIndex i = 1; i < A.n; ++i) A.couple(i, i % 6 + 1, -1.0);
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const matrix = test::distributed(A, test::shared_out(A.n, way));
    std::vector<VertexId> ids(matrix.rows.local_size());
    std::iota(ids.begin(), ids.end(), matrix.rows.begin());
    auto const found = aggregation::paa(Host{}, test::graph_of(matrix), {ids.data(), ids.size()}, at_most(3));
    EXPECT_EQ(test::gathered(found.aggregate.begin(), found.aggregate.end()),
              (std::vector<GlobalIndex>{0, 0, 0, 1, 1, 2, 2}));
  }
}

TEST(ConsecutiveNumbers, AreThePlacesOfIdsHoweverTheyAreShared) {
  for (GlobalIndex const n : {0, 1, 7, 200}) {
    std::vector<VertexId> all;
    for (GlobalIndex i = 0; i < n; ++i) all.push_back(test::id_of(i));
    auto const expected = oracle::places(all);
    for (int way = 0; way < test::ways_to_share; ++way) {
      auto const rows = test::shared_out(n, way);
      auto const ids = test::ids_of(rows);
      auto const numbers = aggregation::consecutive_numbers(Host{}, rows, ids.view());
      EXPECT_EQ(test::gathered(numbers.begin(), numbers.end()), expected);
      auto const again = aggregation::consecutive_numbers(Host{}, rows, numbers.view());
      EXPECT_EQ(test::gathered(again.begin(), again.end()), expected);
    }
  }
}

}  // namespace
}  // namespace Tessera
