// Memory of a GPU, and of the host beside it, that runs out on one rank, wherever that is.
#include <gtest/gtest.h>

#include "multigrid/failures.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

/// Two ranks may share a GPU and take turns there.
template <class Kind>
struct Rarely : Kind {
  static constexpr int rarer = 6;
};

template <class Kind>
int failures_beside(core::Cuda const& device, WayToCoarsen const& way, Kind const& kind) {
  return expect_failures_in(WholeLife<Cuda>(device, comm::copied(Host{}, small_grid(), device), way),
                            Rarely<Kind>{kind});
}

TEST(CudaFailures, AnArrayThatOneGpuCannotHoldIsSaidOnAllRanks) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  for (auto const& way : ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    EXPECT_GT(failures_beside(device, way, Arrays<Cuda>{device}), 2 * world().size());
  }
}

TEST(CudaFailures, SoIsAnArrayOrAListThatTheHostCannot) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  for (auto const& way : ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    failures_beside(device, way, Arrays<Host>{});
    EXPECT_GT(failures_beside(device, way, News{}), 2 * world().size());
  }
}

TEST(CudaFailures, ApplicationsHaveNoneSinceTheyTakeNoMemoryOfTheGpu) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  auto const allocations = [&](auto const& work) {
    constexpr std::int64_t many = std::int64_t{1} << 40;
    core::fail_after(device, many);
    work();
    return many - core::fail_after(device, -1);
  };
  EXPECT_EQ(allocations([&] { Array<double, Cuda> const one(device, 1); }), 1);
  for (auto const& way : ways_to_coarsen()) {
    SCOPED_TRACE(way.name);
    expect_applications_without<multigrid::Hierarchy<float, Cuda>>(
        allocations, WholeLife<Cuda>(device, comm::copied(Host{}, small_grid(), device), way));
  }
}

}  // namespace
}  // namespace Tessera::test
