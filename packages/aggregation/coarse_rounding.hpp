#pragma once
/// \file
/// Values that decide anything are rounded first.
#include <cstdint>
#include <cstring>

#include "core/types.hpp"

namespace Tessera::aggregation {

/// x >= 0 to 12 significant bits. Coarse matrices differ by rounding errors from one number of ranks to
/// another; what is nominally equal must stay equal, and must fall on the same side of a threshold. So x is
/// rounded up from a fraction of 0.381966 = (3 - sqrt 5)/2 of the last bit on: ratios of small integers,
/// which regular problems are full of, keep away from the golden section best of all numbers (Hurwitz),
/// whereas one half is where they meet.
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
