#pragma once
/// \file
/// How the program ends: one status and one voice, whatever happened on which rank.
#include <mpi.h>

#include <functional>
#include <string>

namespace Tessera::cli {

/// Exit statuses of the program, from best to worst.
enum Status : int { converged = 0, not_converged = 1, bad_input = 2, internal_error = 3 };

/// How work ended, the same on all ranks.
struct Ending {
  int status = converged;  ///< the worst of all ranks
  std::string message;  ///< of the lowest rank that has this status and a message; empty: nothing was thrown
};

/// Runs the work and catches what it throws; the ranks then agree. A rank that failed alone, so that others
/// wait for it in a collective, ends the whole job after `patience` seconds instead of leaving it hanging.
/// Collective.
Ending agreed(MPI_Comm comm, std::function<int()> const& work, double patience = 20.0);

/// Writes the message, if there is one, to standard error.
void print(Ending const& ending);

/// The same, and rank 0 says the message. Returns the status.
int run_and_agree(MPI_Comm comm, std::function<int()> const& work, double patience = 20.0);

/// Whether all that was printed could be written. Not collective.
/// \throws core::InvalidInput
void require_printed();

}  // namespace Tessera::cli
