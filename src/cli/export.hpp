#pragma once
/// \file
/// A preconditioner of Tessera's as files of one folder.
#include <string>

#include "cli/measure.hpp"

namespace Tessera::cli {

/// So that a wrong folder is said before the work. Leaves none. Of one rank.
/// \throws core::InvalidInput for one that is neither new nor empty, or cannot be written in
void require_folder(std::string const& folder);

/// Writes the matrices of each level, near-nullspace and aggregates, and, where the nodes have coordinates,
/// levels.vtu; of a sparse inverse its factors. Makes the folder. Returns the names of the files in words.
/// Collective. \throws core::InvalidInput, on every rank, when not everything could be written
std::string export_levels(std::string const& folder, Details::Preconditioner const& M,
                          LinearSystem const& system);

}  // namespace Tessera::cli
