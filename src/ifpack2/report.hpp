#pragma once
/// \file
/// Reports of preconditioners, as YAML.
#include <string>

#include "fsai/fsai.hpp"
#include "multigrid/reported_levels.hpp"

namespace Teuchos {
class ParameterList;
}

namespace Tessera::ifpack2 {

/// One line per level: rows, nonzeros, nonzeros per row, aggregates and their sizes, smoother, format, bytes;
/// then complexities and warnings. The table is a YAML comment, so that describe() prints YAML.
std::string hierarchy_table(multigrid::HierarchyReport const& report);

/// Densities before and after the postfilter, sizes of rows, bytes, checksum, warnings.
std::string fsai_table(fsai::Report const& report);

/// The row sizes in entry `bin` of Report::row_size_histogram, such as: 1, 2, 3-4, 5-8.
std::string row_sizes(std::size_t bin);

/// Seconds of the last setup or refresh, the longest first.
std::string phase_table(core::PhaseTimes const& phases);

/// The list with sublists as maps, without the user data.
std::string list_text(Teuchos::ParameterList const& list, std::string const& indent);

}  // namespace Tessera::ifpack2
