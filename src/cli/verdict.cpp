#include "cli/verdict.hpp"

#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <exception>
#include <iostream>
#include <new>
#include <thread>

#include "core/error.hpp"
#include "parameters/messages.hpp"

namespace Tessera::cli {
namespace {

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
    return {internal_error, parameters::plain_text(error.what())};
  } catch (...) {  // ML throws numbers
    return {internal_error, "an object was thrown that is no exception"};
  }
}

/// Waits for all ranks, at most `patience` seconds if positive. Returns whether all arrived.
bool all_ranks_arrive(MPI_Comm comm, double patience) {
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

/// Sends the message of rank `root` to all ranks.
void broadcast(std::string& message, int root, MPI_Comm comm) {
  auto size = static_cast<unsigned long>(message.size());
  MPI_Bcast(&size, 1, MPI_UNSIGNED_LONG, root, comm);
  message.resize(size);
  MPI_Bcast(message.data(), static_cast<int>(size), MPI_CHAR, root, comm);
}

std::atomic<char const*> current_activity{"the start"};
std::array<char, 64> termination_text{};  ///< the begin of the message, formatted before the signal

/// Calls only what a signal handler may call.
void print_termination(int signal) {
  auto const put = [](char const* text) { return write(STDERR_FILENO, text, std::strlen(text)) >= 0; };
  put(termination_text.data()) && put(current_activity.load()) &&
      put("; another rank or its host failed, or the job was ended\n");
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

Ending agreed(MPI_Comm comm, std::function<int()> const& work, double patience) {
  MPI_Comm agreement;  // a separate one, so that messages of a failed rank do not match those of the work
  MPI_Comm_dup(comm, &agreement);
  auto ending = run(work);
  if (!all_ranks_arrive(agreement, ending.message.empty() ? 0.0 : patience)) {
    print(ending);
    MPI_Abort(comm, ending.status);
  }
  int rank = 0, ranks = 1;
  MPI_Comm_rank(agreement, &rank);
  MPI_Comm_size(agreement, &ranks);
  int const mine = ending.status;
  MPI_Allreduce(&mine, &ending.status, 1, MPI_INT, MPI_MAX, agreement);
  // The message is that of the lowest rank with the worst status.
  int reporting_rank = mine == ending.status && !ending.message.empty() ? rank : ranks;
  MPI_Allreduce(MPI_IN_PLACE, &reporting_rank, 1, MPI_INT, MPI_MIN, agreement);
  if (reporting_rank == ranks)
    ending.message.clear();
  else
    broadcast(ending.message, reporting_rank, agreement);
  MPI_Comm_free(&agreement);
  return ending;
}

void report_termination(int rank) {
  static_assert(std::atomic<char const*>::is_always_lock_free);
  std::snprintf(termination_text.data(), termination_text.size(),
                "tessera: rank %d was ended by signal %d during ", rank, SIGTERM);
  std::signal(SIGTERM, print_termination);
}

void set_activity(char const* activity) {
  current_activity = activity;
}

void print(Ending const& ending) {
  if (ending.message.empty()) return;
  std::fprintf(stderr, "tessera: %s%s\n", ending.status == internal_error ? "internal error: " : "",
               ending.message.c_str());
}

int run_and_agree(MPI_Comm comm, std::function<int()> const& work, double patience) {
  auto const ending = agreed(comm, work, patience);
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  if (rank == 0) print(ending);
  return ending.status;
}

void require_printed() {
  std::cout.flush();
  bool const flushed = std::fflush(stdout) == 0;
  TESSERA_VALIDATE(flushed && !std::ferror(stdout) && std::cout.good(),
                   "standard output cannot be written to its end; check where it goes and the room there");
}

}  // namespace Tessera::cli
