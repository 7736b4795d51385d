// Microseconds and bytes/s of an iteration of conjugate gradients over the bandwidth of a copy there.
//
//     cg_benchmark [host|cuda] [nx ny nz]...
//
// The last two lines of a problem are whole solves to 1e-8 with a multigrid cycle in float.
//
// Bytes are what must move: A's entries and offsets once, and the vectors as krylov/steps.hpp counts them.
// The time of an iteration is the difference of two solves of unlike length, so that start and end cancel
// out.
#include <mpi.h>

#include <chrono>
#include <cstdio>
#include <cstring>
#include <numeric>
#include <string>
#include <vector>

#include "core/device.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "support/moved.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {
namespace {

struct Size {
  Index x, y, z;
};

template <class Space, class Work>
double best_seconds(Space const& space, int times, Work const& work) {
  double best = 1e30;
  for (int k = 0; k < times; ++k) {
    core::synchronize(space);
    auto const start = std::chrono::steady_clock::now();
    work();
    core::synchronize(space);
    best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  return best;
}

template <class Space>
double copy_bandwidth(Space const& space) {
  constexpr std::size_t n = std::size_t{1} << 26;
  Array<double, Space> from(space, n), to(space, n);
  core::copy(space, from.view(), space, to.span());
  return 16.0 * n / best_seconds(space, 10, [&] { core::copy(space, from.view(), space, to.span()); });
}

struct Row {
  char const* method;
  char const* preconditioner;
  bool flexible, copies, graph;
  double vector_bytes;  ///< a row
};

/// Whole solves with b = 1.
template <class Space>
void run_multigrid(Space const& space, comm::DistCsr<double, Space> const& A,
                   comm::DistMatrix<double, Space> const& stored, krylov::Workspace<Space>& workspace) {
  auto const n = static_cast<std::size_t>(A.rows.local_size());
  std::vector<VertexId> ids(n);
  std::iota(ids.begin(), ids.end(), 0);
  multigrid::Hierarchy<float, Space> hierarchy(space, A, core::to_space(space, ids), {}, {});
  auto const b = core::to_space(space, std::vector<double>(n, 1.0));
  Array<double, Space> x(space, n), z(space, n);
  krylov::Preconditioner M;
  M.apply = [&](Span<double const> r, Span<double> out) { hierarchy.apply(r, out); };
  struct Way {
    char const* name;
    bool graph, own_vectors;
  };
  std::uint64_t version = 2;
  for (auto const& way :
       {Way{"graph, z in float", true, true}, Way{"graph", true, false}, Way{"plain", false, false}}) {
    M.capturable = way.graph;
    M.version = version++;
    M.single = {};
    if (way.own_vectors) M.single = {hierarchy.input(), hierarchy.output(), [&] { hierarchy.apply(); }};
    krylov::Parameters parameters;
    parameters.start_from_zero = true;
    krylov::Result result;
    auto const solve = [&] {
      result = krylov::solve(space, stored, M, b.view(), x.span(), parameters, workspace);
    };
    solve();
    double const seconds = best_seconds(space, 5, solve);
    double const cycle = best_seconds(space, 5, [&] { hierarchy.apply(b.view(), z.span()); });
    std::printf(
        "                CG        M: cycle, %-17s  %9.1f us for %d iterations, a cycle alone %.1f us; %s "
        "%.2e\n",
        way.name, seconds * 1e6, result.iterations, cycle * 1e6,
        result.converged ? "true residual" : "NOT CONVERGED", result.relative_residual);
  }
}

template <class Space>
void run(Space const& space, Size const& size, double bandwidth) {
  auto whole = laplace(size.x, size.y, size.z);
  comm::Distribution const rows(comm::Communicator(), whole.rows);
  auto const matrix = moved(space, {rows, comm::HaloPlan<Host>(Host{}, rows, {}), std::move(whole)});
  comm::DistMatrix<double, Space> const A(space, matrix);
  auto const n = static_cast<std::size_t>(rows.local_size());
  auto const b = core::to_space(space, std::vector<double>(n, 1.0));
  Array<double, Space> x(space, n);
  krylov::Workspace<Space> workspace;
  for (auto const& row :
       {Row{"CG", "none", false, false, true, 88}, Row{"CG", "none", false, false, false, 88},
        Row{"CG", "copy", false, true, true, 128}, Row{"flexible", "none", true, false, true, 88},
        Row{"flexible", "copy", true, true, true, 128}}) {
    krylov::Preconditioner M;
    if (row.copies) {
      M.apply = [&](Span<double const> r, Span<double> z) { core::copy(space, r, space, z); };
      M.capturable = true;
      M.version = 1;
    }
    krylov::Parameters parameters;
    parameters.flexible = row.flexible;
    parameters.use_graph = row.graph;
    parameters.start_from_zero = true;
    parameters.tolerance = 0;
    auto const seconds = [&](int iterations) {
      parameters.max_iterations = iterations;
      return best_seconds(space, 3,
                          [&] { krylov::solve(space, A, M, b.view(), x.span(), parameters, workspace); });
    };
    seconds(3);
    double const one = (seconds(45) - seconds(5)) / 40;
    double const bytes = static_cast<double>(A.product_bytes()) + row.vector_bytes * static_cast<double>(n);
    std::printf("%4dx%4dx%4d  %-8s  M: %-4s  %-5s  %9.1f us  %8.1f MB  %8.1f GB/s  %.2f of a copy\n", size.x,
                size.y, size.z, row.method, row.preconditioner, row.graph ? "graph" : "plain", one * 1e6,
                bytes * 1e-6, bytes / one * 1e-9, bytes / one / bandwidth);
  }
  run_multigrid(space, matrix, A, workspace);
}

template <class Space>
void run_all(Space const& space, std::vector<Size> const& sizes) {
  auto const bandwidth = copy_bandwidth(space);
  std::printf("%s: copy %.1f GB/s\n", Space::name, bandwidth * 1e-9);
  for (auto const& size : sizes) run(space, size, bandwidth);
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  using namespace Tessera;
  MPI_Init(&argc, &argv);
  bool const cuda = argc > 1 && std::strcmp(argv[1], "cuda") == 0;
  std::vector<benchmarks::Size> sizes;
  for (int a = 2; a + 2 < argc; a += 3)
    sizes.push_back({std::stoi(argv[a]), std::stoi(argv[a + 1]), std::stoi(argv[a + 2])});
  if (sizes.empty()) sizes = {{101, 101, 101}, {256, 256, 256}};
  int status = 0;
  try {
#if defined(TESSERA_HAVE_CUDA)
    if (cuda) benchmarks::run_all(core::make_cuda(), sizes);
#else
    if (cuda) throw core::Unavailable("this build has no CUDA; configure with -DTESSERA_ENABLE_CUDA=ON");
#endif
    if (!cuda) benchmarks::run_all(Host{}, sizes);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "%s\n", e.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
