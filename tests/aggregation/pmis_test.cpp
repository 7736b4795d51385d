#include "aggregation/pmis.hpp"

#include <gtest/gtest.h>

#include "aggregation/problems.hpp"
#include "aggregation/strength.hpp"
#include "oracle/classical_oracle.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

oracle::Dense dense(test::Whole const& A) {
  return {static_cast<Index>(A.n), static_cast<Index>(A.n), A.value};
}

std::vector<VertexId> all_ids(test::Whole const& A) {
  std::vector<VertexId> ids;
  for (GlobalIndex i = 0; i < A.n; ++i) ids.push_back(test::id_of(i));
  return ids;
}

/// Couplings of many sizes and of both signs, some rows without any.
test::Whole uneven(int n, int seed) {
  auto A = test::random_graph(n, 6.0, seed);
  for (GlobalIndex i = 0; i < n; ++i) {
    A(i, i) = 20;
    for (GlobalIndex j = 0; j < i; ++j)
      if (A(i, j) != 0 && core::mix64(i + n * j) % 7 == 0) A.couple(i, j, -A(i, j));
  }
  return A;
}

std::vector<test::Whole> problems() {
  auto all = test::many_problems();
  for (int seed : {1, 2, 3}) all.push_back(uneven(80, seed));
  return all;
}

struct Made {
  aggregation::Aggregates<Host> aggregates;
  std::vector<bool> coarse;  ///< of all vertices, on every rank
};

Made made(test::Whole const& A, double theta, int way = 0, int seed = 0, bool aggressive = false) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const diagonal = aggregation::checked_diagonal(Host{}, matrix);
  auto const graph = aggregation::dependence(Host{}, matrix, diagonal.view(), theta);
  auto const ids = test::ids_of(matrix.rows);
  Made result{aggregation::pmis(Host{}, graph, ids.view(), seed), {}};
  if (aggressive) result.aggregates = aggregation::pmis(Host{}, graph, ids.view(), seed, &result.aggregates);
  auto const& of = result.aggregates.aggregate;
  for (auto const a : test::gathered(of.begin(), of.end())) result.coarse.push_back(a >= 0);
  return result;
}

TEST(Pmis, IsTheSetOfTheNaiveLoopsHoweverVerticesAreShared) {
  for (auto const& A : problems()) {
    for (double const theta : {0.0, 0.5, 1.0}) {
      auto const expected = oracle::pmis(oracle::dependences(dense(A), theta), all_ids(A), 3);
      for (int way = 0; way < test::ways_to_share; ++way) EXPECT_EQ(made(A, theta, way, 3).coarse, expected);
    }
  }
}

TEST(Pmis, DoesNotDependOnTheNumberOfThreads) {
  auto const A = test::grid(40, 40);
  auto const one = testing::with_threads(1, [&] { return made(A, 0.5).coarse; });
  EXPECT_EQ(testing::with_threads(3, [&] { return made(A, 0.5).coarse; }), one);
}

TEST(Pmis, TwoVerticesThatDependOnEachOtherAreNotBothCoarse) {
  for (auto const& A : problems()) {
    auto const depends = oracle::dependences(dense(A), 0.5);
    auto const coarse = made(A, 0.5).coarse;
    for (GlobalIndex i = 0; i < A.n; ++i)
      for (GlobalIndex j = 0; j < i; ++j)
        EXPECT_FALSE(coarse[i] && coarse[j] && depends[i][j] && depends[j][i]) << i << ' ' << j;
  }
}

TEST(Pmis, AFineVertexOnWhichOthersDependDependsOnACoarseOne) {
  for (auto const& A : problems()) {
    auto const depends = oracle::dependences(dense(A), 0.5);
    auto const coarse = made(A, 0.5).coarse;
    auto const has_coarse = [&](GlobalIndex i) {
      for (GlobalIndex j = 0; j < A.n; ++j)
        if (depends[i][j] && coarse[j]) return true;
      return false;
    };
    for (GlobalIndex i = 0; i < A.n; ++i) {
      bool leads = false, reaches = coarse[i] || has_coarse(i), has_any = false;
      for (GlobalIndex j = 0; j < A.n; ++j) {
        leads = leads || depends[j][i];
        has_any = has_any || depends[i][j];
        reaches = reaches || (depends[i][j] && has_coarse(j));
      }
      EXPECT_TRUE(!leads || coarse[i] || has_coarse(i)) << i;
      EXPECT_TRUE(!has_any || reaches) << i;
      EXPECT_TRUE(has_any || !coarse[i]) << i;
    }
  }
}

