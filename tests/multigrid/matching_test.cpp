#include "multigrid/coarsening/aggregation_passes.hpp"

#include <gtest/gtest.h>

#include <set>

#include "aggregation/problems.hpp"
#include "multigrid/coarsening/coarsening_body.hpp"
#include "oracle/matching_oracle.hpp"

namespace Tessera::multigrid {
namespace {

/// On every rank, the id of each vertex' aggregate. most: as many as `steps`, or fewer: no others follow.
std::vector<VertexId> found(test::Whole const& A, int way, int steps, bool ones, int most = 0,
                            aggregation::MatchingRules const& rules = {}) {
  Host const host;
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  LevelFacts<Host> fine;
  fine.A = &matrix;
  fine.ids = test::ids_of(matrix.rows);
  fine.diagonal = aggregation::checked_diagonal(host, matrix);
  fine.constant = ones;
  fine.nullspace = Array<double, Host>(host, ones ? 0 : matrix.local.rows);
  for (std::size_t i = 0; i < fine.nullspace.size(); ++i)
    fine.nullspace[i] =
        1.0 + static_cast<double>((matrix.rows.begin() + static_cast<GlobalIndex>(i)) % 3) / 2;
  auto const pairs = matched_aggregates(host, fine, steps, most, true, rules);
  auto const ids = test::gathered(pairs.ids.begin(), pairs.ids.end());
  std::vector<VertexId> of_vertex;
  for (auto const a : test::gathered(pairs.aggregate.begin(), pairs.aggregate.end()))
    of_vertex.push_back(a < 0 ? -1 : ids.at(a));
  return of_vertex;
}

std::vector<VertexId> expected(test::Whole const& A, int steps, bool ones,
                               aggregation::MatchingRules const& rules = {}) {
  oracle::MatchingProblem problem{static_cast<std::size_t>(A.n), A.value, {}, {}, {}, rules};
  for (GlobalIndex i = 0; i < A.n; ++i) {
    problem.w.push_back(ones ? 1.0 : 1.0 + static_cast<double>(i % 3) / 2);
    problem.ids.push_back(test::id_of(i));
  }
  return oracle::greedy_pairs_of_pairs(problem, steps);
}

/// A path with a weak coupling, of a hundredth of the diagonal, after every third vertex.
test::Whole path_with_weak_couplings(GlobalIndex n) {
  auto A = test::path(n);
  for (GlobalIndex i = 2; i + 1 < n; i += 3) A.couple(i, i + 1, -0.01 * A(i, i));
  return A;
}

// Of three vertices between weak couplings one is left alone, and goes with the other two.
TEST(MatchedAggregates, DoNotBeginWithWeakPairs) {
  auto const A = path_with_weak_couplings(30);
  auto const id = found(A, 0, 2, true);
  for (GlobalIndex i = 0; i < 30; ++i) EXPECT_EQ(id.at(i), id.at(i / 3 * 3)) << i;
}

// The two aggregates of three vertices between weak couplings become one.
TEST(MatchedAggregates, DoNotCrossCouplingsBelowTheDropTolerance) {
  auto const A = path_with_weak_couplings(30);
  aggregation::MatchingRules rules;
  rules.drop_tolerance = 0.02;
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const id = found(A, way, 4, true, 0, rules);
    for (GlobalIndex i = 0; i < 30; ++i) EXPECT_EQ(id.at(i), id.at(i / 3 * 3)) << i;
    for (GlobalIndex i = 3; i < 30; i += 3) EXPECT_NE(id.at(i), id.at(i - 3)) << i;
  }
}

/// A path of couplings 1 where every second one is `stiff`.
test::Whole path_of_stiff_pairs(GlobalIndex n, double stiff) {
  test::Whole A(n);
  for (GlobalIndex i = 0; i + 1 < n; ++i) A.couple(i, i + 1, i % 2 == 0 ? -stiff : -1.0);
  for (GlobalIndex i = 0; i < n; ++i)
    A(i, i) = 0.01 + (i > 0 ? -A(i, i - 1) : 0.0) + (i + 1 < n ? -A(i, i + 1) : 0.0);
  return A;
}

// Each pair moves as one against the next, at next to no energy: nothing that smooths by the diagonal sees
// it.
TEST(MatchedAggregates, LeaveAloneWhatSmoothingDoesNotReduce) {
  auto const stiff = path_of_stiff_pairs(40, 1000.0), soft = path_of_stiff_pairs(40, 3.0);
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const id = found(stiff, way, 3, true), other = found(soft, way, 3, true);
    EXPECT_EQ(std::set<VertexId>(id.begin(), id.end()).size(), 20U);
    EXPECT_LT(std::set<VertexId>(other.begin(), other.end()).size(), 12U);
    for (GlobalIndex i = 0; i < 40; i += 2) EXPECT_EQ(id.at(i), id.at(i + 1));
  }
}

TEST(MatchedAggregates, ArePairsOfPairsHoweverVerticesAreShared) {
  for (auto const& A : {test::path(30), path_with_weak_couplings(31), path_of_stiff_pairs(30, 20.0),
                        test::pieces(), test::grid(13, 11), test::grid(6, 5, 7), test::path(1)}) {
    for (int steps : {1, 2, 3}) {
      for (bool ones : {true, false}) {
        auto const pairs = expected(A, steps, ones);
        for (int way = 0; way < test::ways_to_share; ++way) EXPECT_EQ(found(A, way, steps, ones), pairs);
      }
    }
  }
}

