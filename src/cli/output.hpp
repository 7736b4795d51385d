#pragma once
/// \file
/// The files that the program writes.
#include <string>

#include "cli/commands.hpp"

namespace Tessera::cli {

/// So that a wrong path is said before the work and not after it. Leaves no file. Collective.
/// \throws core::InvalidInput, on every rank, for a file that cannot be written, that is an input too
/// (whatever its spelling, through links too), or that two options name
void require_outputs(Options const& options, Comm const& comm);

/// Rank 0's text; an empty name is passed over. Collective.
/// \throws core::InvalidInput, on every rank, when not everything could be written
void write_file(std::string const& file, std::string const& text, Comm const& comm);

}  // namespace Tessera::cli