//     0 --1-- 1 --4-- 2 --1-- 3
//
// 1 and 2 depend on each other alone, so that one of them is coarse; 0 and 3 lead nobody.
TEST(Pmis, OfAPathWithAStrongMiddleTakesOneEndOfTheMiddle) {
  test::Whole A(4, {1, -1, 0, 0, -1, 5, -4, 0, 0, -4, 5, -1, 0, 0, -1, 1});
  auto const coarse = made(A, 0.5).coarse;
  EXPECT_NE(coarse[1], coarse[2]);
  EXPECT_FALSE(coarse[0] || coarse[3]);
}

// The hub depends on the leaf 1 alone; all leaves depend on the hub.
//     1 --4-- 0 --1-- 2, 3, 4
TEST(Pmis, OfAnUnevenStarIsTheHub) {
  auto A = test::star(5);
  A.couple(0, 1, -4);
  A(0, 0) = 8;
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(made(A, 0.5, way).coarse, (std::vector<bool>{true, false, false, false, false}));
}

TEST(AggressivePmis, IsTheSetOfTheNaiveLoopsHoweverVerticesAreShared) {
  for (auto const& A : problems()) {
    for (double const theta : {0.0, 0.5, 1.0}) {
      auto const depends = oracle::dependences(dense(A), theta);
      auto const first = oracle::pmis(depends, all_ids(A), 3);
      auto const expected = oracle::pmis(depends, all_ids(A), 3, &first);
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(made(A, theta, way, 3, true).coarse, expected);
    }
  }
}

TEST(AggressivePmis, ACoarseVertexOfTheFirstIsCoarseOrDependsOnOneOverAtMostTwoEdges) {
  for (auto const& A : problems()) {
    auto const depends = oracle::dependences(dense(A), 0.5);
    auto const first = made(A, 0.5).coarse, coarse = made(A, 0.5, 0, 0, true).coarse;
    for (GlobalIndex i = 0; i < A.n; ++i) {
      bool reaches = coarse[i];
      for (GlobalIndex j = 0; j < A.n; ++j)
        for (GlobalIndex k = 0; k < A.n; ++k)
          reaches = reaches || (coarse[k] && (depends[i][k] || (depends[i][j] && depends[j][k])));
      EXPECT_TRUE(!first[i] || reaches) << i;
      EXPECT_TRUE(first[i] || !coarse[i]) << i;
    }
  }
}

// Of a line 0 -- 1 -- ... -- 8 the first PMIS takes every second vertex or every third one. A chosen vertex
// leaves none of the first within distance two.
TEST(AggressivePmis, VerticesOfALineHaveADistanceOfThreeOrMore) {
  auto const coarse = made(test::grid(40, 1), 0.5, 0, 0, true).coarse;
  int last = -10;
  for (int i = 0; i < 40; ++i) {
    if (!coarse[i]) continue;
    EXPECT_GE(i - last, 3) << i;
    last = i;
  }
  EXPECT_GE(last, 30);
}

TEST(AggressivePmis, ALoneCoarseVertexStays) {
  for (int way = 0; way < test::ways_to_share; ++way)
    EXPECT_EQ(made(test::star(5), 0.5, way, 0, true).coarse, made(test::star(5), 0.5, way).coarse);
}

TEST(Pmis, NumbersCoarseVerticesInTheirOrder) {
  auto const A = test::grid(9, 8);
  for (int way = 0; way < test::ways_to_share; ++way) {
    auto const found = made(A, 0.5, way).aggregates;
    GlobalIndex next = found.coarse.begin();
    for (auto const a : found.aggregate) {
      EXPECT_TRUE(a < 0 || a == next) << a;
      next += a < 0 ? 0 : 1;
    }
    EXPECT_EQ(next, found.coarse.end());
  }
}

}  // namespace
}  // namespace Tessera
