#pragma once
/// \file
/// How many entries rows may have where the user leaves it to us (`fsai: max row size` = 0).
#include <algorithm>
#include <vector>

#include "core/types.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// A dense system of m rows takes m^3 / 3 multiply-adds. Rows stay as they are while all systems together
/// take no more than if each had so many rows; so a few may be long.
inline constexpr Index uncut_row_size = 160;
/// Else they are cut until all systems together take no more than if each had so many.
inline constexpr Index cut_row_size = 64;

TESSERA_HD inline double row_work(Index m) {
  return static_cast<double>(m) * m * m;
}

/// The largest bound of rows, from `size` to largest_row, with which all systems together take no more than
/// if each had `size` rows. count[m]: systems of m rows, m <= largest_row.
inline Index bound_of_sizes(std::vector<double> const& count, Index size) {
  double budget = 0, beyond = 0, work = 0;  // beyond: systems of more than m rows; work: of all others
  for (auto const systems : count) budget += systems * row_work(size), beyond += systems;
  Index bound = size;
  for (Index m = 1; m <= largest_row; ++m) {
    beyond -= count[m];
    work += count[m] * row_work(m);
    if (work + beyond * row_work(m) <= budget) bound = std::max(bound, m);
  }
  return bound;
}

/// That of a static pattern.
inline Index bound_of_static_rows(std::vector<double> const& count) {
  bool const cut = bound_of_sizes(count, uncut_row_size) < largest_row;
  return cut ? bound_of_sizes(count, cut_row_size) : largest_row;
}

}  // namespace Tessera::fsai
