#include "aggregation/mis2.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "aggregation/problems.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using aggregation::AggregationParameters;

AggregationParameters with(int seed) {
  AggregationParameters parameters;
  parameters.seed = seed;
  return parameters;
}

/// The set among all vertices, on every rank.
std::vector<bool> roots_of(test::Whole const& A, int way, std::vector<bool> const& exists = {},
                           std::vector<bool> const& may_be_in = {},
                           AggregationParameters const& parameters = {}, bool listed = false) {
  auto const matrix = test::distributed(A, test::shared_out(A.n, way));
  auto const graph = test::graph_of(matrix);
  auto const ids = test::ids_of(matrix.rows);
  std::vector<unsigned char> candidate;
  for (auto i = matrix.rows.begin(); i < matrix.rows.end() && !exists.empty(); ++i)
    candidate.push_back(!exists[i] ? 0 : may_be_in.empty() || may_be_in[i] ? 1 : 2);
  std::vector<Index> list;
  for (std::size_t v = 0; listed && v < candidate.size(); ++v) {
    if (candidate[v] != 0) list.push_back(static_cast<Index>(v));
  }
  std::vector<unsigned char> in(graph.nodes(), 77);
  aggregation::mis2(Host{}, graph, ids.view(), Span<unsigned char const>(candidate.data(), candidate.size()),
                    Span<Index const>(list.data(), list.size()), parameters,
                    Span<unsigned char>(in.data(), in.size()));
  auto const all = test::gathered(in.data(), in.data() + in.size());
  return std::vector<bool>(all.begin(), all.end());
}

std::vector<bool> everybody(test::Whole const& A) {
  return std::vector<bool>(A.n, true);
}

std::size_t count(std::vector<bool> const& set) {
  return std::count(set.begin(), set.end(), true);
}

TEST(Mis2, IsTheSetOfTheNaiveLoopsHoweverVerticesAreShared) {
  for (auto const& A : test::many_problems()) {
    for (int seed : {0, 5}) {
      auto const expected = oracle::mis2(test::whole_graph(A), everybody(A), everybody(A), seed);
      for (int way = 0; way < test::ways_to_share; ++way)
        EXPECT_EQ(roots_of(A, way, {}, {}, with(seed)), expected);
    }
  }
}

TEST(Mis2, IsTheSetOfTheNaiveLoopsWhereSomeDoNotExistAndSomeMayNotBeIn) {
  for (auto const& A : test::many_problems()) {
    std::vector<bool> exists(A.n), may_be_in(A.n);
    for (GlobalIndex i = 0; i < A.n; ++i) {
      exists[i] = core::mix64(i) % 4 != 0;
      may_be_in[i] = core::mix64(i) % 4 > 1;
    }
    auto const expected = oracle::mis2(test::whole_graph(A), exists, may_be_in, 2);
    for (int way = 0; way < test::ways_to_share; ++way) {
      EXPECT_EQ(roots_of(A, way, exists, may_be_in, with(2)), expected);
      EXPECT_EQ(roots_of(A, way, exists, may_be_in, with(2), true), expected);
    }
  }
}

TEST(Mis2, NoTwoRootsAreWithinDistanceTwo) {
  for (auto const& A : test::many_problems()) {
    auto const in = roots_of(A, 0, {});
    auto const graph = test::whole_graph(A);
    for (GlobalIndex i = 0; i < A.n; ++i) {
      for (GlobalIndex j = 0; j < i; ++j)
        EXPECT_FALSE(in[i] && in[j] && oracle::within_two(graph, everybody(A), i, j)) << i << ' ' << j;
    }
  }
}

TEST(Mis2, EveryVertexIsWithinDistanceTwoOfARoot) {
  for (auto const& A : test::many_problems()) {
    auto const in = roots_of(A, 0, {});
    auto const graph = test::whole_graph(A);
    for (GlobalIndex i = 0; i < A.n; ++i) {
      bool covered = false;
      for (GlobalIndex j = 0; j < A.n; ++j) covered |= in[j] && oracle::within_two(graph, everybody(A), i, j);
      EXPECT_TRUE(covered) << i;
    }
  }
}

