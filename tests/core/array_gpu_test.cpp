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

// Copies of all lengths: many in one pinned buffer, at its end, often around the ring, and in pieces of
// several threads, the last piece short. The test overwrites the source at once.
TEST(CopiesToTheGpu, DoNotNeedTheirSourceAfterTheyReturn) {
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

TEST(CopiesToTheGpu, OfManyPiecesRunInTheOrderOfTheStream) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const device = test::device_of_rank();
  constexpr std::size_t size = (std::size_t{11} << 20) + 3;
  Array<int, Cuda> there(device, size), copy_on_device(device, size);
  for (int turn = 0; turn < 6; ++turn) {
    auto source = numbers(size, turn);
    auto const expected = source;
    copy(Host{}, Span<int const>(source.data(), size), device, there.span());
    std::fill(source.begin(), source.end(), 0);
    copy(device, Span<int const>(there.view()), device, copy_on_device.span());
    std::vector<int> const next(size, turn);
    copy(Host{}, Span<int const>(next.data(), size), device, there.span());
    EXPECT_TRUE(to_vector(device, copy_on_device.view()) == expected) << turn;
    EXPECT_TRUE(to_vector(device, there.view()) == next) << turn;
  }
}

// The large array goes through the ring of pinned buffers.
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