/// Couplings of either sign, and a diagonal that dominates them.
test::Whole definite_graph(GlobalIndex n) {
  auto A = test::random_graph(n, 5.0, 3);
  for (GlobalIndex i = 0; i < n; ++i) {
    double sum = 0.1;
    for (GlobalIndex j = 0; j < n; ++j) sum += j == i ? 0.0 : std::fabs(A(i, j));
    A(i, i) = sum;
  }
  return A;
}

// Bernaschi, D'Ambra and Pasquini have weights and nothing else.
TEST(MatchedAggregates, WithoutRulesAreMatchedByWeightsAlone) {
  aggregation::MatchingRules const none{0, 0, 0, 0};
  for (auto const& A : {path_with_weak_couplings(31), path_of_stiff_pairs(30, 20.0), test::grid(13, 11),
                        definite_graph(60)}) {
    for (bool ones : {true, false}) {
      auto const pairs = expected(A, 3, ones, none);
      for (int way = 0; way < test::ways_to_share; ++way) EXPECT_EQ(found(A, way, 3, ones, 0, none), pairs);
    }
  }
  auto const stiff = path_of_stiff_pairs(30, 20.0);
  EXPECT_NE(expected(stiff, 3, true, none), expected(stiff, 3, true));
}

TEST(MatchedAggregates, HaveAtMostTwoToTheStepsVertices) {
  auto const A = test::random_graph(150, 5.0, 3);
  for (int steps : {1, 2, 3, 4}) {
    auto const id = found(A, 0, steps, true);
    std::map<VertexId, int> size;
    for (auto const a : id) size[a] += a >= 0 ? 1 : 0;
    for (auto const& [a, count] : size) EXPECT_LE(count, 1 << steps) << a;
    EXPECT_LT(static_cast<double>(size.size()), 150.0 * std::pow(0.65, steps) + 30);
  }
}

// The pairs of pairs of a 7-point stencil keep about half of its entries, those of a 5-point one two fifths.
TEST(MatchedAggregates, AreMatchedOnceMoreWhereTheirMatrixIsLarge) {
  auto const flat = test::grid(13, 11), solid = test::grid(10, 10, 10);
  for (int way = 0; way < test::ways_to_share; ++way) {
    EXPECT_EQ(found(flat, way, 3, true, 4), expected(flat, 3, true));
    EXPECT_EQ(found(solid, way, 3, true, 4), expected(solid, 4, true));
  }
}

/// 27-point stencils on side^3 points without boundaries.
test::Whole torus(GlobalIndex side) {
  test::Whole A(side * side * side);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (int k = 0; k < 27; ++k) {
      auto const x = (i + k % 3 + side - 1) % side, y = (i / side + k / 3 % 3 + side - 1) % side,
                 z = (i / side / side + k / 9 + side - 1) % side;
      auto const j = (z * side + y) * side + x;
      A(i, j) = i == j ? 26.5 : -1;
    }
  }
  return A;
}

// They keep a quarter of a 27-point stencil's entries, but these are 26 a row.
TEST(MatchedAggregates, AreMatchedOnceMoreWhereTheRowsOfTheirMatrixAreLong) {
  auto const A = torus(10);
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(found(A, way, 3, true, 4), expected(A, 4, true));
  EXPECT_NE(expected(A, 4, true), expected(A, 3, true));
}

// Every node of three unknowns is a node of one in a matrix whose couplings are the blocks' norms.
TEST(MatchedAggregates, OfNodesGoByTheirBlocks) {
  Host const host;
  auto const A = test::grid(9, 8);
  test::Whole blocks(3 * A.n);
  for (GlobalIndex i = 0; i < A.n; ++i) {
    for (GlobalIndex j = 0; j < A.n; ++j) {
      for (int e = 0; e < 3; ++e) blocks(3 * i + e, 3 * j + e) = A(i, j);
    }
  }
  auto const rows = test::shared_out(blocks.n, 0, 3);
  auto const matrix = test::distributed(blocks, rows);
  LevelFacts<Host> fine;
  fine.A = &matrix;
  fine.equations = fine.vectors = 3;
  auto const first = rows.begin() / 3;
  fine.ids = Array<VertexId, Host>(host, matrix.local.rows / 3);
  for (std::size_t i = 0; i < fine.ids.size(); ++i)
    fine.ids[i] = test::id_of(first + static_cast<GlobalIndex>(i));
  auto const pairs = matched_aggregates(host, fine, 2, 2, true, {});
  auto const ids = test::gathered(pairs.ids.begin(), pairs.ids.end());
  std::vector<VertexId> of_vertex;
  for (auto const a : test::gathered(pairs.aggregate.begin(), pairs.aggregate.end()))
    of_vertex.push_back(ids.at(a));
  EXPECT_EQ(of_vertex, expected(A, 2, true));
}

}  // namespace
}  // namespace Tessera::multigrid
