#include "sparse/engine/row_select.hpp"

#include <gtest/gtest.h>

#include "selection.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

TEST(RowSelect, DecidesEachEntryOnceAndTakesThemInOrderForAnyThreads) {
  for (auto const& rows : many_rows()) {
    auto const expected = selected_by_loops(rows);
    for (int const threads : {1, 2, 3}) {
      auto const found = testing::with_threads(threads, [&] { return selected(Host{}, rows); });
      EXPECT_EQ(found.offsets, expected.offsets);
      EXPECT_EQ(found.row, expected.row);
      EXPECT_EQ(found.number, expected.number);
      EXPECT_EQ(found.decided, expected.decided);
      EXPECT_EQ(found.row_of_entry, expected.row_of_entry);
    }
  }
}

}  // namespace
}  // namespace Tessera::sparse
