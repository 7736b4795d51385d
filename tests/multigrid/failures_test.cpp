// Memory of the host that runs out on one rank, wherever that is.
#include "multigrid/failures.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <vector>

namespace Tessera::test {
namespace {

TEST(Failures, AnArrayOrAListThatOneRankCannotHaveIsSaidOnAll) {
  for (auto const& way : ways_to_coarsen()) {
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

/// What new and arrays of the host are asked for.
std::int64_t allocations(std::function<void()> const& work) {
  constexpr std::int64_t many = std::int64_t{1} << 40;
  fail_new_after(many);
  core::fail_after(Host{}, many);
  work();
  return 2 * many - fail_new_after(-1) - core::fail_after(Host{}, -1);
}

// Ranks do not agree on errors in them.
TEST(Failures, ApplicationsHaveNoneSinceTheyAllocateNothing) {
  // Compilers may remove an allocation whose memory is not used.
  EXPECT_EQ(allocations([] { ::operator delete(::operator new(1)); }), 1);
  for (auto const smoother : {multigrid::SmootherType::chebyshev, multigrid::SmootherType::fsai}) {
    for (auto const& way : ways_to_coarsen()) {
      SCOPED_TRACE(way.name);
      WholeLife<Host> life(Host{}, small_grid(), way);
      life.parameters.smoother.type = smoother;
      expect_applications_without<multigrid::Hierarchy<float, Host>>(allocations, life);
      life.parameters.cycle = multigrid::CycleType::W;
      expect_applications_without<multigrid::Hierarchy<double, Host>>(allocations, life);
    }
    WholeLife<Host> life(Host{}, small_grid(), ways_to_coarsen().front());
    life.parameters.smoother.type = smoother;
    life.parameters.aggregation.scheme = aggregation::AggregationScheme::matching;
    life.parameters.bootstrap = {2, 0.001, 1};
    expect_applications_without<multigrid::Bootstrap<float, Host>>(allocations, life);
  }
}

// A refresh prepares for later ones on all ranks or on none.
TEST(Failures, ARefreshThatRanOutOfMemoryCanBeGivenAgain) {
  for (auto const& way : ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    WholeLife<Host> const life(Host{}, small_grid(), way);
    auto const& comm = life.A.rows.comm();
    using Levels = multigrid::Hierarchy<float, Host>;
    auto const made = [&] {
      return std::make_unique<Levels>(Host{}, life.A,
                                      Array<VertexId, Host>::borrowed(Host{}, life.ids.view()),
                                      multigrid::NearNullspace(), life.parameters);
    };
    auto const checksum = made()->report().levels.back().checksum;
    auto M = made();
    int failures = 0;
    for (std::int64_t k = 0; failures == k; ++k) {  // until a refresh needs no more allocations
      if (comm.rank() == comm.size() - 1) core::fail_after(Host{}, 5 * k);
      try {
        M->refresh(life.A);
      } catch (core::OutOfMemory const&) {
        ++failures;
      }
      core::fail_after(Host{}, -1);
      if (k % 4 == 3) M = made();
    }
    EXPECT_GT(failures, 4);
    M->refresh(life.A);
    EXPECT_EQ(M->report().levels.back().checksum, checksum);
  }
}

// Other ranks may have refreshed the first component when one fails there.
TEST(Failures, ARefreshOfABootstrapThatRanOutOfMemoryCanBeGivenAgain) {
  WholeLife<Host> life(Host{}, small_grid(), ways_to_coarsen().front());
  auto const& comm = life.A.rows.comm();
  if (comm.size() == 1) GTEST_SKIP() << "one rank agrees with itself";
  life.parameters.coarse_max_size = 40;
  life.parameters.aggregation.scheme = aggregation::AggregationScheme::matching;
  life.parameters.bootstrap = {2, 0.001, 1};
  auto const step = every_so_many(comm.size(), 1);
  std::string expected;
  int failures = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    bool failed = true;
    for (std::int64_t k = 0; failed; k += step) {
      multigrid::Bootstrap<float, Host> M(
          Host{}, life.A, Array<VertexId, Host>::borrowed(Host{}, life.ids.view()), {}, life.parameters);
      if (expected.empty()) expected = M.report().levels.back().checksum;
      if (comm.rank() == rank) core::fail_after(Host{}, k);
      failed = false;
      try {
        M.refresh(life.A);
      } catch (core::OutOfMemory const&) {
        failed = true;
        ++failures;
      }
      core::fail_after(Host{}, -1);
      M.refresh(life.A);
      EXPECT_EQ(M.report().levels.back().checksum, expected) << "allocation " << k << " of rank " << rank;
    }
  }
  EXPECT_GT(failures, comm.size());
}

}  // namespace
}  // namespace Tessera::test
