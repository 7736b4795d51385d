#pragma once
/// \file
/// The residuals of all lists of a comparison, drawn.
#include <string>
#include <vector>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// What goes to the right.
enum class Abscissa {
  iterations,
  seconds  ///< the smallest setup, then the smallest solve, shared out evenly to its iterations
};

/// An SVG with the history of each list that has not failed, in the colours of html.hpp by its place in
/// `ranking`, on a logarithmic scale. A dot at the end is the true residual: full where the list has
/// converged. The tolerance and the rounding level, that of the list with the least residual, are lines. As
/// wide as the lists that converged need; the others are cut off there.
std::string residual_chart(std::vector<Measurement const*> const& ranking, Abscissa abscissa,
                           double tolerance);

}  // namespace Tessera::cli
