// From the second solve on, solves and applications allocate nothing on the device.
#include "core/memory.hpp"
#include "stratimikos/allocations.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

TEST(AllocationsGpu, AreNoneFromTheSecondSolveOn) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = device_of_rank();
  repeat_solves(device, "cuda", [&](std::string const& name, auto const& solve) {
    solve();
    auto const before = core::memory_use(device).allocations;
    for (int time = 0; time < 2; ++time) solve();
    EXPECT_EQ(core::memory_use(device).allocations, before) << name;
  });
}

}  // namespace
}  // namespace Tessera::test
