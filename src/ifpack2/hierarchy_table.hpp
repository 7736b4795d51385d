#pragma once
/// \file
/// A hierarchy in print.
#include <string>

#include "multigrid/hierarchy.hpp"

namespace Tessera::ifpack2 {

/// One line a level: rows, nonzeros, nonzeros a row, aggregates and their sizes, smoother, format, bytes;
/// then complexities and warnings. Comments of YAML, so that describe() stays YAML.
std::string hierarchy_table(multigrid::HierarchyReport const& report);

/// Seconds of the last setup or refresh, the longest first.
std::string phase_table(core::PhaseTimes const& phases);

}  // namespace Tessera::ifpack2
