#pragma once
/// \file
/// A comparison as one page of HTML that needs nothing else: no network, no scripts, no other files.
#include <string>
#include <vector>

#include "cli/coupling_chart.hpp"
#include "cli/measure.hpp"
#include "cli/winner.hpp"

namespace Tessera::cli {

/// What the page says besides problem and measurements.
struct PageContext {
  std::vector<std::string> command_line;  ///< the program first
  double tolerance = 0;                   ///< that all lists are held to
  std::string note;                       ///< who asks for another; empty: nobody
  CouplingStrengths couplings;
  WinnerAtNodes winner;
};

/// What goes into the file of --html: the verdict and the winning list, times and memory, residuals,
/// couplings, aggregates and the slowest error, levels, warnings, machine and versions. Reads the winning
/// list again. Of rank 0. Histories are in `lists`.
std::string html_text(LinearSystem const& system, std::vector<Measurement> const& lists,
                      PageContext const& context);

}  // namespace Tessera::cli
