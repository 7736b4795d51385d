#include "galerkin/shared_rows_body.hpp"

#include <gtest/gtest.h>

namespace Tessera {
namespace {

using galerkin::EntryKey;

TEST(EntryKey, AscendsWithTheRowThenWithTheColumn) {
  EntryKey const key(40, 1000);
  std::uint64_t last = 0;
  for (Index row = 0; row < 40; ++row) {
    for (GlobalIndex column = row == 0 ? 1 : 0; column < 1000; ++column) {
      auto const now = key(row, column);
      ASSERT_GT(now, last);
      ASSERT_EQ(key.column(now), column);
      last = now;
    }
  }
  EXPECT_GE(key.largest(), last);
}

TEST(EntryKey, RowsAndColumnsThatDoNotFitAreRefused) {
  EXPECT_NO_THROW(EntryKey(2147483647, (GlobalIndex{1} << 33) - 1));
  EXPECT_THROW(EntryKey(2147483647, GlobalIndex{1} << 33), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera
