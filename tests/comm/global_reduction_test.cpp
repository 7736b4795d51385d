#include "comm/global_reduction.hpp"

#include <gtest/gtest.h>

#include "global_reduction_cases.hpp"

namespace Tessera {
namespace {

TEST(GlobalReduction, ReductionsAreThoseOfTheirPartsInRankOrder) {
  constexpr int times = 4;
  auto const comm = test::world();
  for (auto const share : test::all_shares) {
    auto const rows = test::share_rows(comm, share, 3000);
    auto const found = test::reductions(Host{}, rows, times);
    for (int k = 0; k < times; ++k) {
      double sum = 0, largest = 0;
      for (int r = 0; r < comm.size(); ++r) {
        test::UniformBody const body{rows.begin(r), k};
        auto const n = static_cast<std::size_t>(rows.begin(r + 1) - rows.begin(r));
        sum += core::reduce(Host{}, n, body, core::Plus{}, 0.0);
        for (std::size_t i = 0; i < n; ++i) largest = std::max(largest, body(static_cast<Index>(i)));
      }
      EXPECT_EQ(found[k], sum);
      EXPECT_EQ(found[times + 2 * k], sum);
      EXPECT_EQ(found[times + 2 * k + 1], largest);
    }
  }
}

}  // namespace
}  // namespace Tessera
