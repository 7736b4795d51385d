/// \file
/// Setup and solve with the same number of unknowns on every rank, each with a GPU of its own (or sharing
/// one).
///
///     mpirun -np R weak_scaling [--side 256] [--repeat 3] [--rows-per-rank 20000] [--profile setup|solve]
///
/// Laplace3D on side x side x (R side) points, b = 1, conjugate gradients to a true residual of 1e-8 with a
/// multigrid cycle in float. --profile brackets the last setup or solve by
/// cudaProfilerStart/Stop. Minima over the
/// repetitions of the slowest rank's time.
#include <mpi.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "gpu/profiled.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/hierarchy.hpp"

namespace Tessera::benchmarks {
namespace {

/// This rank's planes of the 7-point stencil.
comm::DistCsr<double, Host> planes(comm::Communicator const& comm, GlobalIndex side) {
  GlobalIndex const plane = side * side, rows = plane * side, all = rows * comm.size();
  comm::Distribution const distribution(comm, static_cast<Index>(rows));
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  column.reserve(7 * rows);
  value.reserve(7 * rows);
  auto const entry = [&](bool there, GlobalIndex j, double a) {
    if (!there) return;
    column.push_back(j);
    value.push_back(a);
  };
  for (GlobalIndex i = distribution.begin(); i < distribution.begin() + rows; ++i) {
    auto const x = i % side, y = i / side % side;
    entry(i >= plane, i - plane, -1);
    entry(y > 0, i - side, -1);
    entry(x > 0, i - 1, -1);
    entry(true, i, 6);
    entry(x + 1 < side, i + 1, -1);
    entry(y + 1 < side, i + side, -1);
    entry(i + plane < all, i + plane, -1);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(distribution, distribution, offsets, column, value);
}

void run(comm::Communicator const& comm, GlobalIndex side, int repeat, int rows_per_rank,
         std::string const& profile) {
  auto const devices = static_cast<int>(core::cuda_devices().size());
  auto const space = core::make_cuda(devices > 0 ? comm.rank() % devices : 0);
  comm::DistCsr<double, Cuda> A;
  std::vector<VertexId> names;
  {
    auto const on_host = planes(comm, side);
    for (auto i = on_host.rows.begin(); i < on_host.rows.end(); ++i) names.push_back(i);
    A = comm::copied(Host{}, on_host, space);
  }
  auto const n = static_cast<std::size_t>(A.local.rows);
  comm::DistMatrix<double, Cuda> const matrix(space, A);
  Array<double, Cuda> b = core::to_space(space, std::vector<double>(n, 1.0)), x(space, n);
  krylov::Workspace<Cuda> workspace;
  std::unique_ptr<multigrid::Hierarchy<float, Cuda>> M;
  auto const seconds = [&](auto const& work) {
    core::synchronize(space);
    MPI_Barrier(comm.raw());
    double const start = MPI_Wtime();
    work();
    core::synchronize(space);
    return comm.max(MPI_Wtime() - start);
  };
  double setup = 1e30, refresh = 1e30, solve = 1e30;
  core::PhaseTimes phases;
  krylov::Result result;
  for (int k = 0; k < repeat; ++k) {
    M = nullptr;
    auto ids = core::to_space(space, names);
    bool const last = k + 1 == repeat;
    if (last && profile == "setup") start_profiler();
    setup = std::min(setup, seconds([&] {
                       multigrid::Parameters parameters;
                       parameters.rows_per_rank = rows_per_rank;
                       M = std::make_unique<multigrid::Hierarchy<float, Cuda>>(
                           space, A, std::move(ids), multigrid::NearNullspace{}, parameters);
                     }));
    if (last && profile == "setup") stop_profiler();
    phases = M->report().phases;
    M->refresh(A);  // leaves memory and slot maps for the next one
    refresh = std::min(refresh, seconds([&] { M->refresh(A); }));
    for (int again = 0; again < 2; ++again) {
      krylov::Preconditioner preconditioner;
      preconditioner.apply = [&](Span<double const> r, Span<double> z) { M->apply(r, z); };
      preconditioner.capturable = M->enqueues_only();
      preconditioner.version = static_cast<std::uint64_t>(k + 1);
      krylov::Parameters parameters;
      parameters.start_from_zero = true;
      bool const profiled = last && again == 1 && profile == "solve";
      if (profiled) start_profiler();
      solve = std::min(solve, seconds([&] {
                         result = krylov::solve(space, matrix, preconditioner, b.view(), x.span(), parameters,
                                                workspace);
                       }));
      if (profiled) stop_profiler();
    }
  }
  auto const peak = comm.max(static_cast<GlobalIndex>(core::memory_use(space).peak));
  auto const& report = M->report();
  if (comm.rank() != 0) return;
  std::printf(
      "%5d ranks on %d devices  %11lld rows  %3d iterations (%.1e)  setup %8.2f  refresh %8.2f  solve %8.2f  "
      "total %8.2f ms  peak %4.0f bytes/row  levels",
      comm.size(), std::min(devices, comm.size()), static_cast<long long>(A.rows.global_size()),
      result.iterations, result.relative_residual, 1e3 * setup, 1e3 * refresh, 1e3 * solve,
      1e3 * (setup + solve), static_cast<double>(peak) / static_cast<double>(n));
  for (auto const& level : report.levels) std::printf(" %lld", static_cast<long long>(level.rows));
  std::printf("\n     residual %.17g, last setup, ms:", result.relative_residual);
  for (auto const& [phase, time] : phases) std::printf("  %s %.2f", phase.c_str(), 1e3 * time);
  std::printf("\n");
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  long long side = 256;
  int repeat = 3, rows_per_rank = -1, status = 0;
  std::string profile;
  for (int k = 1; k + 1 < argc; k += 2) {
    if (std::strcmp(argv[k], "--side") == 0) side = std::atoll(argv[k + 1]);
    if (std::strcmp(argv[k], "--profile") == 0) profile = argv[k + 1];
    if (std::strcmp(argv[k], "--repeat") == 0) repeat = std::atoi(argv[k + 1]);
    if (std::strcmp(argv[k], "--rows-per-rank") == 0) rows_per_rank = std::atoi(argv[k + 1]);
  }
  try {
    Tessera::benchmarks::run(Tessera::comm::Communicator(MPI_COMM_WORLD), side, repeat, rows_per_rank,
                             profile);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "weak_scaling: %s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
