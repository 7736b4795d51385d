#pragma once
/// \file
/// The subcommands, and the files that they write.
#include <Teuchos_Comm.hpp>

#include "cli/options.hpp"

namespace Tessera::cli {

using Comm = Teuchos::RCP<Teuchos::Comm<int> const>;

// One function for each subcommand; each returns the exit status.

int run_solve(Options const& options, Comm const& comm);
int run_compare(Options const& options, Comm const& comm);
int run_tune(Options const& options, Comm const& comm);
int run_gallery(Options const& options, Comm const& comm);
int run_params(Options const& options, Comm const& comm);
int run_info(Options const& options, Comm const& comm);

/// Checks the paths of all outputs before any work. Leaves no file. Collective.
/// \throws core::InvalidInput, on every rank, for a file that is not writable, that is also an input (under
/// any path, also through links), or that two options name
void require_outputs(Options const& options, Comm const& comm);

/// Writes rank 0's text; no file if the name is empty. Collective.
/// \throws core::InvalidInput, on every rank, if the text could not be written to its end
void write_file(std::string const& file, std::string const& text, Comm const& comm);

}  // namespace Tessera::cli
