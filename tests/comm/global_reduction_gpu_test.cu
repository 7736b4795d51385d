#include <gtest/gtest.h>

#include "global_reduction_cases.hpp"
#include "support/device.hpp"

namespace Tessera {
namespace {

// Between peers, reductions and exchanges share counters of messages and slots.
TEST(CudaGlobalReduction, ReductionsBetweenExchangesAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const share : test::all_shares) {
      auto const rows = test::share_rows(comm, share, 5000);
      EXPECT_EQ(test::reductions(device, rows, 25), test::reductions(Host{}, rows, 25));
    }
  }
}

}  // namespace
}  // namespace Tessera
