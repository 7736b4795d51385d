#pragma once
/// \file
/// How many entries rows may have where the user leaves it to us (`fsai: max row size` = 0).
#include <algorithm>
#include <vector>

#include "core/types.hpp"
#include "fsai/parameters.hpp"

namespace Tessera::fsai {

/// A dense system of m rows takes m^3 / 3 multiply-adds, and all of them together shall take no more than if
/// each had so many rows. So few long rows stay as they are, and of many long ones all are cut.
inline constexpr Index usual_row_size = 160;

TESSERA_HD inline double row_work(Index m) {
  return static_cast<double>(m) * m * m;
}

/// The largest bound, from usual_row_size to largest_row, that keeps to that. count[m]: systems of m rows, m
/// <= largest_row.
inline Index bound_of_sizes(std::vector<double> const& count) {
  double budget = 0, beyond = 0, work = 0;  // beyond: systems of more than m rows; work: of all others
  for (auto const systems : count) budget += systems * row_work(usual_row_size), beyond += systems;
  Index bound = usual_row_size;
  for (Index m = 1; m <= largest_row; ++m) {
    beyond -= count[m];
    work += count[m] * row_work(m);
    if (work + beyond * row_work(m) <= budget) bound = std::max(bound, m);
  }
  return bound;
}

}  // namespace Tessera::fsai
