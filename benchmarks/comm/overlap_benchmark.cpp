// Comparison of the values of `communication: mode`: for n in 1 2 3 4; do mpirun -np $n overlap_benchmark
// [side [rounds]]; done
//
// Products, transposed products and cycles on boxes of side^3 points on each rank, for a Laplacian without
// and with couplings of every second row to the other half of the rows. Runs on GPUs if all ranks have one,
// otherwise on the host. The modes take turns, round by round. Prints the median time of the rounds in
// microseconds, for the slowest rank.
#include <mpi.h>
#include <omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "comm/boxes.hpp"
#include "comm/fused_product.hpp"
#include "core/device.hpp"
#include "multigrid/levels/hierarchy.hpp"

namespace Tessera::benchmarks {
namespace {

using comm::Overlap;

/// auto differs from naive on GPUs only.
template <class Space>
std::vector<std::pair<char const*, Overlap>> modes() {
  std::vector<std::pair<char const*, Overlap>> all{
      {"none", Overlap::none}, {"naive", Overlap::naive}, {"task", Overlap::task}};
  if (!std::is_same_v<Space, Host>) all.emplace_back("auto", Overlap::automatic);
  return all;
}

/// The operators in one mode, with their own communicator.
template <class Space>
struct Problem {
  Space space;
  comm::Communicator comm{MPI_COMM_WORLD};
  comm::DistCsr<double, Space> A;
  comm::DistMatrix<double, Space> stored;
  comm::DistTranspose<double, Space> transpose;
  std::unique_ptr<multigrid::Hierarchy<float, Space>> M;
  Array<double, Space> x, y;

  Problem(Space const& where, Overlap overlap, GlobalIndex side, bool far) : space(where) {
    comm.choose_overlap(overlap, comm::mpi_thread_level());
    auto made = laplace_on_boxes(comm, side, far);
    if constexpr (std::is_same_v<Space, Host>) {
      A = std::move(made);
    } else {
      A = comm::copied(Host{}, made, space);
    }
    auto const n = static_cast<std::size_t>(A.local.rows);
    stored = comm::DistMatrix<double, Space>(space, A);
    transpose =
        comm::DistTranspose<double, Space>(space, A, sparse::transpose<double>(space, A.local.view()));
    std::vector<VertexId> ids;
    for (auto i = A.rows.begin(); i < A.rows.end(); ++i) ids.push_back(i);
    M = std::make_unique<multigrid::Hierarchy<float, Space>>(
        space, A, core::to_space(space, ids), multigrid::NearNullspace{}, multigrid::Parameters{});
    x = core::to_space(space, std::vector<double>(n, 1.0));
    y = Array<double, Space>(space, n);
  }

  /// Mean seconds of a few runs.
  template <class Work>
  double seconds(Work const& work) const {
    constexpr int times = 4;
    core::synchronize(space);
    MPI_Barrier(comm.raw());
    double const start = MPI_Wtime();
    for (int k = 0; k < times; ++k) work();
    core::synchronize(space);
    return comm.max(MPI_Wtime() - start) / times;
  }
};

template <class Space>
void run(Space const& space, GlobalIndex side, int rounds) {
  for (bool const far : {false, true}) {
    std::vector<std::unique_ptr<Problem<Space>>> problems;
    for (auto const& mode : modes<Space>())
      problems.push_back(std::make_unique<Problem<Space>>(space, mode.second, side, far));
    auto const& A = problems.front()->A;
    auto const& comm = problems.front()->comm;
    auto const ghosts = 100 * comm.sum(GlobalIndex{A.halo.ghost_count()}) / A.rows.global_size();
    auto const measure = [&](char const* what, auto const& work) {
      std::vector<std::vector<double>> seconds(problems.size());
      for (int round = 0; round < rounds; ++round) {
        for (std::size_t m = 0; m < problems.size(); ++m) {
          auto& problem = *problems[m];
          work(problem);
          seconds[m].push_back(problem.seconds([&] { work(problem); }));
        }
      }
      if (comm.rank() != 0) return;
      std::printf("Laplace3D%s, %lld^3 a rank, ghosts %lld%%, %s  %d ranks x %d threads",
                  far ? " and far couplings" : "", static_cast<long long>(side),
                  static_cast<long long>(ghosts), what, comm.size(), omp_get_max_threads());
      for (std::size_t m = 0; m < problems.size(); ++m) {
        std::sort(seconds[m].begin(), seconds[m].end());
        std::printf("  %s %.1f", modes<Space>()[m].first, 1e6 * seconds[m][seconds[m].size() / 2]);
      }
      std::printf(" us\n");
    };
    measure("product", [](auto& p) { comm::multiply(p.space, p.stored, p.x.view(), p.y.span()); });
    measure("transposed",
            [](auto& p) { comm::multiply_transposed(p.space, p.transpose, p.x.view(), p.y.span()); });
    measure("cycle", [](auto& p) { p.M->apply(p.x.view(), p.y.span()); });
  }
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  using namespace Tessera;
  int level = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int const side = argc > 1 ? std::atoi(argv[1]) : 80, rounds = argc > 2 ? std::atoi(argv[2]) : 25;
#if defined(TESSERA_HAVE_CUDA)
  auto const devices = static_cast<int>(core::cuda_devices().size());
  if (!comm::Communicator(MPI_COMM_WORLD).any(devices == 0)) {
    benchmarks::run(core::make_cuda(rank % devices), side, rounds);
    MPI_Finalize();
    return 0;
  }
#endif
  benchmarks::run(Host{}, side, rounds);
  MPI_Finalize();
}
