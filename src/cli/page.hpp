#pragma once
/// \file
/// A comparison as one page of HTML that needs no network, no scripts and no other files. Without Trilinos.
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/report.hpp"
#include "core/types.hpp"

namespace Tessera::cli {

// The residuals.

/// The horizontal axis.
enum class Abscissa {
  iterations,
  seconds  ///< the smallest setup, then the smallest solve, divided evenly among its iterations
};

/// An SVG with the history of each list that has not failed, in the colours of html.hpp by its place in
/// `ranking`, on a logarithmic scale. A dot at the end is the true residual: full if the list converged.
/// Lines mark the tolerance and the rounding level of the list with the least residual. The width fits the
/// lists that converged; the curves of the other lists are cut there.
std::string residual_chart(std::vector<Measurement const*> const& ranking, Abscissa abscissa,
                           double tolerance);

// The couplings.

/// The strengths |a_ij| / sqrt(a_ii a_jj) of the couplings between nodes of the finest matrix, as
/// aggregation::strength() has them, counted from both ends.
struct CouplingStrengths {
  static constexpr int lowest_decade = -12, highest_decade = 1, bins_of_decade = 4;
  std::vector<long long> bins;  ///< from 1e-12 to 10 on a logarithmic scale; the last has larger ones too
  long long couplings = 0;      ///< in all bins
  std::map<double, long long> below;  ///< by drop tolerance, the couplings that it drops
  /// By drop tolerance, the lists that compare such strengths with it.
  std::map<double, std::vector<std::string>> lists;
  std::string trouble;  ///< why the strengths are unknown; empty: they are known
};

/// HTML: an SVG of the bins with the tolerances as lines, and a sentence on each.
std::string coupling_chart(CouplingStrengths const& strengths);

// The nodes.

/// At most the first three coordinates of each node.
struct Points {
  int dimension = 0;
  std::vector<double> coordinates;  ///< points x dimension, row-major
  std::size_t count() const {
    return dimension == 0 ? 0 : coordinates.size() / static_cast<std::size_t>(dimension);
  }
  double at(std::size_t point, int axis) const { return coordinates[point * dimension + axis]; }
};

struct DrawnNodes {
  std::vector<int> node;     ///< ascending
  std::vector<double> x, y;  ///< position of each in the picture, y upwards
  std::string description;   ///< such as: All 100 nodes
};

/// Nodes in two dimensions are drawn as they are. In three dimensions the picture has the two axes with the
/// largest extents, in a slice as thick as the distance of nodes, through the node next to the middle. Of
/// more than `most` nodes it has those next to the middle, in a square.
DrawnNodes drawn_nodes(Points const& points, std::size_t most);

/// Aggregates and slowest error of the winning list at the drawn nodes; on rank 0.
struct WinnerAtNodes {
  static constexpr std::size_t most_nodes = 2500;
  static constexpr int cycles = 15, measured_cycles = 5;

  std::string list;     ///< its name; empty: no list has won
  std::string missing;  ///< why nothing can be drawn; empty: it can
  DrawnNodes drawn;
  std::vector<std::pair<int, int>> couplings;  ///< between drawn nodes, by their places, each once
  std::vector<GlobalIndex> aggregate;          ///< -1: in none; empty: the method has none
  GlobalIndex aggregates = 0;                  ///< of all nodes
  /// The remainder of a random x after `cycles` of x <- x - M^-1 A x: a value, or the length of a node's
  /// unknowns. Empty: next to nothing is left.
  std::vector<double> error;
  bool has_sign = false;
  double rate = 0;  ///< factor by which one of the last cycles reduces the error
};

/// HTML: two pictures with captions. Empty if no list has won.
std::string winner_charts(WinnerAtNodes const& winner);

// The page.

/// Everything on the page besides problem and measurements.
struct PageContext {
  std::vector<std::string> command_line;  ///< the program first
  double tolerance = 0;                   ///< of all lists
  std::string note;                       ///< lists that ask for another tolerance; empty: none
  CouplingStrengths couplings;
  WinnerAtNodes winner;
};

/// The text of the file of --html: the verdict and the winning list, times and memory, residuals, couplings,
/// aggregates and the slowest error, levels, warnings, machine and versions. Reads the winning list again. On
/// rank 0. `lists` have histories.
std::string html_text(SystemFigures const& system, std::vector<Measurement> const& lists,
                      PageContext const& context);

}  // namespace Tessera::cli
