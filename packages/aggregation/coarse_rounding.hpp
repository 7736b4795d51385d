#pragma once
/// \file
/// Rounding of values before they are compared.
#include <cstdint>
#include <cstring>

#include "core/types.hpp"

namespace Tessera::aggregation {

/// A coupling of at most this size, relative to the diagonals, counts as zero to rounding.
constexpr double negligible = 1e-12;

/// Rounds x >= 0 to 12 significant bits. Coarse matrices on different numbers of ranks differ by rounding
/// errors. Values that are equal in exact arithmetic must stay equal and must fall on the same side of a
/// threshold. Therefore x is rounded up from the fraction 0.381966 = (3 - sqrt 5)/2 of the last bit on, not
/// from one half. Regular problems have ratios of small integers. Such ratios often are one half, and they
/// approximate the golden section worst of all numbers (Hurwitz).
TESSERA_HD inline double coarsely_rounded(double x) {
  constexpr std::uint64_t unit = std::uint64_t{1} << 41;
  constexpr auto offset = static_cast<std::uint64_t>(0.6180339887498949 * static_cast<double>(unit));
  std::uint64_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  bits = (bits + offset) & ~(unit - 1);
  std::memcpy(&x, &bits, sizeof bits);
  return x;
}

}  // namespace Tessera::aggregation
