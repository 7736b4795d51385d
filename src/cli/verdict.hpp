#pragma once
/// \file
/// The end of the program: one exit status and one message for all ranks.
#include <mpi.h>

#include <functional>
#include <string>

namespace Tessera::cli {

/// Exit statuses of the program, from best to worst.
enum Status : int { converged = 0, not_converged = 1, bad_input = 2, internal_error = 3 };

/// Status and message of some work, the same on all ranks.
struct Ending {
  int status = converged;  ///< the worst of all ranks
  std::string message;     ///< of the lowest rank with this status and a message; empty: no exception
};

/// Runs the work and catches its exceptions; then the ranks agree. If a rank fails while other ranks wait for
/// it in a collective operation, it ends the whole job after `patience` seconds. Collective.
Ending agreed(MPI_Comm comm, std::function<int()> const& work, double patience = 20.0);

/// Prints the message, if any, on standard error.
void print(Ending const& ending);

/// agreed(); rank 0 prints the message. Returns the status.
int run_and_agree(MPI_Comm comm, std::function<int()> const& work, double patience = 20.0);

/// From now on SIGTERM, by which mpirun ends all ranks when one rank or host fails, prints the rank and the
/// activity before it ends the process.
void report_termination(int rank);
/// What the process does from now on, a string literal. For report_termination.
void set_activity(char const* activity);

/// Checks that standard output was written completely. Not collective. \throws core::InvalidInput
void require_printed();

}  // namespace Tessera::cli
