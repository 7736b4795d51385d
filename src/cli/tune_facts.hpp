#pragma once
/// \file
/// What the entries of a matrix tell about which preconditioner may suit it.
#include <string>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// Figures of the whole matrix. They do not depend on the number of ranks. Couplings are off-diagonal entries
/// other than zero, between different nodes.
struct MatrixFacts {
  long long rows = 0, nonzeros = 0;
  int equations = 1;         ///< unknowns a node
  int nullspace = 0;         ///< near-nullspace vectors that were given
  bool coordinates = false;  ///< whether they were given
  double positive = 0;       ///< share of couplings that are positive
  double weak = 0;           ///< share of couplings below `weak_below` times the largest of their row
  double dominant = 0;       ///< share of rows with |a_ii| >= `dominant_from` times the sum of |a_ij|, j != i
  double jump = 1;           ///< largest |a_ii| over the smallest that is not zero
  bool singular = false;     ///< A times ones is zero to rounding in every row
};

constexpr double weak_below = 0.25;
constexpr double dominant_from = 1.5;

/// One pass over the entries. Collective.
MatrixFacts look_at(LinearSystem const& system);

/// For people, in one line without an end.
std::string words(MatrixFacts const& facts);

}  // namespace Tessera::cli
