#pragma once
/// \file
/// The report of a factored sparse approximate inverse.
#include <string>
#include <vector>

#include "core/timer.hpp"
#include "core/types.hpp"

namespace Tessera::fsai {

/// Figures of a preconditioner, of all ranks, as describe() prints and JSON reports them.
struct Report {
  int factors = 0;                              ///< number of factors whose product is G
  GlobalIndex rows = 0, nonzeros = 0;           ///< of A
  GlobalIndex pattern_nonzeros = 0;             ///< before the postfilter, sum of all factors
  GlobalIndex factor_nonzeros = 0;              ///< after the postfilter, sum of all factors
  double pattern_density = 0, density = 0;      ///< pattern and G, relative to A's nonzeros (eq. (5.1))
  double filtered_share = 0;                    ///< share of the pattern that the postfilter dropped
  std::vector<GlobalIndex> row_size_histogram;  ///< rows of patterns with 1, 2, 3-4, 5-8, ... entries
  Index largest_row = 0;                        ///< entries of the longest pattern row
  GlobalIndex cut_rows = 0;                     ///< Fsai::cut_rows
  Index row_bound = 0;                          ///< Fsai::row_bound
  std::size_t bytes = 0;                        ///< memory after the setup, sum of all ranks
  std::size_t peak_workspace = 0;               ///< bytes of dense systems, largest of all ranks
  double apply_bytes = 0;  ///< memory traffic of one application in bytes, sum of all ranks
  std::string format, checksum, backend, precision;
  std::vector<std::string> warnings;
  core::PhaseTimes phases;  ///< seconds of the last setup or refresh, largest of all ranks
};

}  // namespace Tessera::fsai
