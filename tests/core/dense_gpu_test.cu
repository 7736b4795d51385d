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
