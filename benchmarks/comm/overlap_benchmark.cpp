// `communication: mode` side by side: for n in 1 2 3 4; do mpirun -np $n overlap_benchmark [side [rounds]];
// done
//
// Products, transposed products and cycles on boxes of side^3 points a rank, for a Laplacian and for one that
// couples every second row to the other half of the rows. The modes take turns, round by round; medians of
// the rounds, of the slowest rank's microseconds.
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "comm/boxes.hpp"
#include "comm/fused_product.hpp"
#include "multigrid/hierarchy.hpp"

namespace Tessera::benchmarks {
namespace {

constexpr comm::Overlap modes[] = {comm::Overlap::none, comm::Overlap::naive, comm::Overlap::task};
constexpr int works_a_round = 4;

template <class Work>
void measure(comm::Communicator const& comm, std::string const& name, int rounds, Work const& work) {
  std::vector<double> seconds[std::size(modes)];
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t m = 0; m < std::size(modes); ++m) {
      comm.choose_overlap(modes[m], comm::mpi_thread_level());
      work();
      MPI_Barrier(comm.raw());
      double const start = MPI_Wtime();
      for (int k = 0; k < works_a_round; ++k) work();
      seconds[m].push_back(comm.max(MPI_Wtime() - start) / works_a_round);
    }
  }
  double median[std::size(modes)];
  for (std::size_t m = 0; m < std::size(modes); ++m) {
    std::sort(seconds[m].begin(), seconds[m].end());
    median[m] = 1e6 * seconds[m][seconds[m].size() / 2];
  }
  if (comm.rank() == 0)
    std::printf("%s  %d ranks x %d threads  none %.1f  naive %.1f  task %.1f us\n", name.c_str(), comm.size(),
                omp_get_max_threads(), median[0], median[1], median[2]);
}

void run(GlobalIndex side, int rounds) {
  comm::Communicator const comm(MPI_COMM_WORLD);
  for (bool const far : {false, true}) {
    auto const A = laplace_on_boxes(comm, side, far);
    auto const ghosts = comm.sum(GlobalIndex{A.halo.ghost_count()});
    auto const name = std::string(far ? "Laplace3D and far couplings" : "Laplace3D") + ", " +
                      std::to_string(side) + "^3 a rank, ghosts " +
                      std::to_string(100 * ghosts / A.rows.global_size()) + "%, ";
    comm::DistMatrix<double, Host> const stored(Host{}, A);
    auto const transposed = sparse::transpose<double>(Host{}, A.local.view());
    comm::DistTranspose<double, Host> const stored_transpose(Host{}, A, transposed);
    auto const n = static_cast<std::size_t>(A.local.rows);
    std::vector<double> const x(n, 1.0);
    std::vector<double> y(n);
    Span<double const> const in(x.data(), n);
    Span<double> const out(y.data(), n);
    measure(comm, name + "product", rounds, [&] { comm::multiply(Host{}, stored, in, out); });
    measure(comm, name + "transposed", rounds,
            [&] { comm::multiply_transposed(Host{}, stored_transpose, in, out); });
    std::vector<VertexId> ids;
    for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ids.push_back(i);
    multigrid::Hierarchy<float, Host> M(Host{}, A, core::to_space(Host{}, ids), {}, {});
    measure(comm, name + "cycle", rounds, [&] { M.apply(in, out); });
  }
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  int level = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  Tessera::benchmarks::run(argc > 1 ? std::atoi(argv[1]) : 80, argc > 2 ? std::atoi(argv[2]) : 25);
  MPI_Finalize();
}
