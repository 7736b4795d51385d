#include <gtest/gtest.h>

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

}  // namespace
}  // namespace Tessera::sparse
