#include "core/hash.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace Tessera::core {
namespace {

constexpr std::uint64_t below62 = (std::uint64_t{1} << 62) - 1;

/// The inverse of an odd number modulo 2^64, by Newton's iteration.
std::uint64_t inverse(std::uint64_t odd) {
  std::uint64_t x = odd;
  for (int step = 0; step < 6; ++step) x *= 2 - odd * x;
  return x;
}

/// The inverse of x ^ (x >> shift) for words of 64 bits.
std::uint64_t unshift(std::uint64_t x, int shift) {
  auto result = x;
  for (int done = shift; done < 64; done += shift) result = x ^ (result >> shift);
  return result;
}

std::uint64_t unmix64(std::uint64_t x) {
  x = unshift(x, 31) * inverse(0x94d049bb133111ebull);
  x = unshift(x, 27) * inverse(0xbf58476d1ce4e5b9ull);
  return unshift(x, 30);
}

std::uint64_t unmix62(std::uint64_t x, std::uint64_t round) {
  x = unshift(x, 31) * inverse(0x94d049bb133111ebull) & below62;
  x = unshift(x, 27) * inverse(0xbf58476d1ce4e5b9ull) & below62;
  return unshift(x, 31) ^ (mix64(round) & below62);
}

TEST(Mix64, HasAnInverse) {
  for (std::uint64_t i = 0; i < 100000; ++i) {
    auto const x = i < 50000 ? i : i * 0x9e3779b97f4a7c15ull;
    ASSERT_EQ(unmix64(mix64(x)), x);
    ASSERT_EQ(mix64(unmix64(x)), x);
  }
}

TEST(Mix62, IsABijectionOfTheNumbersBelowTwoToThe62InEveryRound) {
  for (std::uint64_t round : {0ull, 1ull, 2ull, 77ull, ~0ull}) {
    for (std::uint64_t i = 0; i < 20000; ++i) {
      auto const id = i < 10000 ? i : (i * 0x9e3779b97f4a7c15ull & below62);
      auto const mixed = mix62(static_cast<VertexId>(id), round);
      ASSERT_LE(mixed, below62);
      ASSERT_EQ(unmix62(mixed, round), id);
    }
  }
}

TEST(Mix62, RoundsAreDifferentOrders) {
  int swapped = 0;
  for (VertexId id = 0; id < 1000; ++id) {
    bool const first = mix62(2 * id, 1) < mix62(2 * id + 1, 1);
    bool const second = mix62(2 * id, 2) < mix62(2 * id + 1, 2);
    swapped += first != second ? 1 : 0;
  }
  EXPECT_GT(swapped, 400);
  EXPECT_LT(swapped, 600);
}

TEST(Mix64, FlipsHalfOfTheBitsWhenOneBitChanges) {
  for (int bit = 0; bit < 64; ++bit) {
    int flipped = 0;
    for (std::uint64_t i = 1; i <= 200; ++i) {
      flipped += __builtin_popcountll(mix64(i) ^ mix64(i ^ (std::uint64_t{1} << bit)));
    }
    EXPECT_NEAR(flipped / 200.0, 32, 3) << bit;
  }
}

TEST(Uniform, HasMomentsOfTheUniformDistribution) {
  int const n = 100000;
  double mean = 0, square = 0, smallest = 1, largest = -1;
  for (int i = 0; i < n; ++i) {
    auto const u = uniform(i, 3);
    mean += u / n;
    square += u * u / n;
    smallest = std::min(smallest, u);
    largest = std::max(largest, u);
  }
  EXPECT_NEAR(mean, 0, 0.01);
  EXPECT_NEAR(square, 1.0 / 3, 0.01);
  EXPECT_GE(smallest, -1);
  EXPECT_LT(largest, 1);
  EXPECT_LT(smallest, -0.999);
  EXPECT_GT(largest, 0.999);
}

TEST(Uniform, NeighboursAreUncorrelated) {
  double correlation = 0;
  int const n = 100000;
  for (int i = 0; i < n; ++i) correlation += uniform(i, 5) * uniform(i + 1, 5) / n;
  EXPECT_NEAR(correlation, 0, 0.01);
}

}  // namespace
}  // namespace Tessera::core
