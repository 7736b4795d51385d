#pragma once
/// \file
/// How strong a matrix' couplings are, beside the tolerances that lists drop them by.
#include <map>
#include <string>
#include <vector>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// The strengths |a_ij| / sqrt(a_ii a_jj) of the finest matrix' couplings between nodes, as
/// aggregation::strength() has them, from both ends.
struct CouplingStrengths {
  static constexpr int lowest_decade = -12, highest_decade = 1, bins_of_decade = 4;
  std::vector<long long> bins;  ///< from 1e-12 to 10 on a logarithmic scale; the last has larger ones too
  long long couplings = 0;      ///< in all bins
  std::map<double, long long> below;  ///< how many a tolerance drops
  /// By drop tolerance, the lists that compare such strengths with it.
  std::map<double, std::vector<std::string>> lists;
  std::string trouble;  ///< why nothing is known; empty: it is
};

/// Looks at the matrix as it has been read. Sums over the ranks. Collective.
CouplingStrengths coupling_strengths(LinearSystem const& system, std::vector<Measurement> const& lists);

/// An SVG of the bins with the tolerances as lines, and a sentence on each; HTML.
std::string coupling_chart(CouplingStrengths const& strengths);

}  // namespace Tessera::cli
