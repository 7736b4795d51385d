#include <gtest/gtest.h>

#include "selection.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

TEST(CudaRowSelect, SelectsWhatTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = core::make_cuda();
  for (auto const& rows : many_rows()) {
    auto const expected = selected(Host{}, rows), found = selected(device, rows);
    EXPECT_EQ(found.offsets, expected.offsets);
    EXPECT_EQ(found.row, expected.row);
    EXPECT_EQ(found.number, expected.number);
    EXPECT_EQ(found.decided, expected.decided);
    EXPECT_EQ(found.row_of_entry, expected.row_of_entry);
  }
}

}  // namespace
}  // namespace Tessera::sparse
