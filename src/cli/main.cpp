// The program `tessera`: MPI and Kokkos around one subcommand.
#include <mpi.h>

#include <Tpetra_Core.hpp>
#include <csignal>
#include <cstdio>

#include "cli/commands.hpp"
#include "cli/verdict.hpp"

namespace {

using namespace Tessera::cli;

int run(Options const& options, Comm const& comm) {
  set_activity("input");
  switch (options.command) {
    case Command::solve:
      return run_solve(options, comm);
    case Command::compare:
      return run_compare(options, comm);
    case Command::tune:
      return run_tune(options, comm);
    case Command::gallery:
      return run_gallery(options, comm);
    case Command::params:
      return run_params(options, comm);
    case Command::info:
      return run_info(options, comm);
  }
  return internal_error;
}

}  // namespace

int main(int argc, char** argv) {
  int threads = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &threads);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  report_termination(rank);
  auto const parsed = parse(argc, argv);
  int status = parsed.status;
  auto const printed = [&](int result) {
    if (rank == 0) require_printed();
    return result;
  };
  if (parsed.leave) {
    if (rank == 0) std::fputs(parsed.text.c_str(), status == 0 ? stdout : stderr);
    status = run_and_agree(MPI_COMM_WORLD, [&] { return printed(status); });
  } else {
    int no_arguments = 1;  // Kokkos has a --help of its own
    char* name = argv[0];
    char* arguments[] = {name, nullptr};
    char** pointer = arguments;
    Tpetra::ScopeGuard const tpetra(&no_arguments, &pointer);
    status =
        run_and_agree(MPI_COMM_WORLD, [&] { return printed(run(parsed.options, Tpetra::getDefaultComm())); });
  }
  // The ranks have agreed. mpirun ends ranks that leave after the first one with this status, and nothing is
  // lost then.
  std::signal(SIGTERM, SIG_DFL);
  MPI_Finalize();
  return status;
}
