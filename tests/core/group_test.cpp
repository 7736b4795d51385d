#include "core/group.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "group_bodies.hpp"
#include "support/threads.hpp"

namespace Tessera::core {
namespace {

/// The results of EveryCollective, by plain loops.
std::vector<double> found_by_loops(std::vector<Offset> const& offsets) {
  auto const n = offsets.size() - 1;
  std::vector<double> sum, largest_at, odd, any_zero, first, chosen, digits;
  for (std::size_t i = 0; i < n; ++i) {
    std::int64_t total = 0, largest = -1;
    double at = -1, odds = 0, zero = 0;
    std::vector<double> kept, by_digit(10, 0.0);
    for (auto e = offsets[i]; e < offsets[i + 1]; ++e) {
      auto const x = element(e);
      total += x;
      if (x == 0) zero = 1;
      if (x > largest) at = static_cast<double>(e - offsets[i]);
      largest = std::max(largest, x);
      if (x % 2 == 1) kept.push_back(static_cast<double>(x));
      by_digit[x % 10] += 1.0 / static_cast<double>(x + 1);
    }
    odds = static_cast<double>(kept.size());
    kept.resize(offsets[i + 1] - offsets[i], -1);
    sum.push_back(static_cast<double>(total));
    largest_at.push_back(at);
    odd.push_back(odds);
    any_zero.push_back(zero);
    first.push_back(offsets[i] == offsets[i + 1] ? -1.0 : static_cast<double>(element(offsets[i])));
    chosen.insert(chosen.end(), kept.begin(), kept.end());
    digits.insert(digits.end(), by_digit.begin(), by_digit.end());
  }
  for (auto const* more : {&largest_at, &odd, &any_zero, &first, &chosen, &digits})
    sum.insert(sum.end(), more->begin(), more->end());
  return sum;
}

TEST(Groups, OnTheHostHaveTheResultsOfLoops) {
  for (Offset const longest : {0, 3, 100}) {
    auto const lists = lists_up_to(longest);
    auto const expected = found_by_loops(lists);
    for (int const threads : {1, 2, 3}) {
      auto const found = [&](auto const& go) {
        return testing::with_threads(threads, [&] { return found_by_groups(Host{}, lists, go); });
      };
      EXPECT_EQ(found([](std::size_t n, std::size_t work, auto const& body) {
                  for_each_group(Host{}, n, work, body);
                }),
                expected);
      EXPECT_EQ(found([](std::size_t n, std::size_t, auto const& body) {
                  for_each_group(Host{}, n, GroupShape<32, 128>{}, body);
                }),
                expected);
    }
  }
}

}  // namespace
}  // namespace Tessera::core
