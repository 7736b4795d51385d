// A large system on one GPU, made on the device and read in place, set up and solved by conjugate gradients
// in double with a cycle in float, b = 1, to a true residual of 1e-8.
//
//     gpu_large_benchmark PROBLEM SIDE [--repeat N]
//
// PROBLEM: box3d, the 27-point stencil (at 432 80.6 million rows and 2.17 billion entries); laplace3d;
// elasticity3d, with its six rigid-body modes and smoothed aggregation; elasticity3d_k, with the cycle of
// xml_params/elasticity.xml. Minima of N times.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "core/device.hpp"
#include "core/memory.hpp"
#include "core/sequence.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {
namespace {

template <class Work>
double seconds(Cuda const& space, Work const& work) {
  core::synchronize(space);
  auto const start = std::chrono::steady_clock::now();
  work();
  core::synchronize(space);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

struct System {
  sparse::Csr<double, Cuda> A;
  multigrid::Parameters parameters;
  multigrid::NearNullspace nullspace;
};

void add_rigid_body_modes(System& system, Index side) {
  system.parameters.equations = 3;
  auto& nullspace = system.nullspace;
  nullspace.vectors = galerkin::rigid_body_mode_count(3);
  nullspace.dimension = 3;
  for (Index i = 0; i < side * side * side; ++i)
    for (Index const x : {i % side, i / side % side, i / (side * side)}) nullspace.coordinates.push_back(x);
  nullspace.rigid_body = galerkin::rigid_body_frame(comm::Communicator{}, nullspace.coordinates, 3);
}

System system(Cuda const& space, std::string const& problem, Index side) {
  if (problem == "box3d") return {stencil_matrix(space, BoxStencil{side, side, side, 1, false}), {}, {}};
  if (problem == "laplace3d") return {stencil_matrix(space, BoxStencil{side, side, side}), {}, {}};
  if (problem != "elasticity3d" && problem != "elasticity3d_k")
    throw core::InvalidInput("problem `" + problem +
                             "` (unknown); take box3d, laplace3d, elasticity3d or elasticity3d_k");
  System result{stencil_matrix(space, ElasticStencil{side}), {}, {}};
  add_rigid_body_modes(result, side);
  if (problem == "elasticity3d") return result;
  result.parameters.coarsening = multigrid::CoarseningType::unsmoothed;
  result.parameters.cycle = multigrid::CycleType::K;
  result.parameters.k_levels = 3;
  result.parameters.strength.drop_tolerance = 0.02;
  return result;
}

void run(std::string const& problem, Index side, int repeat) {
  auto const space = core::make_cuda(0);
  auto made = system(space, problem, side);
  auto const entries = made.A.column.size();
  comm::Distribution const rows(comm::Communicator{}, made.A.rows);
  comm::DistCsr<double, Cuda> const A{rows, comm::HaloPlan<Cuda>(space, rows, {}), std::move(made.A)};
  auto const n = static_cast<std::size_t>(A.local.rows);
  std::printf("%s %d^3: %zu rows, %zu entries, made on the device\n", problem.c_str(), side, n, entries);
  std::fflush(stdout);
  comm::StorageParameters in_place{sparse::MatrixFormat::csr};
  in_place.borrow = true;
  comm::DistMatrix<double, Cuda> const matrix(space, A, in_place);
  std::optional<multigrid::Hierarchy<float, Cuda>> M;
  double setup = 1e30, solve = 1e30;
  Array<double, Cuda> b(space, n), x(space, n);
  core::fill(space, b.span(), 1.0);
  krylov::Preconditioner preconditioner;
  preconditioner.symmetric = made.parameters.cycle == multigrid::CycleType::V;
  preconditioner.apply = [&](Span<double const> r, Span<double> z) { M->apply(r, z); };
  krylov::Parameters parameters;
  parameters.start_from_zero = true;
  krylov::Workspace<Cuda> workspace;
  krylov::Result result;
  for (int k = 0; k < repeat; ++k) {
    M.reset();
    setup =
        std::min(setup, seconds(space, [&] {
                   M.emplace(space, A, core::arithmetic_sequence(space, 0, 1, n / made.parameters.equations),
                             made.nullspace, made.parameters);
                 }));
    solve = std::min(solve, seconds(space, [&] {
                       result = krylov::solve(space, matrix, preconditioner, b.view(), x.span(), parameters,
                                              workspace);
                     }));
  }
  auto const peak = static_cast<double>(core::memory_use(space).peak);
  std::printf("setup %.1f ms, solve %.1f ms, %d iterations, residual %.2e, peak %.1f GB, %.0f bytes a row\n",
              1e3 * setup, 1e3 * solve, result.iterations, result.relative_residual, 1e-9 * peak,
              peak / static_cast<double>(n));
  for (auto const& level : M->report().levels)
    std::printf("  %lld rows, %lld entries, %s\n", static_cast<long long>(level.rows),
                static_cast<long long>(level.nonzeros), level.format.c_str());
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool const repeats = argc == 5 && std::string(argv[3]) == "--repeat";
  int const side = argc > 2 ? std::atoi(argv[2]) : 0, repeat = repeats ? std::atoi(argv[4]) : 1;
  int status = 2;
  if ((argc != 3 && !repeats) || side < 1 || repeat < 1) {
    std::fprintf(stderr, "gpu_large_benchmark PROBLEM SIDE [--repeat N]\n");
  } else {
    try {
      Tessera::benchmarks::run(argv[1], side, repeat);
      status = 0;
    } catch (std::exception const& error) {
      std::fprintf(stderr, "%s\n", error.what());
    }
  }
  MPI_Finalize();
  return status;
}
