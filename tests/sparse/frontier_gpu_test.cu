#include <gtest/gtest.h>

#include <algorithm>

#include "matching.hpp"
#include "oracle/generators.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

struct IsMultipleBody {
  Index of;
  TESSERA_HD bool operator()(Index v) const { return v % of == 0; }
};

void expect_the_hosts(Cuda const& device, Csr<double, Host> const& A) {
  auto const there = copied<double>(Host{}, A, device);
  auto const alone = ranks_with([](bool yes) { return yes; }, [](int) {});
  for (auto const& among : {std::vector<Index>(), some_vertices(A.rows)}) {
    auto const expected = matching(Host{}, A, nullptr, among);
    auto const at_once = matching(device, there, nullptr, among);
    EXPECT_EQ(at_once.mate, expected.mate);
    EXPECT_TRUE(at_once.run.one_kernel);
    auto const step_by_step = matching(device, there, &alone, among);
    EXPECT_EQ(step_by_step.mate, expected.mate);
    EXPECT_FALSE(step_by_step.run.one_kernel);
    EXPECT_EQ(step_by_step.run.rounds, expected.run.rounds);

    // Another rank runs more rounds than this rank's list needs. The first call of `any` agrees that all
    // ranks can begin.
    int more = expected.run.rounds + 7;
    auto const others = ranks_with([&](bool yes) { return --more > 0 || yes; }, [](int) {});
    auto const outlasted = matching(device, there, &others, among);
    EXPECT_EQ(outlasted.mate, expected.mate);
    EXPECT_EQ(outlasted.run.rounds, expected.run.rounds + 5);
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

TEST(CudaVertexLists, BeginWithThoseOfAListWhoseLengthTheHostHasNotAskedFor) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (std::size_t const n : {6, 60000}) {
    VertexLists<Cuda> const third(device, {n, n}, {}, IsMultipleBody{3});
    VertexLists<Cuda> sixth(device, {n, n}, third.subset(0), IsMultipleBody{2});
    EXPECT_EQ(sixth.most(0), n);
    ASSERT_EQ(sixth.size(0), n / 6);
    EXPECT_EQ(sixth.most(0), n / 6);
    auto found = core::to_vector(device, Span<Index const>(sixth.subset(0).list, n / 6));
    std::sort(found.begin(), found.end());
    for (std::size_t k = 0; k < n / 6; ++k) ASSERT_EQ(found[k], static_cast<Index>(6 * k));
  }
}

}  // namespace
}  // namespace Tessera::sparse
