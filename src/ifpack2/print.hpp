#pragma once
/// \file
/// Numbers as describe() prints them.
#include <cstdio>
#include <string>

namespace Tessera::ifpack2 {

/// As printf does, at most 63 characters.
template <class... Arguments>
std::string formatted(char const* format, Arguments... arguments) {
  char text[64];
  std::snprintf(text, sizeof text, format, arguments...);
  return text;
}

/// Such as: 1.5 MiB.
inline std::string bytes(std::size_t count) {
  if (count < 10000) return formatted("%zu B", count);
  double value = static_cast<double>(count) / 1024;
  char const* const units[] = {"KiB", "MiB", "GiB", "TiB"};
  int unit = 0;
  for (; value >= 1000 && unit < 3; ++unit) value /= 1024;
  return formatted("%.1f %s", value, units[unit]);
}

}  // namespace Tessera::ifpack2
