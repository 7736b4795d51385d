#pragma once
/// \file
/// Preconditioners in print, as YAML.
#include <string>

#include "fsai/fsai.hpp"
#include "multigrid/hierarchy.hpp"

namespace Teuchos {
class ParameterList;
}

namespace Tessera::ifpack2 {

/// One line a level: rows, nonzeros, nonzeros a row, aggregates and their sizes, smoother, format, bytes;
/// then complexities and warnings. Comments of YAML, so that describe() stays YAML.
std::string hierarchy_table(multigrid::HierarchyReport const& report);

/// Densities before and after the postfilter, sizes of rows, bytes, checksum, warnings.
std::string fsai_table(fsai::Report const& report);

/// Such as: 1, 2, 3-4, 5-8; the sizes that entry `bin` of Report::row_size_histogram counts.
std::string row_sizes(std::size_t bin);

/// Seconds of the last setup or refresh, the longest first.
std::string phase_table(core::PhaseTimes const& phases);

/// Sublists of parameters as maps; what programs hand over (user data) is left out.
std::string list_text(Teuchos::ParameterList const& list, std::string const& indent);

}  // namespace Tessera::ifpack2
