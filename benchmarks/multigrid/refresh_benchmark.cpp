/// \file
/// Setups and refreshes on the host's ranks, by phase: mpirun -np 2 refresh_benchmark [DIMENSIONS POINTS
/// [REPEAT [COARSENING]]] for a Laplacian with so many points a side (3 101 3) by a coarsening (smoothed; or
/// rootnode, unsmoothed, paa, reshaped, matching). The first refresh after a setup is apart, since it makes
/// what the others use, unless the setup did. Times are the slowest rank's, the smallest of all repeats.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <string>

#include "core/memory.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "support/coarsenings.hpp"

namespace Tessera::benchmarks {
namespace {

comm::DistCsr<double, Host> laplace(comm::Communicator const& comm, int dimensions, GlobalIndex points) {
  GlobalIndex const stride[3] = {1, points, points * points};
  GlobalIndex const n = dimensions == 3 ? points * points * points : points * points;
  auto const first = [&](GlobalIndex rank) { return rank * n / comm.size(); };
  comm::Distribution const rows(comm, static_cast<Index>(first(comm.rank() + 1) - first(comm.rank())));
  std::vector<Offset> offsets{0};
  std::vector<GlobalIndex> column;
  std::vector<double> value;
  auto const entry = [&](GlobalIndex j, double a) {
    column.push_back(j);
    value.push_back(a);
  };
  for (auto i = rows.begin(); i < rows.end(); ++i) {
    for (int d = dimensions - 1; d >= 0; --d) {
      if (i / stride[d] % points > 0) entry(i - stride[d], -1);
    }
    entry(i, 2.0 * dimensions);
    for (int d = 0; d < dimensions; ++d) {
      if (i / stride[d] % points + 1 < points) entry(i + stride[d], -1);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return comm::from_global(rows, rows, offsets, column, value);
}

/// The slowest rank's.
template <class Work>
double milliseconds(comm::Communicator const& comm, Work const& work) {
  comm.max(0.0);
  auto const start = std::chrono::steady_clock::now();
  work();
  return comm.max(1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
}

/// The fastest of some repeats, and what rank 0 did in it.
struct Fastest {
  char const* name;
  double time = 1e30;
  core::PhaseTimes phases = {};
  std::size_t held = 0, peak = 0;  ///< bytes of this rank

  template <class Work>
  void measure(comm::Communicator const& comm, std::unique_ptr<multigrid::Hierarchy<float, Host>>& hierarchy,
               Work const& work) {
    core::reset_peak(Host{});
    auto const took = milliseconds(comm, work);
    auto const use = core::memory_use(Host{});
    auto const report = hierarchy->report();  // collective
    if (took >= time) return;
    *this = {name, took, report.phases, use.in_use, use.peak};
  }
  void print(double setup, double rows) const {
    std::printf("%-14s %8.1f ms  %.3f of setup  held %.0f peak %.0f bytes/row\n  ", name, time, time / setup,
                static_cast<double>(held) / rows, static_cast<double>(peak) / rows);
    for (auto const& [phase, seconds] : phases) std::printf("  %s %.1f", phase.c_str(), 1e3 * seconds);
    std::printf("\n");
  }
};

/// Times setups with this preparation of refreshes, and the refreshes after them, relative to usual_setup
/// milliseconds (0: this setup's time). Returns the time of the setup.
double run(comm::DistCsr<double, Host> const& A, multigrid::Parameters parameters, char const* name,
           multigrid::RefreshPreparation preparation, double usual_setup, int repeat) {
  auto const& comm = A.rows.comm();
  parameters.prepare_refresh = preparation;
  Fastest setup{"setup"}, first{"first refresh"}, later{"later refresh"};
  for (int k = 0; k < repeat; ++k) {
    Array<VertexId, Host> ids(Host{}, A.local.rows);
    for (Index i = 0; i < A.local.rows; ++i) ids[i] = A.rows.begin() + i;
    std::unique_ptr<multigrid::Hierarchy<float, Host>> hierarchy;
    setup.measure(comm, hierarchy, [&] {
      hierarchy = std::make_unique<multigrid::Hierarchy<float, Host>>(Host{}, A, std::move(ids),
                                                                      multigrid::NearNullspace{}, parameters);
    });
    auto const refresh = [&] { hierarchy->refresh(A); };
    first.measure(comm, hierarchy, refresh);
    for (int r = 0; r < 3; ++r) later.measure(comm, hierarchy, refresh);
  }
  if (usual_setup == 0) usual_setup = setup.time;
  if (comm.rank() == 0) {
    std::printf("`reuse: prepare refresh` = %s\n", name);
    for (auto const* what : {&setup, &first, &later}) what->print(usual_setup, A.local.rows);
  }
  return usual_setup;
}

void run(int dimensions, GlobalIndex points, int repeat, std::string const& kind) {
  auto const parameters = coarsening(kind);
  comm::Communicator const comm(MPI_COMM_WORLD);
  auto const A = laplace(comm, dimensions, points);
  if (comm.rank() == 0)
    std::printf("Laplace%dD, %lld points a side, %d ranks%s\n", dimensions, static_cast<long long>(points),
                comm.size(), suffix(kind).c_str());
  using multigrid::RefreshPreparation;
  auto const setup = run(A, parameters, "second", RefreshPreparation::second, 0, repeat);
  run(A, parameters, "first", RefreshPreparation::first, setup, repeat);
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  auto const number = [&](int k, int otherwise) { return argc > k ? std::atoi(argv[k]) : otherwise; };
  int status = 0;
  try {
    Tessera::benchmarks::run(number(1, 3), number(2, 101), number(3, 3), argc > 4 ? argv[4] : "smoothed");
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
