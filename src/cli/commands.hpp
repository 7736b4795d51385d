#pragma once
/// \file
/// One function for each subcommand; each returns the exit status.
#include <Teuchos_Comm.hpp>

#include "cli/options.hpp"

namespace Tessera::cli {

using Comm = Teuchos::RCP<Teuchos::Comm<int> const>;

int run_solve(Options const& options, Comm const& comm);
int run_compare(Options const& options, Comm const& comm);
int run_tune(Options const& options, Comm const& comm);
int run_gallery(Options const& options, Comm const& comm);
int run_params(Options const& options, Comm const& comm);
int run_info(Options const& options, Comm const& comm);

}  // namespace Tessera::cli
