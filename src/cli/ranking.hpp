#pragma once
/// \file
/// Which list of a comparison is the best, and what is to be said of that.
#include <string>
#include <vector>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// The lists from best to worst: those that converged by their smallest total of setup and solve, then the
/// others as they were given, those that failed at the end. Points into `lists`.
std::vector<Measurement const*> ranked(std::vector<Measurement> const& lists);

/// Who has the smallest total and by how much: over the next, and over the best of the other libraries (of
/// ours, where another library has won). Says where the totals of all repeats of the first two overlap, and
/// where one repeat leaves that open. `problem`: what was solved, such as: Laplace3D (8000 rows).
std::string verdict_on(std::vector<Measurement> const& lists, std::string const& problem);

}  // namespace Tessera::cli
