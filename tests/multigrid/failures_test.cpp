// Memory of the host that runs out on one rank, wherever that is.
#include "multigrid/failures.hpp"

#include <gtest/gtest.h>

namespace Tessera::test {
namespace {

TEST(Failures, AnArrayOrAListThatOneRankCannotHaveIsSaidOnAll) {
  for (auto const& way : ways_of_failures()) {
    SCOPED_TRACE(way.name);
    WholeLife<Host> const life(Host{}, small_grid(), way);
    EXPECT_GT(expect_failures_in(life, Arrays<Host>{}), 2 * world().size());
    EXPECT_GT(expect_failures_in(life, News{}), 2 * world().size());
  }
}

TEST(Failures, AnArrayOrAListThatOneRankCannotHaveForABootstrapIsSaidOnAll) {
  WholeLife<Host> life(Host{}, small_grid(), ways_to_coarsen().front());
  life.bootstrap = true;
  life.parameters.aggregation.scheme = aggregation::AggregationScheme::matching;
  life.parameters.bootstrap = {2, 0.001, 1};
  EXPECT_GT(expect_failures_in(life, Arrays<Host>{}), 4 * world().size());
  EXPECT_GT(expect_failures_in(life, News{}), 4 * world().size());
}

// A refresh prepares for later ones on all ranks or on none.
TEST(Failures, ARefreshThatRanOutOfMemoryCanBeGivenAgain) {
  for (auto const& way : ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    WholeLife<Host> const life(Host{}, small_grid(), way);
    auto const& comm = life.A.rows.comm();
    auto const made = [&] {
      return multigrid::Hierarchy<float, Host>(
          Host{}, life.A, Array<VertexId, Host>::borrowed(Host{}, life.ids.view()), {}, life.parameters);
    };
    auto original = made();
    auto const checksum = original.report().levels.back().checksum;
    auto M = made();
    int failures = 0;
    for (std::int64_t k = 0; failures == k; ++k) {  // until a refresh needs no more allocations
      if (comm.rank() == comm.size() - 1) core::fail_after(Host{}, 7 * k);
      try {
        M.refresh(life.A);
      } catch (core::OutOfMemory const&) {
        ++failures;
      }
      core::fail_after(Host{}, -1);
      if (k % 4 == 3) M = made();
    }
    EXPECT_GT(failures, 4);
    M.refresh(life.A);
    EXPECT_EQ(M.report().levels.back().checksum, checksum);
  }
}

}  // namespace
}  // namespace Tessera::test
