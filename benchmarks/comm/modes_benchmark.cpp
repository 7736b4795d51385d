// Strong scaling of the three modes of Kreutzer et al. 2012, figure 5a, on the ranks of a host:
// for n in 1 2; do mpirun -np $n modes_benchmark [rounds] [cuda]; done
//
// Products with a matrix like DLR1, distributed by rows, in `communication: mode` none, naive, task and auto.
// On a host, auto is the same as naive; GPUs that reach each other's memory write into it. The modes take
// turns, round by round. Prints the smallest time of all rounds in microseconds, for the slowest rank. With
// cuda, each rank multiplies on a GPU; ranks share GPUs if there are fewer.
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "core/device.hpp"
#include "core/error.hpp"
#include "support/kreutzer_2012.hpp"
#include "support/moved.hpp"

namespace Tessera::benchmarks {
namespace {

using comm::Overlap;

std::vector<std::pair<char const*, Overlap>> const modes{{"none", Overlap::none},
                                                         {"naive", Overlap::naive},
                                                         {"task", Overlap::task},
                                                         {"auto", Overlap::automatic}};

/// Distributes whole nodes over the ranks, as equally as possible.
comm::DistCsr<double, Host> distributed(comm::Communicator const& comm, StandIn const& like) {
  auto const first = [&](int rank) { return GlobalIndex{like.nodes} * rank / comm.size() * like.block; };
  comm::Distribution const rows(comm, static_cast<Index>(first(comm.rank() + 1) - first(comm.rank())));
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    like.row(static_cast<Index>(i), [&](Index j, double a) {
      column.push_back(j);
      value.push_back(a);
    });
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

std::string resources_of_rank(Host const&) {
  return std::to_string(omp_get_max_threads()) + " threads";
}
#if defined(TESSERA_HAVE_CUDA)
std::string resources_of_rank(Cuda const&) {
  return "1 GPU";
}
#endif

/// The matrix in one mode, with its own communicator.
template <typename Space>
struct Problem {
  Space space;
  comm::Communicator comm{MPI_COMM_WORLD};
  comm::DistMatrix<double, Space> A;
  GlobalIndex rows = 0, nonzeros = 0, ghosts = 0;
  Array<double, Space> x, y;

  Problem(Space const& where, Overlap overlap, StandIn const& like) : space(where) {
    comm.choose_overlap(overlap, comm::mpi_thread_level());
    auto const made = moved(space, distributed(comm, like));
    rows = made.rows.global_size();
    nonzeros = comm::global_nonzeros(made);
    ghosts = comm.sum(GlobalIndex{made.halo.ghost_count()});
    A = comm::DistMatrix<double, Space>(space, made);
    auto const n = static_cast<std::size_t>(made.local.rows);
    x = core::to_space(space, std::vector<double>(n, 1.0));
    y = Array<double, Space>(space, n);
  }

  /// Seconds of one product.
  double seconds() {
    MPI_Barrier(comm.raw());
    double const start = MPI_Wtime();
    comm::multiply(space, A, x.view(), y.span());
    core::synchronize(space);
    return comm.max(MPI_Wtime() - start);
  }
};

template <typename Space>
void run(Space const& space, int rounds) {
  auto const paper = kreutzer_2012().front();
  std::vector<std::unique_ptr<Problem<Space>>> problems;
  for (auto const& mode : modes)
    problems.push_back(std::make_unique<Problem<Space>>(space, mode.second, paper.like));
  std::vector<double> seconds(problems.size(), 1e30);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < problems.size(); ++m)
      seconds[m] = std::min(seconds[m], problems[m]->seconds());
  }
  auto const& one = *problems.front();
  if (one.comm.rank() != 0) return;
  std::printf("%s, stand-in, %lld rows, %lld entries, %lld ghosts, product  %d ranks x %s",
              paper.name.c_str(), static_cast<long long>(one.rows), static_cast<long long>(one.nonzeros),
              static_cast<long long>(one.ghosts), one.comm.size(), resources_of_rank(space).c_str());
  for (std::size_t m = 0; m < problems.size(); ++m)
    std::printf("  %s %.1f", modes[m].first, 1e6 * seconds[m]);
  std::printf(" us\n");
}

/// \throws core::Unavailable without a GPU
void run_on_gpus(int rounds) {
#if defined(TESSERA_HAVE_CUDA)
  auto const devices = std::max<std::size_t>(core::cuda_devices().size(), 1);
  auto const space = core::make_cuda(comm::Communicator(MPI_COMM_WORLD).rank() % static_cast<int>(devices));
  run(space, rounds);
#else
  (void)rounds;
  throw core::Unavailable("modes_benchmark: this build has no CUDA");
#endif
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  int level = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  try {
    int const rounds = argc > 1 ? std::max(1, std::atoi(argv[1])) : 200;
    if (argc > 2 && argv[2] == std::string("cuda")) {
      Tessera::benchmarks::run_on_gpus(rounds);
    } else {
      Tessera::benchmarks::run(Tessera::Host{}, rounds);
    }
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
