#pragma once
/// \file
/// A factored sparse approximate inverse in print.
#include <string>

#include "fsai/fsai.hpp"

namespace Tessera::ifpack2 {

/// YAML: densities before and after the postfilter, sizes of rows, bytes, checksum, warnings.
std::string fsai_table(fsai::Report const& report);

/// Such as: 1, 2, 3-4, 5-8; the sizes that entry `bin` of Report::row_size_histogram counts.
std::string row_sizes(std::size_t bin);

}  // namespace Tessera::ifpack2
