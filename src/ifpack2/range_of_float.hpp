#pragma once
/// \file
/// How vectors are kept in the range of a preconditioner in float.
#include <algorithm>
#include <cmath>

namespace Tessera::ifpack2 {

/// The power of two that a vector is to be divided by where a cycle in float would leave float's range, else
/// 1. Entries: the largest of the vector and of the matrix, in magnitude.
inline double scale_for_float(double entry, double matrix) {
  constexpr double range = 1e30;
  auto const fits = [](double value) { return value > 1 / range && value < range; };
  if (entry == 0 || !std::isfinite(entry) || (fits(entry) && fits(entry / matrix))) return 1;
  constexpr int most = 1000;  // its inverse is a number, too
  return std::ldexp(1.0, std::clamp(std::ilogb(entry), -most, most));
}

}  // namespace Tessera::ifpack2
