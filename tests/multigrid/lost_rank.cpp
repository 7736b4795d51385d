// A rank that is lost in the middle of an exchange: lost_rank_test.py runs this and looks on.
//   lost_rank nowhere|setup|cycle killed|thrown|memory [TOKEN]
// The second of three rounds of setup and solve loses rank 1, at the place that the first argument names.
#include <csignal>
#include <cstdio>
#include <new>
#include <string>

#include "core/error.hpp"
#include "multigrid/systems.hpp"
#include "support/failing_allocations.hpp"

namespace {

enum class Loss { none, killed, thrown, memory };

/// What befalls this rank, and how many of its calls come before.
Loss loss = Loss::none;
int calls_left = 0;

bool is_now(bool concerned) {
  return loss != Loss::none && concerned && calls_left-- == 0;
}

void say(char const* text) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  std::printf("rank %d: %s\n", rank, text);
  std::fflush(stdout);
}

}  // namespace

// Between the receives, which are posted, and their end.
extern "C" int MPI_Waitall(int count, MPI_Request* requests, MPI_Status* statuses) {
  if (is_now(loss != Loss::memory)) {
    say("lost");
    if (loss == Loss::thrown) throw std::bad_alloc();
    std::raise(SIGKILL);
  }
  return PMPI_Waitall(count, requests, statuses);
}

// Between the sizes of messages and the messages, for which there is no memory then.
extern "C" int MPI_Alltoall(void const* send, int sent, MPI_Datatype send_type, void* receive, int received,
                            MPI_Datatype receive_type, MPI_Comm comm) {
  int const status = PMPI_Alltoall(send, sent, send_type, receive, received, receive_type, comm);
  if (is_now(loss == Loss::memory)) {
    say("lost");
    loss = Loss::none;
    Tessera::test::fail_new_after(0);
  }
  return status;
}

namespace Tessera::test {
namespace {

void live(std::string const& where, Loss how) {
  auto const comm = world();
  auto const A = distribute(oracle::laplace(30, 30), share(comm, 900));
  std::vector<double> const b(A.local.rows, 1.0);
  multigrid::Parameters parameters;
  parameters.coarse_max_size = 20;
  auto const lose_in = [&](char const* place, int round) {
    bool const here = where == place && round == 1 && comm.rank() == 1;
    loss = here ? how : Loss::none;
    calls_left = how == Loss::memory ? 1 : 5;  // a setup has few exchanges of sizes
  };
  for (int round = 0; round < 3; ++round) {
    try {
      lose_in("setup", round);
      multigrid::Hierarchy<float, Host> M(Host{}, A, node_ids_on(Host{}, A.rows), {}, parameters);
      lose_in("cycle", round);
      std::vector<double> x;
      if (conjugate_gradients(A, M, b, x) > 30) say("not solved");
    } catch (core::OutOfMemory const& error) {
      say(error.what());
    }
  }
  say("done");
}

}  // namespace
}  // namespace Tessera::test

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string const where = argv[1], how = argv[2];
  Tessera::test::live(where, how == "killed" ? Loss::killed : how == "thrown" ? Loss::thrown : Loss::memory);
  MPI_Finalize();
}
