#include "core/counting_sort.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/hash.hpp"
#include "support/threads.hpp"

namespace Tessera::core {
namespace {

// Keys: 0 -> c, 1 -> a, 2 -> none, 3 -> c, 4 -> a; no number has key b.
TEST(CountingSort, ListsTheNumbersOfEachKeyInOrder) {
  Index const key[] = {2, 0, -1, 2, 0};
  std::vector<Offset> offsets(4);
  auto const list = counting_sort(
      Host{}, 5, [&](Index i) { return key[i]; }, Span<Offset>(offsets.data(), offsets.size()));
  EXPECT_EQ(offsets, (std::vector<Offset>{0, 2, 2, 4}));
  EXPECT_EQ(std::vector<Index>(list.begin(), list.end()), (std::vector<Index>{1, 4, 0, 3}));
}

TEST(CountingSort, HasTheResultOfPlainLoopsForAnyThreads) {
  for (std::size_t const n : {0, 1, 4095, 4096, 70001}) {
    for (std::size_t const keys : {1, 7, 5000, 400000}) {
      auto const key_of = [=](Index i) { return static_cast<Index>(mix64(i) % (keys + 1)) - 1; };
      std::vector<std::vector<Index>> of_key(keys);
      for (std::size_t i = 0; i < n; ++i) {
        if (auto const key = key_of(static_cast<Index>(i)); key >= 0)
          of_key[key].push_back(static_cast<Index>(i));
      }
      std::vector<Index> expected, starts{0};
      for (auto const& list : of_key) {
        expected.insert(expected.end(), list.begin(), list.end());
        starts.push_back(static_cast<Index>(expected.size()));
      }
      for (int const threads : {1, 2, 3}) {
        std::vector<Index> offsets(keys + 1, -1);
        auto const list = testing::with_threads(threads, [&] {
          return counting_sort(Host{}, n, key_of, Span<Index>(offsets.data(), offsets.size()));
        });
        EXPECT_EQ(offsets, starts);
        EXPECT_EQ(std::vector<Index>(list.begin(), list.end()), expected);
      }
    }
  }
}

}  // namespace
}  // namespace Tessera::core
