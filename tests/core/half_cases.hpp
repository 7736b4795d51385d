#pragma once
/// \file
/// Numbers for tests of Half.
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "core/half.hpp"

namespace Tessera::test {

inline Half half_of(unsigned bits) {
  Half h;
  h.bits = static_cast<std::uint16_t>(bits);
  return h;
}

/// Of both signs, some of them halfway between two halves.
inline std::vector<double> numbers_to_round() {
  std::mt19937_64 random(5);
  std::vector<double> all;
  for (int k = 0; k < 200000; ++k) {
    auto const exponent = static_cast<int>(random() % 48) - 28;
    auto const significand = static_cast<double>(random() % 4096) + 0.25 * static_cast<double>(random() % 4);
    all.push_back(std::ldexp(random() % 2 == 0 ? significand : -significand, exponent - 11));
    all.push_back(std::ldexp(static_cast<double>(random()) - 0x1p63, exponent - 63));
  }
  return all;
}

}  // namespace Tessera::test
