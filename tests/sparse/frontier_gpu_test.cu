#include <gtest/gtest.h>

#include "matching.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

void expect_the_hosts(Cuda const& device, Csr<double, Host> const& A) {
  auto const there = copied<double>(Host{}, A, device);
  FrontierRanks const alone{[](bool yes) { return yes; }, [](int) {}};
  for (auto const& among : {std::vector<Index>(), some_vertices(A.rows)}) {
    auto const expected = matching(Host{}, A, nullptr, among);
    auto const at_once = matching(device, there, nullptr, among);
    EXPECT_EQ(at_once.mate, expected.mate);
    EXPECT_TRUE(at_once.run.one_kernel);
    auto const step_by_step = matching(device, there, &alone, among);
    EXPECT_EQ(step_by_step.mate, expected.mate);
    EXPECT_FALSE(step_by_step.run.one_kernel);
    EXPECT_EQ(step_by_step.run.rounds, expected.run.rounds);

    // Another rank goes on for longer than this one's list turns.
    int more = expected.run.rounds + 7;
    FrontierRanks const others{[&](bool yes) { return --more > 0 || yes; }, [](int) {}};
    auto const outlasted = matching(device, there, &others, among);
    EXPECT_EQ(outlasted.mate, expected.mate);
    EXPECT_EQ(outlasted.run.rounds, expected.run.rounds + 6);
  }
}

TEST(CudaFrontier, MatchesAsTheHostDoesInOneKernelAndStepByStep) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  expect_the_hosts(device, oracle::laplace(1));
  expect_the_hosts(device, oracle::laplace(5));
  expect_the_hosts(device, oracle::laplace(300, 250));
  expect_the_hosts(device, oracle::laplace(1100, 1000));  // longer than a short list
  expect_the_hosts(device, oracle::random_spd(300, 30, 2));
  expect_the_hosts(device, oracle::random_spd(20000, 9, 4));
}

}  // namespace
}  // namespace Tessera::sparse
