#include "core/half.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "half_cases.hpp"

namespace Tessera {
namespace {

/// The definition of binary16, without bit operations on floats.
double value_of(unsigned bits) {
  double const sign = bits >> 15 ? -1 : 1, significand = bits & 1023U;
  int const exponent = static_cast<int>(bits >> 10 & 31U);
  if (exponent == 31) return significand == 0 ? sign * HUGE_VAL : std::nan("");
  return exponent == 0 ? std::ldexp(sign * significand, -24)
                       : std::ldexp(sign * (1024 + significand), exponent - 25);
}

/// Rounded by the processor, in double: to a multiple of the last bit.
double rounded(double x) {
  double const last = std::ldexp(1.0, std::max(std::ilogb(x), -14) - 10);
  double const y = std::nearbyint(x / last) * last;
  return std::abs(y) > 65504 ? std::copysign(HUGE_VAL, x) : y;
}

TEST(Half, AllValuesAreThoseOfTheDefinitionAndRoundToThemselves) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    Half const h = test::half_of(bits);
    auto const value = value_of(bits);
    if (std::isnan(value)) {
      EXPECT_TRUE(std::isnan(static_cast<float>(h))) << bits;
      EXPECT_TRUE(std::isnan(static_cast<float>(Half(value)))) << bits;
      continue;
    }
    EXPECT_EQ(static_cast<float>(h), value) << bits;
    EXPECT_EQ(std::signbit(static_cast<float>(h)), bits >= 32768) << bits;
    EXPECT_EQ(Half(value).bits, bits);
  }
}

TEST(Half, NumbersBetweenTwoRoundToTheNearestAndTiesToEven) {
  for (unsigned bits = 0; bits < 0x7bff; ++bits) {
    double const low = value_of(bits), high = value_of(bits + 1), middle = (low + high) / 2;
    for (double const sign : {1.0, -1.0}) {
      unsigned const negative = sign < 0 ? 32768 : 0;
      EXPECT_EQ(Half(sign * middle).bits, negative + bits + bits % 2);
      EXPECT_EQ(Half(sign * std::nextafter(middle, 0.0)).bits, negative + bits);
      EXPECT_EQ(Half(sign * std::nextafter(middle, 1e9)).bits, negative + bits + 1);
    }
  }
}

TEST(Half, NumbersBeyondTheRangeAreInfiniteAndTinyOnesZero) {
  EXPECT_EQ(Half(std::nextafter(65520.0, 0.0)).bits, 0x7bff);
  for (double const x : {65520.0, 1e5, 1e300, HUGE_VAL}) {
    EXPECT_EQ(Half(x).bits, 0x7c00);
    EXPECT_EQ(Half(-x).bits, 0xfc00);
  }
  for (double const x : {0.0, 5e-324, 1e-300, std::ldexp(1.0, -25)}) EXPECT_EQ(Half(x).bits, 0);
  EXPECT_EQ(Half(std::nextafter(std::ldexp(1.0, -25), 1.0)).bits, 1);
}

TEST(Half, RandomNumbersRoundAsTheProcessorRounds) {
  for (double const x : test::numbers_to_round()) EXPECT_EQ(static_cast<float>(Half(x)), rounded(x)) << x;
}

TEST(Half, TowardsZeroTheMagnitudeDoesNotGrow) {
  for (double const x : test::numbers_to_round()) {
    auto const h = core::half_towards_zero(x);
    double const last = std::ldexp(1.0, std::max(std::ilogb(x), -14) - 10);
    double const y = std::min(std::trunc(std::abs(x) / last) * last, 65504.0);
    EXPECT_EQ(static_cast<float>(h), std::copysign(y, x)) << x;
  }
  for (double const tiny : {0.0, 1e-9, 1e-300}) {
    EXPECT_EQ(core::half_towards_zero(tiny).bits, 0);
    EXPECT_EQ(core::half_towards_zero(-tiny).bits % 0x8000, 0);
  }
}

TEST(Half, DigitsAreRoundedInAnyRange) {
  for (double const x : test::numbers_to_round()) {
    double const last = x == 0 ? 1 : std::ldexp(1.0, std::ilogb(x) - 10);
    for (int const exponent : {0, 300, -300})
      EXPECT_EQ(core::rounded_to_half_digits(std::ldexp(x, exponent)),
                std::ldexp(std::nearbyint(x / last) * last, exponent));
  }
}

TEST(HalfExponent, TheLargestEntryIsNearTheTopAndComesBackAtTheSamePlace) {
  for (int const exponent : {-125, -100, -60, -1, 0, 1, 40, 127}) {
    for (double const significand : {1.0, 1.5, 1.9995, 1.9998, std::nextafter(2.0, 0.0)}) {
      double const largest = std::ldexp(significand, exponent);
      auto const e = core::half_exponent(largest);
      double const scale = core::half_scale(e);
      auto const stored = static_cast<float>(Half(largest / scale));
      EXPECT_TRUE(stored >= 16384 || exponent < -110) << largest;
      EXPECT_LT(stored, 32768) << largest;
      EXPECT_EQ(core::half_exponent(stored * scale), e) << largest;
    }
  }
  EXPECT_EQ(core::half_scale(core::half_exponent(0)), std::ldexp(1.0F, -125));
}

}  // namespace
}  // namespace Tessera
