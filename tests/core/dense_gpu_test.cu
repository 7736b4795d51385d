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

/// S <- -S^-1; whether that was so.
bool negate_inverse(Cuda const& device, std::vector<double>& S, int n) {
  auto matrix = core::to_space(device, S);
  Array<int, Cuda> regular(device, 1);
  core::Dense<Cuda>::negate_inverse(device, matrix.span(), n, 1e-12, regular.data());
  S = core::to_vector(device, matrix.view());
  return core::to_vector(device, regular.view()).front() != 0;
}

TEST(CudaDense, AnInverseTimesItsMatrixIsTheIdentity) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (int const n : {1, 2, 31, 32, 33, 64, 200, 600}) {
    auto const S = coupled(n, 0.5);
    auto inverse = S;
    ASSERT_TRUE(negate_inverse(device, inverse, n)) << n << " rows";
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double sum = 0;
        for (int k = 0; k < n; ++k) sum -= S[i + k * n] * inverse[k + j * n];
        EXPECT_NEAR(sum, i == j ? 1 : 0, 1e-12) << n << " rows, entry " << i << ", " << j;
      }
    }
  }
}

TEST(CudaDense, AMatrixWithoutAnInverseIsFound) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (int const n : {2, 33, 100}) {
    auto S = coupled(n, n);
    EXPECT_FALSE(negate_inverse(device, S, n)) << n << " rows";
  }
}

}  // namespace
}  // namespace Tessera::test
