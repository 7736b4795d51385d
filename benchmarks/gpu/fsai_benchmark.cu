// FSAI on a GPU: batched Cholesky beside the K80 of Bernaschi et al. 2016 (table 3), patterns, and whole
// setups by phases.
//
// Operations of Cholesky: n^3 / 3 + n^2 / 2 a matrix, a fused multiply-add being two. Bytes: the triangle
// once in and once out.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <vector>

#include "core/device.hpp"
#include "core/hash.hpp"
#include "fsai/fsai.hpp"
#include "fsai/pattern.hpp"
#include "gpu/batched_cholesky.cuh"
#include "gpu/device_bandwidth.cuh"
#include "gpu/report.hpp"
#include "support/box_stencils.hpp"

namespace Tessera::benchmarks {
namespace {

struct PublishedTime {
  int size;
  double milliseconds;  ///< double precision, one K80 chip
};

constexpr PublishedTime published[] = {{16, 1.11},  {32, 2.57},    {64, 6.55},    {96, 18.83},  {128, 62.95},
                                       {160, 80.9}, {192, 146.33}, {224, 187.54}, {256, 446.06}};
constexpr Index systems = 13000;

/// Diagonally dominant triangles, packed by columns.
struct RandomTriangle {
  double* data;
  int size;
  TESSERA_HD void operator()(Index p) const {
    auto const packed = static_cast<Offset>(size) * (size + 1) / 2;
    Offset k = p * packed;
    for (int j = 0; j < size; ++j) {
      for (int i = j; i < size; ++i, ++k) data[k] = i == j ? size : core::uniform(k, 1);
    }
  }
};

/// ApacheLike3D of the gallery: -30000 along x, -12 along y and z, Neumann ends on x.
struct ApacheValues {
  BoxStencil grid;
  Offset const* offsets;
  Index const* column;
  double* value;
  TESSERA_HD void operator()(Index i) const {
    Index const x = i % grid.nx;
    for (auto k = offsets[i]; k < offsets[i + 1]; ++k) {
      Index const step = column[k] > i ? column[k] - i : i - column[k];
      value[k] = step == 0 ? 48 + 30000.0 * ((x > 0) + (x + 1 < grid.nx)) : step == 1 ? -30000.0 : -12.0;
    }
  }
};

template <class Work>
double milliseconds(Cuda const& space, Work const& work, int repetitions = 5) {
  double least = 1e30;
  for (int k = 0; k <= repetitions; ++k) {
    core::synchronize(space);
    auto const start = std::chrono::steady_clock::now();
    work();
    core::synchronize(space);
    auto const elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    if (k > 0) least = std::min(least, 1e3 * elapsed);
  }
  return least;
}

/// Whether L of one matrix is bitwise what three loops give.
bool is_factor(std::vector<double> v, std::vector<double> const& L, int n) {
  auto const at = [n](int i, int j) { return static_cast<std::size_t>(j) * n - j * (j - 1) / 2 + (i - j); };
  std::vector<double> r(n);
  bool equal = true;
  for (int j = 0; j < n; ++j) {
    for (int k = 0; k < j; ++k) {
      double const l = v[at(j, k)] * r[k];
      for (int i = j; i < n; ++i) v[at(i, j)] = std::fma(-v[at(i, k)], l, v[at(i, j)]);
    }
    r[j] = 1 / v[at(j, j)];
    double const root = std::sqrt(v[at(j, j)]);
    for (int i = j; i < n; ++i) equal = equal && L[at(i, j)] == (i == j ? root : v[at(i, j)] * r[j] * root);
  }
  return equal;
}

nlohmann::ordered_json cholesky(Cuda const& space, double bandwidth) {
  auto rows = nlohmann::ordered_json::array();
  std::printf("%d Cholesky factorisations, double\n%5s %9s %9s %8s %8s %10s\n", systems, "size", "ms",
              "GFlop/s", "GB/s", "of copy", "K80's time");
  EventTimer timer(space);
  BlockLayout const largest{published[8].size / tile};
  Array<double, Cuda> workspace(space, 264 * static_cast<std::size_t>(largest.doubles()));
  for (auto const& one : published) {
    int const size = one.size;
    double const k80 = one.milliseconds;
    auto const packed = static_cast<std::size_t>(size) * (size + 1) / 2;
    auto const copies =
        static_cast<int>(std::max<std::size_t>(1, (std::size_t{1} << 26) / (packed * systems)));
    Array<double, Cuda> in(space, packed * systems * copies), out(space, packed * systems * copies);
    core::for_each(space, static_cast<std::size_t>(systems) * copies, RandomTriangle{in.data(), size});
    int turn = 0;  // other matrices each time, so that they are not in cache
    auto const seconds = timer.median(
        [&] {
          auto const at = packed * systems * (turn++ % copies);
          batched_cholesky(space, {in.data() + at, out.data() + at, size, systems},
                           {workspace.data(), workspace.size()});
        },
        11, 3);
    auto const last = packed * (systems - 1);
    if (!is_factor(core::to_vector(space, in.view().part(last, packed)),
                   core::to_vector(space, out.view().part(last, packed)), size))
      throw std::runtime_error("a factor is not the host's");
    double const n = size, operations = systems * (n * n * n / 3 + n * n / 2);
    double const bytes = 16.0 * static_cast<double>(packed) * systems;
    std::printf("%5d %9.4f %9.1f %8.1f %8.2f %10.1f\n", size, 1e3 * seconds, 1e-9 * operations / seconds,
                1e-9 * bytes / seconds, bytes / seconds / bandwidth, k80 / (1e3 * seconds));
    std::fflush(stdout);
    rows.push_back({{"size", size},
                    {"seconds", seconds},
                    {"operations_per_second", operations / seconds},
                    {"of_copy", bytes / seconds / bandwidth},
                    {"k80_over", 1e-3 * k80 / seconds}});
  }
  return rows;
}

nlohmann::ordered_json pattern(Cuda const& space, char const* name, sparse::Csr<double, Cuda> const& A,
                               int level) {
  Offset entries = 0;
  core::Array<unsigned char, Cuda> cut(space, A.rows);
  auto const time = milliseconds(space, [&] {
    auto const P = fsai::static_pattern(space, {A.rows, A.offsets.view(), A.column.view()}, {},
                                        {level, fsai::largest_row}, cut.span());
    entries = static_cast<Offset>(P.column.size());
  });
  std::printf("%-18s k %d  %10.3f ms  %11lld entries, %6.2f ns each\n", name, level, time,
              static_cast<long long>(entries), 1e6 * time / static_cast<double>(entries));
  std::fflush(stdout);
  return {{"problem", name}, {"level", level}, {"seconds", 1e-3 * time}, {"entries", entries}};
}

nlohmann::ordered_json setup(Cuda const& space, char const* name, sparse::Csr<double, Cuda>&& matrix,
                             fsai::Parameters const& parameters, double limit) {
  comm::DistCsr<double, Cuda> A;
  A.local = std::move(matrix);
  A.rows = comm::Distribution(comm::Communicator(MPI_COMM_WORLD), A.local.rows);
  A.halo = comm::HaloPlan<Cuda>(space, A.rows, {});
  core::reset_peak(space);
  std::unique_ptr<fsai::Fsai<double, Cuda>> M;
  auto const time = milliseconds(
      space, [&] { M = nullptr, M = std::make_unique<fsai::Fsai<double, Cuda>>(space, A, parameters); }, 3);
  auto const refresh = milliseconds(
      space, [&] { M->refresh(A); }, 3);
  auto const& report = M->report();
  std::printf(
      "%-18s k %d tau %g delta %g: setup %.2f ms (at most %g), refresh %.2f, density %.3f -> %.3f, peak "
      "%.2f GB\n",
      name, parameters.pattern_level, parameters.prefilter, parameters.postfilter, time, limit, refresh,
      report.pattern_density, report.density, 1e-9 * static_cast<double>(core::memory_use(space).peak));
  for (auto const& [phase, seconds] : report.phases)
    std::printf("    %s %.3f ms\n", phase.c_str(), 1e3 * seconds);
  std::fflush(stdout);
  return {{"problem", name},           {"setup", 1e-3 * time},
          {"refresh", 1e-3 * refresh}, {"pattern_density", report.pattern_density},
          {"density", report.density}, {"peak", core::memory_use(space).peak}};
}

fsai::Parameters with(int level, double prefilter, double postfilter) {
  fsai::Parameters parameters;
  parameters.pattern_level = level;
  parameters.prefilter = prefilter;
  parameters.postfilter = postfilter;
  return parameters;
}

void run(std::string const& json) {
  auto const space = core::make_cuda();
  auto const bandwidth = measure_bandwidth(space).memcpy;
  auto factorisations = cholesky(space, bandwidth);
  auto patterns = nlohmann::ordered_json::array(), setups = nlohmann::ordered_json::array();
  BoxStencil const small{101, 101, 101}, large{256, 256, 256}, apache{8, 301, 297};
  auto A = stencil_matrix(space, small);
  for (int k = 1; k <= 5; ++k) patterns.push_back(pattern(space, "Laplace3D 101^3", A, k));
  setups.push_back(setup(space, "Laplace3D 101^3", std::move(A), with(3, 0, 0.05), 60));
  A = stencil_matrix(space, apache);
  core::for_each(space, A.rows, ApacheValues{apache, A.offsets.data(), A.column.data(), A.value.data()});
  setups.push_back(setup(space, "ApacheLike3D", std::move(A), with(9, 1e-2, 0.05), 99));
  A = stencil_matrix(space, large);
  patterns.push_back(pattern(space, "Laplace3D 256^3", A, 2));
  setups.push_back(setup(space, "Laplace3D 256^3", std::move(A), with(2, 0, 0.05), 1e9));
  write_json(json, {{"cholesky", factorisations}, {"patterns", patterns}, {"setups", setups}});
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 0;
  try {
    Tessera::benchmarks::run(Tessera::benchmarks::json_file(argc, argv));
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    status = 1;
  }
  MPI_Finalize();
  return status;
}
