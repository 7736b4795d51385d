#include "multigrid/parallel_regions.hpp"

#include <gtest/gtest.h>

#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"
#include "support/threads.hpp"

namespace Tessera::multigrid {
namespace {

/// Regions of one cycle.
int regions_of_cycle(Index side, test::WayToCoarsen const& way) {
  auto const whole = oracle::laplace(side, side);
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
  Parameters p;
  way.choose(p);
  p.coarse_max_size = 100;
  Hierarchy<float, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
  std::vector<double> const b(A.local.rows, 1.0);
  test::precondition(M, b);
  int const before = test::parallel_regions();
  test::precondition(M, b);
  return test::parallel_regions() - before;
}

// A level of 3600 rows, which takes microseconds, and those below it.
TEST(Cycle, OfSmallLevelsWakesNoThreads) {
  testing::with_threads(2, [] {
    for (auto const& way : test::ways_to_coarsen()) EXPECT_EQ(regions_of_cycle(60, way), 0) << way.name;
  });
}

TEST(Cycle, OfALargeLevelRunsOnAllThreads) {
  testing::with_threads(2, [] {
    for (auto const& way : test::ways_to_coarsen()) EXPECT_GT(regions_of_cycle(200, way), 5) << way.name;
  });
}

}  // namespace
}  // namespace Tessera::multigrid
