#include <gtest/gtest.h>

#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"
#include "support/device.hpp"

namespace Tessera::multigrid {
namespace {

// Levels of sizes between those from which a host and a GPU gather by default where aggregates cross ranks.
TEST(CudaHierarchy, OfRanksThatAreNotCoupledIsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  auto const whole = oracle::laplace(52, 48, 44);
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
  auto const on_device = comm::copied(Host{}, A, device);
  for (auto const& way : test::ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    Parameters p;
    way.choose(p);
    p.strength.coupled = false;
    p.coarse_max_size = 100;
    Hierarchy<float, Host> host(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
    Hierarchy<float, Cuda> gpu(device, on_device, test::node_ids_on(device, A.rows), {}, p);
    auto const levels = host.report().levels;
    ASSERT_GT(levels.size(), 2u);
    if (test::world().size() > 1) {
      EXPECT_GT(levels[1].active_ranks, 1) << levels[1].rows << " rows";
    }
    test::expect_same_levels(host.report(), gpu.report());
  }
}

}  // namespace
}  // namespace Tessera::multigrid
