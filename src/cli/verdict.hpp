#pragma once
/// \file
/// How the program ends: one status and one voice, whatever happened on which rank.
#include <mpi.h>

#include <functional>
#include <string>

namespace Tessera::cli {

/// Exit statuses of the program.
enum Status : int { converged = 0, not_converged = 1, bad_input = 2, internal_error = 3 };

/// Runs the work and catches what it throws. The ranks then agree on the largest status, and the lowest rank
/// that has a message prints it on standard error. A rank that failed alone, so that others wait for it in a
/// collective, ends the whole job after `patience` seconds instead of leaving it hanging.
int run_and_agree(MPI_Comm comm, std::function<int()> const& work, double patience = 20.0);

}  // namespace Tessera::cli
