#pragma once
/// \file
/// What can be drawn of the list that has won: its aggregates and the error that it reduces least.
#include <string>
#include <utility>
#include <vector>

#include "cli/drawn_nodes.hpp"
#include "cli/measure.hpp"

namespace Tessera::cli {

/// The drawn nodes and what is known of each; of rank 0.
struct WinnerAtNodes {
  static constexpr std::size_t most_nodes = 2500;
  static constexpr int cycles = 15, measured_cycles = 5;

  std::string list;     ///< its name; empty: none has won
  std::string missing;  ///< why nothing can be drawn; empty: it can
  DrawnNodes drawn;
  std::vector<std::pair<int, int>> couplings;  ///< between drawn nodes, by their places, each once
  std::vector<GlobalIndex> aggregate;          ///< -1: in none; empty: the method has none
  GlobalIndex aggregates = 0;                  ///< of all nodes
  /// What `cycles` of x <- x - M^-1 A x leave of a random x: a value, or the length of several unknowns'.
  std::vector<double> error;  ///< empty: next to nothing is left
  bool has_sign = false;
  double rate = 0;  ///< what one of the last cycles leaves
};

/// Sets the winner up once more. Collective.
WinnerAtNodes look_at_winner(LinearSystem const& system, std::vector<Measurement> const& lists);

/// Two pictures and what they show; HTML. Empty where no list has won.
std::string winner_charts(WinnerAtNodes const& winner);

}  // namespace Tessera::cli
