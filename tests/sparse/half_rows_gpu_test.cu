#include <gtest/gtest.h>

#include "half_rows.hpp"
#include "in_runs.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

TEST(HalfRowsOnTheGpu, ProductsInEachFormatAreBitwiseThoseOfRoundedEntries) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda(0);
  auto matrices = test::matrices_for_half();
  matrices.push_back(test::brick(41));  // in runs
  matrices.push_back(oracle::laplace(70, 50, 60));
  matrices.push_back(test::stencil_with_gaps());
  for (auto k : {1, 2, 3}) {
    for (auto& a : matrices[matrices.size() - k].value) a /= 3;
  }
  for (auto const& A : matrices) test::expect_products_of_rounded(device, A);
  for (auto const& A : test::square_matrices_for_half()) test::expect_products_of_rounded(device, A, true);
}

}  // namespace
}  // namespace Tessera::sparse
