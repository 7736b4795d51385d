#include "ifpack2/preconditioner_impl.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <string>

namespace Tessera::ifpack2 {
namespace {

struct Steps {
  std::string kinds;  ///< S: a setup, r: a refresh
  std::int64_t iterations = 0;
};

/// A setup takes `fresh` iterations, the n-th refresh after it so many as refreshed(n).
Steps run(int steps, int fresh, std::function<int(int)> const& refreshed, int allowed = 20) {
  RefreshPolicy wear;
  Steps done;
  std::int64_t applications = 0;
  int age = 0;
  for (int step = 0; step < steps; ++step) {
    bool const setup = step == 0 || wear.wants_setup(applications, allowed);
    if (setup) {
      wear.setup_done();
      applications = 0;
    }
    age = setup ? 0 : age + 1;
    int const here = age == 0 ? fresh : refreshed(age);
    applications += here;
    done.iterations += here;
    done.kinds += setup ? 'S' : 'r';
  }
  return done;
}

TEST(RefreshPolicy, RefreshesThatCostNothingGoOn) {
  EXPECT_EQ(run(12, 10, [](int) { return 10; }).kinds, "Srrrrrrrrrrr");
  EXPECT_EQ(run(12, 10, [](int) { return 8; }).kinds, "Srrrrrrrrrrr");
}

TEST(RefreshPolicy, WhatLaterOnesCostMoreThanTheFirstIsAddedUp) {
  auto const growing = [](int n) { return 10 + 2 * n; };
  EXPECT_EQ(run(16, 10, growing).kinds, "SrrrrrSrrrrrSrrr");
  EXPECT_EQ(run(16, 10, growing, 0).kinds, "Srrrrrrrrrrrrrrr");
  EXPECT_EQ(run(16, 10, [](int) { return 25; }).kinds, "Srrrrrrrrrrrrrrr") << "a setup would cost more";
}

// A factor's iterations are cheap beside its setup.
TEST(RefreshPolicy, ManyIterationsMayGrowMore) {
  EXPECT_EQ(run(16, 10, [](int n) { return 10 + 5 * n; }).kinds, "SrrrrSrrrrSrrrrS");
  EXPECT_EQ(run(16, 100, [](int n) { return 100 + 5 * n; }).kinds, "SrrrrrSrrrrrSrrr");
}

TEST(RefreshPolicy, WhereTheFirstRefreshCostsTooMuchSetupsFollow) {
  auto const done = run(40, 15, [](int) { return 64; });
  EXPECT_EQ(done.kinds, "SrSSrSSSSrSSSSSSSSrSSSSSSSSSSSSSSSSrSSSS");
  EXPECT_LT(done.iterations, 1.5 * 40 * 15);
}

TEST(RefreshPolicy, ARefreshThatPaysAgainForgetsThat) {
  int bad = 2;
  auto const done = run(16, 10, [&](int) { return bad-- > 0 ? 40 : 10; });
  EXPECT_EQ(done.kinds, "SrSSrSSSSrrrrrrr");
}

TEST(RefreshPolicy, ComputeWithoutASolveCountsForNothing) {
  RefreshPolicy wear;
  EXPECT_FALSE(wear.wants_setup(0, 20));
  EXPECT_FALSE(wear.wants_setup(10, 20));
  EXPECT_FALSE(wear.wants_setup(10, 20));
  EXPECT_FALSE(wear.wants_setup(25, 20));
  EXPECT_FALSE(wear.wants_setup(25, 20));
  EXPECT_TRUE(wear.wants_setup(60, 20));
}

}  // namespace
}  // namespace Tessera::ifpack2
