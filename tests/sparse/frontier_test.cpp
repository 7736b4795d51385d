#include "sparse/engine/frontier.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "matching.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

std::vector<Csr<double, Host>> graphs() {
  std::vector<Csr<double, Host>> all;
  all.push_back(oracle::laplace(1));
  all.push_back(oracle::laplace(5));
  all.push_back(oracle::laplace(90, 80));
  all.push_back(oracle::random_spd(300, 30, 2));
  all.push_back(oracle::random_spd(6000, 5, 4));
  return all;
}

TEST(Frontier, MatchesLikeTheGreedyLoopForAnyThreads) {
  for (auto const& A : graphs()) {
    for (auto const& among : {std::vector<Index>(), some_vertices(A.rows)}) {
      auto const expected = greedy_matching(A, among);
      for (int const threads : {1, 2, 3}) {
        auto const found =
            testing::with_threads(threads, [&] { return matching(Host{}, A, nullptr, among); });
        EXPECT_EQ(found.mate, expected);
        EXPECT_FALSE(found.run.one_kernel);
      }
    }
  }
}

TEST(Frontier, EqualWeightsMakeNoLongChains) {
  EXPECT_LE(matching(Host{}, oracle::laplace(300, 300), nullptr).run.rounds, 20);
}

TEST(Frontier, AsksTheRanksBeforeEachStepAndRound) {
  std::vector<int> steps;
  int rounds = 0;
  auto const ranks =
      ranks_with([&](bool yes) { return ++rounds < 4 || yes; }, [&](int step) { steps.push_back(step); });
  auto const found = matching(Host{}, oracle::laplace(2), &ranks);
  EXPECT_EQ(found.mate, (std::vector<Index>{1, 0}));
  EXPECT_EQ(found.run.rounds, 2);  // this rank needed one round, others more, and the last one was in vain
  EXPECT_EQ(steps, (std::vector<int>{0, 1, 0, 1, 0, 1}));
}

// Vertices below 6 are in list 0, odd vertices in list 1.
TEST(VertexLists, AreThoseThatTheBitsSay) {
  for (int const threads : {1, 3}) {
    testing::with_threads(threads, [] {
      Host const host;
      auto const n = std::size_t{9000};
      auto const bits = [](Index v) { return (v < 6 ? 1U : 0U) | (v % 2 == 1 ? 2U : 0U); };
      VertexLists<Host, 2> lists(host, {n, n}, {}, bits);
      auto const below = lists.subset(0);
      EXPECT_EQ(std::vector<Index>(below.list, below.list + below.at_most),
                (std::vector<Index>{0, 1, 2, 3, 4, 5}));
      ASSERT_EQ(lists.size(1), n / 2);
      lists.keep<1>(host, [](Index v) { return v % 3 == 0; });
      ASSERT_EQ(lists.size(1), n / 6);
      for (std::size_t k = 0; k < n / 6; ++k)
        EXPECT_EQ(lists.subset(1).list[k], static_cast<Index>(6 * k + 3));
      std::vector<int> visits(n, 0);
      lists.visit<1>(host, [&](Index v) { ++visits[v]; });
      EXPECT_EQ(std::count(visits.begin(), visits.end(), 1), static_cast<std::ptrdiff_t>(n / 6));
    });
  }
}

}  // namespace
}  // namespace Tessera::sparse
