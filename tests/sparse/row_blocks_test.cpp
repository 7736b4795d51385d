#include "sparse/engine/row_blocks_host.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <vector>

#include "core/error.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

TEST(RowBlocks, CoverEveryRowOnce) {
  for (Index rows : {0, 1, 15, 16, 17, 1000, 40000}) {
    for (int threads : {1, 2, 3}) {
      std::vector<int> visits(rows, 0);
      testing::with_threads(threads, [&] {
        for_row_blocks(rows, [&] {
          return [&](Index begin, Index end) {
            for (Index i = begin; i < end; ++i) ++visits[i];
          };
        });
      });
      EXPECT_EQ(visits, std::vector<int>(rows, 1)) << rows << " rows, " << threads << " threads";
    }
  }
}

TEST(RowBlocks, ThrowWhatAThreadThrew) {
  for (int threads : {1, 2, 3}) {
    auto const work = [&] {
      for_row_blocks(40000, [&] {
        return [&](Index begin, Index end) {
          if (begin <= 777 && 777 < end) throw core::OutOfMemory("host", 1, 2, 3);
        };
      });
    };
    EXPECT_THROW(testing::with_threads(threads, work), core::OutOfMemory) << threads;
  }
}

TEST(RowBlocks, ThrowWhatAWorkersConstructionThrew) {
  auto const work = [] {
    for_row_blocks(40000, [] {
      throw std::runtime_error("no table");
      return [](Index, Index) {};
    });
  };
  EXPECT_THROW(testing::with_threads(2, work), std::runtime_error);
}

}  // namespace
}  // namespace Tessera::sparse