// All leaves are two steps apart over the hub, so there is one root.
//     1   2
//      \ /
//   5 - 0 - 3
//       |
//       4
TEST(Mis2, AStarHasOneRoot) {
  EXPECT_EQ(count(roots_of(test::star(6), 0, {})), 1u);
}

// Without the hub no path joins the leaves.
TEST(Mis2, AStarWithoutItsHubIsAllRoots) {
  EXPECT_EQ(roots_of(test::star(6), 0, {false, true, true, true, true, true}),
            (std::vector<bool>{false, true, true, true, true, true}));
}

// 0 - 1 - 2   3: the lone vertex is always a root.
TEST(Mis2, ALoneVertexIsARoot) {
  auto A = test::path(4);
  A.couple(2, 3, 0.0);
  auto const in = roots_of(A, 0, {});
  EXPECT_TRUE(in[3]);
  EXPECT_EQ(count(in), 2u);
}

// Vertices 0 ... 8, of which the middle three do not exist: both ends are independent.
TEST(Mis2, WhereNobodyExistsNothingIsPropagated) {
  auto const in = roots_of(test::path(9), 0, {true, true, true, false, false, false, true, true, true});
  EXPECT_EQ(count(in), 2u);
  EXPECT_FALSE(in[3] || in[4] || in[5]);
}

TEST(Mis2, IsEmptyWhereNobodyExists) {
  EXPECT_EQ(count(roots_of(test::grid(5, 4), 0, std::vector<bool>(20, false))), 0u);
}

TEST(Mis2, SeedsGiveOtherSets) {
  EXPECT_NE(roots_of(test::grid(13, 11), 0, {}, {}, with(0)),
            roots_of(test::grid(13, 11), 0, {}, {}, with(1)));
}

/// The couplings of a grid between neighbours of a row and of a column, stored sparse, because a dense matrix
/// of this size would not fit. Couplings within columns may be zero.
comm::DistCsr<double, Host> large_grid(int nx, int ny, bool columns) {
  comm::Distribution const rows(test::world(), nx * ny);
  GlobalIndex const n = rows.global_size();
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (auto const j : {i - nx, i - 1, i, i + 1, i + nx}) {
      bool const of_column = j == i - nx || j == i + nx;
      if (j < 0 || j >= n || (of_column && !columns)) continue;
      column.push_back(j);
      value.push_back(i == j ? 4.0 : -1.0);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

std::vector<unsigned char> roots_of(comm::DistCsr<double, Host> const& A) {
  auto const graph = test::graph_of(A);
  auto const ids = test::ids_of(A.rows);
  std::vector<unsigned char> in(graph.nodes());
  aggregation::mis2(Host{}, graph, ids.view(), {}, {}, with(0), Span<unsigned char>(in.data(), in.size()));
  return in;
}

TEST(Mis2, ThreadsDoNotMatterOnAGraphLargeEnoughForThem) {
  auto const A = large_grid(90, 80, true);
  auto const set = [&] { return roots_of(A); };
  EXPECT_EQ(testing::with_threads(1, set), testing::with_threads(3, set));
}

// Every third vertex of a line would be best. With random priorities the gaps are three to five wide, as in
// random parking.
TEST(Mis2, RootsOfALineAreAsDenseAsInRandomParking) {
  auto const A = large_grid(3000, 1, false);
  auto const in = roots_of(A);
  auto const roots = test::world().sum(static_cast<GlobalIndex>(std::count(in.begin(), in.end(), 1)));
  EXPECT_NEAR(static_cast<double>(A.rows.global_size()) / static_cast<double>(roots), 3.65, 0.08);
}

}  // namespace
}  // namespace Tessera
