#include <gtest/gtest.h>

#include "masked_operands.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

// [ 2 3 ]   [ 5 .  ]   [ 13 .  ]  the 21 that the second row of U brings to [ . 4 ] x [ 1 7  ] = [ 4  28 ]
// the first row is outside of the mask
TEST(MaskedProduct, LeavesOutWhatIsBesideTheMask) {
  auto A = oracle::make_csr(2, 2, {0, 2, 3}, {0, 1, 1}, {2, 3, 4});
  auto U = oracle::make_csr(2, 2, {0, 1, 3}, {0, 0, 1}, {5, 1, 7});
  EXPECT_EQ(masked(Host{}, {std::move(A), std::move(U), {}}), (std::vector<double>{13, 4, 28}));
}

/// By dense rows of U.
std::vector<double> reference(MaskedOperands const& of) {
  std::vector<double> result;
  auto const U = oracle::to_dense(of.U.view());
  for (Index i = 0; i < of.rows(); ++i) {
    for (auto s = of.U.offsets[i]; s < of.U.offsets[i + 1]; ++s) {
      double sum = 0;
      for (auto k = of.A.offsets[i]; k < of.A.offsets[i + 1]; ++k)
        sum += of.A.value[k] * U(of.A.column[k], of.U.column[s]);
      result.push_back(sum);
    }
  }
  return result;
}

TEST(MaskedProduct, IsTheReferencesOnAnyNumberOfThreads) {
  for (auto const& c : masked_cases()) {
    auto const of = masked_operands(c);
    auto const expected = reference(of);
    for (int const threads : {1, 3}) {
      for (bool const planned : {true, false})
        EXPECT_EQ(testing::with_threads(threads, [&] { return masked(Host{}, of, planned); }), expected);
    }
  }
}

// More columns than a dense table has.
TEST(MaskedProduct, FindsColumnsInHashTables) {
  Index const most = Index{1} << 25;
  auto const A = [] { return oracle::make_csr(2, 2, {0, 2, 3}, {0, 1, 1}, {2, 3, 4}); };
  auto U = oracle::make_csr(2, most + 1, {0, 1, 3}, {7, 7, most}, {5, 1, 7});
  EXPECT_EQ(masked(Host{}, {A(), std::move(U), {}}), (std::vector<double>{13, 4, 28}));
}

}  // namespace
}  // namespace Tessera::sparse
