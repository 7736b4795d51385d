// Laplace3D made on the GPU and given to Tessera::ArraysSolver as an application's own arrays: b = 1, the
// default list, levels in float, to a true residual of 1e-8.
//
//     gpu_arrays_benchmark SIDE [--repeat N]
//
// Prints minima of N times, the largest memory with the matrix and b (x is made after a setup), and the
// bytes that crossed the bus in the last setup and solve.
#include <Tpetra_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <string>
#include <vector>

#include "Tessera_SolveArrays.hpp"
#include "core/array.hpp"
#include "core/device.hpp"
#include "core/memory.hpp"
#include "gpu/laplacian_on_device.hpp"

namespace Tessera::benchmarks {
namespace {

void run(Index side, int repeat) {
  auto const space = core::make_cuda(0);
  auto const A = laplacian_on_device(space, side);
  auto const n = static_cast<std::size_t>(A.rows);
  auto const b = core::to_space(space, std::vector<double>(n, 1.0));
  CsrArrays arrays;
  arrays.rowMap = arrays.columnMap = Teuchos::rcp(new Tpetra::Map<>(n, 0, Tpetra::getDefaultComm()));
  static_assert(sizeof(Offset) == 8 && sizeof(Index) == 4);
  arrays.offsets64 = A.offsets.data();
  arrays.columns = A.column.data();
  arrays.values = A.value.data();
  arrays.entries = A.column.size();
  double setup = 1e30, refresh = 1e30, solve = 1e30;
  SolveReport report;
  std::size_t bytes = 0;
  std::optional<ArraysSolver> solver;
  auto const seconds = [&](auto const& work) {
    core::synchronize(space);
    auto const before = core::transferred_bytes();
    auto const start = std::chrono::steady_clock::now();
    work();
    core::synchronize(space);
    auto const moved = core::transferred_bytes() - before;
    bytes += moved.to_device + moved.to_host;
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  for (int k = 0; k < repeat; ++k) {
    Teuchos::ParameterList list;
    list.set("backend: type", "cuda").set("precision: hierarchy", "float").set("verbosity", "none");
    solver.reset();
    bytes = 0;
    setup = std::min(setup, seconds([&] { solver.emplace(arrays, list); }));
    auto x = core::to_space(space, std::vector<double>(n, 0.0));
    solve = std::min(solve, seconds([&] { report = solver->solve(b.data(), x.data()); }));
  }
  auto const of_setup_and_solve = bytes;
  auto const peak = static_cast<double>(core::memory_use(space).peak);
  for (int k = 0; k < std::max(2, repeat); ++k)
    refresh = std::min(refresh, seconds([&] { solver->refresh(arrays.values); }));
  std::printf(
      "ArraysSolver, laplace3d %d^3: %zu rows, setup %.1f ms, solve %.1f ms, refresh %.1f ms, "
      "%d iterations, residual %.2e, peak %.1f GB, %zu bytes over the bus in setup and solve%s\n",
      side, n, 1e3 * setup, 1e3 * solve, 1e3 * refresh, report.iterations, report.relativeResidual,
      1e-9 * peak, of_setup_and_solve, report.converged ? "" : ", NOT CONVERGED");
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  Tpetra::ScopeGuard const scope(&argc, &argv);
  bool const repeats = argc == 4 && std::string(argv[2]) == "--repeat";
  int const side = argc > 1 ? std::atoi(argv[1]) : 0, repeat = repeats ? std::atoi(argv[3]) : 1;
  if ((argc != 2 && !repeats) || side < 1 || repeat < 1) {
    std::fprintf(stderr, "gpu_arrays_benchmark SIDE [--repeat N]\n");
    return 2;
  }
  try {
    Tessera::benchmarks::run(side, repeat);
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
