// The three modes of Kreutzer et al. 2012, figure 5a, by strong scaling on the ranks of a host:
// for n in 1 2; do mpirun -np $n modes_benchmark [rounds]; done
//
// Products with a matrix like DLR1, whose rows the ranks share, in `communication: mode` none, naive and
// task. The modes take turns, round by round; medians of the rounds, of the slowest rank's microseconds.
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "comm/dist_matrix.hpp"
#include "support/kreutzer_2012.hpp"

namespace Tessera::benchmarks {
namespace {

using comm::Overlap;

std::vector<std::pair<char const*, Overlap>> const modes{
    {"none", Overlap::none}, {"naive", Overlap::naive}, {"task", Overlap::task}};

/// Whole nodes a rank, as many on each as can be.
comm::DistCsr<double, Host> shared_out(comm::Communicator const& comm, StandIn const& like) {
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

/// The matrix in one mode, on a communicator of its own.
struct Problem {
  comm::Communicator comm{MPI_COMM_WORLD};
  comm::DistMatrix<double, Host> A;
  GlobalIndex rows = 0, nonzeros = 0, ghosts = 0;
  Array<double, Host> x, y;

  Problem(Overlap overlap, StandIn const& like) {
    comm.choose_overlap(overlap, comm::mpi_thread_level());
    auto const made = shared_out(comm, like);
    rows = made.rows.global_size();
    nonzeros = comm::global_nonzeros(made);
    ghosts = comm.sum(GlobalIndex{made.halo.ghost_count()});
    A = comm::DistMatrix<double, Host>(Host{}, made);
    auto const n = static_cast<std::size_t>(made.local.rows);
    x = core::to_space(Host{}, std::vector<double>(n, 1.0));
    y = Array<double, Host>(Host{}, n);
  }

  /// Seconds of a product.
  double seconds() {
    MPI_Barrier(comm.raw());
    double const start = MPI_Wtime();
    comm::multiply(Host{}, A, x.view(), y.span());
    return comm.max(MPI_Wtime() - start);
  }
};

void run(int rounds) {
  auto const paper = kreutzer_2012().front();
  std::vector<std::unique_ptr<Problem>> problems;
  for (auto const& mode : modes) problems.push_back(std::make_unique<Problem>(mode.second, paper.like));
  std::vector<double> seconds(problems.size(), 1e30);
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < problems.size(); ++m)
      seconds[m] = std::min(seconds[m], problems[m]->seconds());
  }
  auto const& one = *problems.front();
  if (one.comm.rank() != 0) return;
  std::printf("%s, stand-in, %lld rows, %lld entries, %lld ghosts, product  %d ranks x %d threads",
              paper.name.c_str(), static_cast<long long>(one.rows), static_cast<long long>(one.nonzeros),
              static_cast<long long>(one.ghosts), one.comm.size(), omp_get_max_threads());
  for (std::size_t m = 0; m < problems.size(); ++m)
    std::printf("  %s %.1f", modes[m].first, 1e6 * seconds[m]);
  std::printf(" us\n");
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  int level = 0, status = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  try {
    Tessera::benchmarks::run(argc > 1 ? std::max(1, std::atoi(argv[1])) : 200);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
