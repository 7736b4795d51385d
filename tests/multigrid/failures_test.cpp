// Memory of the host that runs out on one rank, wherever that is.
#include "multigrid/failures.hpp"

#include <gtest/gtest.h>

namespace Tessera::test {
namespace {

TEST(Failures, AnArrayThatOneRankCannotHaveIsSaidOnAll) {
  EXPECT_GT(expect_failures_in(WholeLife<Host>(Host{}, small_grid()), Arrays<Host>{}), 2 * world().size());
}

TEST(Failures, AListThatOneRankCannotHaveIsSaidOnAll) {
  EXPECT_GT(expect_failures_in(WholeLife<Host>(Host{}, small_grid()), News{}), 2 * world().size());
}

}  // namespace
}  // namespace Tessera::test
