#include "core/array.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "core/hash.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

std::vector<int> numbers(std::size_t size, int seed) {
  std::vector<int> result(size);
  for (std::size_t i = 0; i < size; ++i) result[i] = static_cast<int>(mix64(i * 97 + seed));
  return result;
}

// Copies of all lengths: many in one pinned buffer, at its end, often round the ring, and pieces of several
// threads, the last of them short.
// Whoever copies writes to the source again at once.
TEST(CopiesToTheGpu, AreDoneWithTheirSourceWhenTheyReturn) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  constexpr std::size_t largest = 5 << 20;
  std::vector<int> source(largest);
  std::vector<Array<int, Cuda>> there;
  std::vector<std::size_t> const sizes{1,     3,      64,      1000,          65535,  65536,
                                       65537, 300000, 1 << 20, (3 << 19) + 1, largest};
  constexpr int turns = 12;
  for (int k = 0; k < turns; ++k) {
    for (auto const size : sizes) {
      auto const next = numbers(size, k);
      std::copy(next.begin(), next.end(), source.begin());
      there.emplace_back(device, size);
      copy(Host{}, Span<int const>(source.data(), size), device, there.back().span());
    }
    if (k % 4 == 3) {
      EXPECT_EQ(to_vector(device, there.back().view()), numbers(sizes.back(), k));  // by the same buffers
    }
  }
  for (int k = 0, at = 0; k < turns; ++k) {
    for (auto const size : sizes)
      EXPECT_EQ(to_vector(device, there[at++].view()), numbers(size, k)) << k << ' ' << size;
  }
}

// What one thread does at a time follows what the stream has been given, and is followed by it.
TEST(CopiesToTheGpu, OfManyPiecesAreInTheOrderOfTheStream) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  constexpr std::size_t size = (std::size_t{11} << 20) + 3;
  Array<int, Cuda> there(device, size), copy_of_it(device, size);
  for (int turn = 0; turn < 6; ++turn) {
    auto source = numbers(size, turn);
    auto const expected = source;
    copy(Host{}, Span<int const>(source.data(), size), device, there.span());
    std::fill(source.begin(), source.end(), 0);
    copy(device, Span<int const>(there.view()), device, copy_of_it.span());
    std::vector<int> const next(size, turn);
    copy(Host{}, Span<int const>(next.data(), size), device, there.span());
    EXPECT_TRUE(to_vector(device, copy_of_it.view()) == expected) << turn;
    EXPECT_TRUE(to_vector(device, there.view()) == next) << turn;
  }
}

}  // namespace
}  // namespace Tessera::core
