// One system with more than 2^31 entries on one GPU: the 27-point stencil on side^3 points (80.6 million rows
// and 2.17 billion entries at 432), made on the device, set up and solved by conjugate gradients in double
// with a cycle in float, b = 1, to a true residual of 1e-8.
//
//     gpu_large_benchmark [side]
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <utility>

#include "core/device.hpp"
#include "core/memory.hpp"
#include "core/sequence.hpp"
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

void run(Index side) {
  auto const space = core::make_cuda(0);
  auto local = stencil_matrix(space, {side, side, side, 1, false});
  auto const entries = local.column.size();
  comm::Distribution const rows(comm::Communicator{}, local.rows);
  comm::DistCsr<double, Cuda> const A{rows, comm::HaloPlan<Cuda>(space, rows, {}), std::move(local)};
  auto const n = static_cast<std::size_t>(A.local.rows);
  std::printf("%zu rows, %zu entries, made on the device\n", n, entries);
  std::fflush(stdout);
  comm::StorageParameters in_place{sparse::MatrixFormat::csr};
  in_place.borrow = true;
  comm::DistMatrix<double, Cuda> const matrix(space, A, in_place);
  std::optional<multigrid::Hierarchy<float, Cuda>> M;
  auto const setup = seconds(space, [&] {
    M.emplace(space, A, core::arithmetic_sequence(space, 0, 1, n), multigrid::NearNullspace{},
              multigrid::Parameters{});
  });
  Array<double, Cuda> b(space, n), x(space, n);
  core::fill(space, b.span(), 1.0);
  krylov::Preconditioner preconditioner;
  preconditioner.apply = [&](Span<double const> r, Span<double> z) { M->apply(r, z); };
  krylov::Parameters parameters;
  parameters.start_from_zero = true;
  krylov::Workspace<Cuda> workspace;
  krylov::Result result;
  auto const solve = seconds(space, [&] {
    result = krylov::solve(space, matrix, preconditioner, b.view(), x.span(), parameters, workspace);
  });
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
  Tessera::benchmarks::run(argc > 1 ? std::atoi(argv[1]) : 432);
  MPI_Finalize();
}
