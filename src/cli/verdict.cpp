#include "cli/verdict.hpp"

#include <chrono>
#include <cstdio>
#include <exception>
#include <new>
#include <thread>

#include "core/error.hpp"

namespace Tessera::cli {
namespace {

struct Ending {
  int status = converged;
  std::string message;
};

Ending run(std::function<int()> const& work) {
  try {
    return {work(), {}};
  } catch (core::InvalidInput const& error) {
    return {bad_input, error.what()};
  } catch (core::Unavailable const& error) {
    return {bad_input, error.what()};
  } catch (core::NumericalError const& error) {
    return {bad_input, error.what()};
  } catch (std::bad_alloc const&) {
    return {internal_error, "out of memory; use a smaller problem or more ranks"};
  } catch (std::exception const& error) {
    return {internal_error, error.what()};
  }
}

/// Waits for all ranks; at most `patience` seconds if that is positive. Whether all came.
bool meet(MPI_Comm comm, double patience) {
  auto const deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(patience);
  MPI_Request request;
  MPI_Ibarrier(comm, &request);
  for (int done = 0;;) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    if (patience > 0 && std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

void print(Ending const& ending) {
  std::fprintf(stderr, "tessera: %s%s\n", ending.status == internal_error ? "internal error: " : "",
               ending.message.c_str());
}

}  // namespace

int run_and_agree(MPI_Comm comm, std::function<int()> const& work, double patience) {
  MPI_Comm agreement;  // of its own: a failed rank's messages must not meet those of the work
  MPI_Comm_dup(comm, &agreement);
  auto const ending = run(work);
  if (!meet(agreement, ending.message.empty() ? 0.0 : patience)) {
    print(ending);
    MPI_Abort(comm, ending.status);
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(agreement, &rank);
  MPI_Comm_size(agreement, &ranks);
  int status = ending.status;
  MPI_Allreduce(MPI_IN_PLACE, &status, 1, MPI_INT, MPI_MAX, agreement);
  // The lowest of the worst speaks.
  int speaker = ending.status == status && !ending.message.empty() ? rank : ranks;
  MPI_Allreduce(MPI_IN_PLACE, &speaker, 1, MPI_INT, MPI_MIN, agreement);
  if (speaker == rank) print(ending);
  MPI_Comm_free(&agreement);
  return status;
}

}  // namespace Tessera::cli
