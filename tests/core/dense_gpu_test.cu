#include "core/device.hpp"
#include "dense_cases.hpp"
#include "support/device.hpp"

namespace Tessera::test {
namespace {

TEST(CudaDense, ProductsAreThoseOfTheDefinition) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  expect_exact_products<double>(device);
  expect_exact_products<float>(device);
}

TEST(CudaDense, ProductsAreSummedByLanesBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  expect_products_by_lanes<double>(device);
  expect_products_by_lanes<float>(device);
}

TEST(CudaDense, InversesAreTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (int const n : {1, 2, 31, 32, 33, 64, 100, 500, 900}) {
    auto here = wild(n), there = here;
    ASSERT_TRUE(negate_inverse(Host{}, here, n));
    ASSERT_TRUE(negate_inverse(device, there, n));
    EXPECT_EQ(here, there) << n << " rows";
  }
}

TEST(CudaDense, AnInverseTimesItsMatrixIsTheIdentity) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  expect_inverses(core::make_cuda());
}

TEST(CudaDense, AMatrixWithoutAnInverseIsFound) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  expect_no_inverses(core::make_cuda());
}

}  // namespace
}  // namespace Tessera::test
