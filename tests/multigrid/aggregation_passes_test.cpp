#include "multigrid/coarsening/aggregation_passes.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "aggregation/problems.hpp"
#include "oracle/paa_oracle.hpp"

namespace Tessera::multigrid {
namespace {

aggregation::AggregationParameters passes_of_paa(int passes, int largest) {
  aggregation::AggregationParameters parameters;
  parameters.passes = passes;
  parameters.largest = largest;
  return parameters;
}

/// On every rank, the id of each vertex' aggregate, which is its place in the order of the centres.
std::vector<VertexId> found(test::Whole const& A, int way,
                            aggregation::AggregationParameters const& parameters) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const ids = test::ids_of(matrix.rows);
  auto const result = paa_passes(Host{}, test::graph_of(matrix), ids.view(), parameters, parameters.passes,
                                 parameters.skip_ratio, aggregation::Isolated::left_out);
  auto const of_aggregate = test::gathered(result.ids.begin(), result.ids.end());
  std::vector<VertexId> of_vertex;
  for (auto const a : test::gathered(result.aggregate.begin(), result.aggregate.end()))
    of_vertex.push_back(a < 0 ? -1 : of_aggregate.at(a));
  return of_vertex;
}

/// The same naively: PAA, the graph between its aggregates, PAA there; lone aggregates stay.
std::vector<VertexId> expected(oracle::WholeGraph const& graph, int passes, int largest) {
  auto const n = graph.size();
  auto const centre = oracle::paa(graph, largest);
  auto const place = oracle::places(graph.ids);
  std::set<std::pair<VertexId, Index>> centres;  // in the order of their numbers
  for (auto const c : centre) {
    if (c >= 0) centres.insert({place[c], c});
  }
  std::vector<VertexId> number(n, -1);
  for (std::size_t i = 0; i < n; ++i) {
    if (centre[i] >= 0)
      number[i] = std::distance(centres.begin(), centres.find({place[centre[i]], centre[i]}));
  }
  if (passes == 1) return number;
  oracle::WholeGraph coarse(centres.size());
  std::iota(coarse.ids.begin(), coarse.ids.end(), 0);
  std::vector<bool> lone(centres.size(), true);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      if (!graph.edge(i, j) || number[i] == number[j]) continue;
      coarse.weight[number[i]][number[j]] += graph.weight[i][j];
      lone[number[i]] = false;
    }
  }
  // A lone vertex is its own centre, which oracle::paa does not know.
  auto const next = oracle::paa(coarse, largest);
  std::vector<Index> of(next);
  for (std::size_t a = 0; a < lone.size(); ++a) {
    if (lone[a]) of[a] = static_cast<Index>(a);
  }
  std::set<Index> const kept(of.begin(), of.end());
  for (auto& a : number) {
    if (a >= 0) a = std::distance(kept.begin(), kept.find(of[a]));
  }
  return number;
}

TEST(AggregationPasses, AreTheNaiveOnesHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    auto const graph = test::whole_graph(A);
    for (int const largest : {0, 3}) {
      for (int const passes : {1, 2}) {
        auto const naive = expected(graph, passes, largest);
        for (int way = 0; way < test::ways_to_share; ++way)
          EXPECT_EQ(found(A, way, passes_of_paa(passes, largest)), naive);
      }
    }
  }
}

// Weights of positive couplings are negative.
TEST(AggregationPasses, LookAtTheGraphAlone) {
  auto const A = test::grid(13, 11);
  auto positive = A, mixed = A;
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      if (i != j) positive(i, j) = -A(i, j);
      if (i != j && (i + j) % 4 == 1) mixed(i, j) = -A(i, j);
    }
  }
  for (int const passes : {2, 3}) {
    auto const parameters = passes_of_paa(passes, 3);
    EXPECT_EQ(found(positive, 0, parameters), found(A, 0, parameters));
    EXPECT_EQ(found(mixed, 0, parameters), found(A, 0, parameters));
  }
}

TEST(AggregationPasses, ThreeCoverWhatOneCoversWithFewerAggregates) {
  auto const A = test::grid(13, 11);
  std::size_t before = A.n;
  for (int const passes : {1, 2, 3}) {
    auto const of = found(A, 3, passes_of_paa(passes, 4));
    std::set<VertexId> const all(of.begin(), of.end());
    EXPECT_EQ(all.count(-1), 0u);
    EXPECT_EQ(*all.rbegin() + 1, static_cast<VertexId>(all.size()));
    EXPECT_LT(all.size() * 1.8, before);
    before = all.size();
    for (int way = 0; way < test::ways_to_share; ++way)
      EXPECT_EQ(found(A, way, passes_of_paa(passes, 4)), of);
  }
}

// 143 nodes: one pass of pairs leaves about 72, two 36, three 18.
TEST(AggregationPasses, GoOnUntilTheLevelIsAsSmallAsAsked) {
  auto const A = test::grid(13, 11);
  auto const of = [&](int passes, double skip_ratio, int way) {
    auto parameters = passes_of_paa(passes, 2);
    parameters.skip_ratio = skip_ratio;
    return found(A, way, parameters);
  };
  auto const ratio = [&](int passes) {
    auto const all = of(passes, 0, 0);
    return 143.0 / static_cast<double>(*std::max_element(all.begin(), all.end()) + 1);
  };
  for (int way = 0; way < test::ways_to_share; ++way) {
    for (int const passes : {1, 2, 3}) {
      EXPECT_EQ(of(9, 0.999 * ratio(passes), way), of(passes, 0, 0));
      EXPECT_EQ(of(9, 1.001 * ratio(passes), way), of(passes + 1, 0, 0));
    }
    EXPECT_EQ(of(2, 1000, way), of(2, 0, 0));  // at most so many
  }
}

}  // namespace
}  // namespace Tessera::multigrid
