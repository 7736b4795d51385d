#include "core/array.hpp"

#include <gtest/gtest.h>

#include "support/device.hpp"

namespace Tessera::core {
namespace {

// The large one goes through the ring of pinned buffers.
TEST(TransferBytesOnTheGpu, EachCopyIsCountedOnceAndInItsDirection) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const space = test::device_of_rank();
  for (std::size_t const size : {std::size_t{3}, std::size_t{3} << 20}) {
    std::vector<double> const values(size, 2.5);
    auto const start = transferred_bytes();
    auto const there = to_space(space, values);
    auto const up = transferred_bytes();
    EXPECT_EQ((up - start).to_device, size * sizeof(double));
    EXPECT_EQ((up - start).to_host, 0u);
    auto const copy = copied(space, there.view(), space);
    EXPECT_EQ((transferred_bytes() - up).to_device, 0u);
    EXPECT_EQ(to_vector(space, copy.view()), values);
    EXPECT_EQ((transferred_bytes() - up).to_device, 0u);
    EXPECT_EQ((transferred_bytes() - up).to_host, size * sizeof(double));
  }
}

}  // namespace
}  // namespace Tessera::core
