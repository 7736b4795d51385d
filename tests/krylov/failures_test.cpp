// Memory that runs out on one rank in a solve.
#include <gtest/gtest.h>

#include "core/memory.hpp"
#include "oracle/generators.hpp"
#include "support/failing_allocations.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

/// A solve from the first workspace on, which takes 20 iterations, or as many as it may.
struct FirstSolve {
  System system{oracle::laplace(16, 16), std::vector<double>(256, 1.0), Share::odd_empty};
  int max_iterations = 100;

  void operator()() {
    comm::agree_on_errors(system.rows.comm(), [&] {
      core::with_memory_context([] { return "solve"; }, [&] { system.workspace = {}; });
    });
    krylov::Parameters p;
    p.max_iterations = max_iterations;
    auto const result = system.solve(p);
    EXPECT_EQ(result.converged, max_iterations == 100);
  }
};

/// Few enough for all of them to be tried on two ranks.
struct EveryNew : News {
  static constexpr int rarer = 1;
};

template <class Kind>
int failures_of(Kind const& kind, int max_iterations) {
  FirstSolve work;
  work.max_iterations = max_iterations;
  return expect_every_failure_on_every_rank(kind, work.system.rows.comm(), {"solve: "}, [&] { work(); });
}

TEST(Failures, AnArrayOrAListThatOneRankCannotHaveIsSaidOnAll) {
  for (int const max_iterations : {100, 5}) {
    SCOPED_TRACE(max_iterations);
    EXPECT_GE(failures_of(Arrays<Host>{}, max_iterations), 1);
    EXPECT_GE(failures_of(EveryNew{}, max_iterations), 1);
  }
}

}  // namespace
}  // namespace Tessera::test
