#include <gtest/gtest.h>

#include <numeric>

#include "masked_operands.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

TEST(CudaMaskedProduct, IsTheHostsBitwise) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (auto const& c : masked_cases()) {
    auto const of = masked_operands(c);
    for (bool const planned : {true, false})
      EXPECT_TRUE(oracle::same_bits(masked(device, of, planned), masked(Host{}, of)))
          << c.nodes << " nodes, " << c.blocks.rows << " x " << c.blocks.width << ", " << c.ghosts
          << " ghosts, " << c.dropped << " % dropped" << (planned ? "" : ", without a plan");
  }
}

// A left row of many more entries than a stretch, and right rows of tens of thousands of blocks.
TEST(CudaMaskedProduct, VeryLongRowsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  constexpr Index length = 66001, blocks = 33000;
  std::vector<Index> all(length), column{0, 1, 10, 11, 2 * blocks - 2, 2 * blocks - 1};
  std::iota(all.begin(), all.end(), 0);
  std::vector<Offset> offsets{0, static_cast<Offset>(column.size())};
  for (Index j = 1; j < length; ++j) {
    for (Index c = 0; c < 2 * blocks; c += j == 1 || j == length - 1 ? 1 : 2 * blocks) column.push_back(c);
    if (column.size() % 2 != 0) column.push_back(1);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  auto const value = oracle::random_vector(column.size(), 3);
  MaskedOperands const of{oracle::make_csr(1, length, {0, length}, all, oracle::random_vector(length, 2)),
                          oracle::make_csr(length, 2 * blocks, offsets, column, value),
                          {1, 2}};
  EXPECT_TRUE(oracle::same_bits(masked(core::make_cuda(), of), masked(Host{}, of)));
}

}  // namespace
}  // namespace Tessera::sparse
