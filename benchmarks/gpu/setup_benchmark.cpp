/// \file
/// Setup, first and later refreshes, a cycle and a solve (b = 1, to 1e-8) on a GPU, without Trilinos: times
/// by phase and memory, where the second setup prepares refreshes and where the first does, and whether every
/// level is bitwise the host's.
///
///     setup_benchmark [--no-host] [--repeat N] [--profile] [--coarsening NAME] [--precision NAME]
///                     [--format NAME] [problem ...]
///
/// Problems: laplace2d_1024 laplace3d_101 brick3d_101 elasticity3d_30 rotated2d_1639 ... (stencil,
/// dimensions, points a side); elasticity has its six rigid-body modes. Coarsenings: smoothed, as long as no
/// other is named; anisotropic, rootnode, classical, unsmoothed, paa, reshaped, matching.
/// --precision: float, half or auto, as `precision: hierarchy`. --format: as `matrix format: type`.
/// --profile brackets a warm setup and two refreshes of each kind by cudaProfilerStart/Stop.
#include <mpi.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/device.hpp"
#include "galerkin/rigid_body_modes.hpp"
#include "gpu/profiled.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "multigrid/levels/hierarchy.hpp"
#include "support/coarsenings.hpp"
#include "support/stencils.hpp"

namespace Tessera::benchmarks {
namespace {

using core::PhaseTimes;

struct Options {
  bool host = true, profile = false;
  int repeat = 5;
  sparse::MatrixFormat format = sparse::MatrixFormat::automatic;
  multigrid::HalfLevels half = multigrid::HalfLevels::none;
  std::string coarsening = "smoothed", precision = "float";
  std::vector<std::string> problems;
};

struct Problem {
  sparse::Csr<double, Host> A;
  int equations = 1;
  multigrid::NearNullspace nullspace;
};

Problem elastic_cube(Index n) {
  Problem problem{elasticity(n), 3, {}};
  std::vector<double> coordinates;
  for (Index i = 0; i < n * n * n; ++i) {
    for (Index const x : {i % n, i / n % n, i / (n * n)}) coordinates.push_back(x);
  }
  problem.nullspace.vectors = galerkin::rigid_body_mode_count(3);
  problem.nullspace.rigid_body =
      galerkin::rigid_body_frame(comm::Communicator(MPI_COMM_WORLD), coordinates, 3);
  problem.nullspace.dimension = 3;
  problem.nullspace.coordinates = std::move(coordinates);
  return problem;
}

/// "laplace3d_101" and the like.
Problem stencil(std::string const& name) {
  auto const bar = name.find('_');
  auto const kind = name.substr(0, bar);
  Index const n = bar == std::string::npos ? 0 : std::atoi(name.c_str() + bar + 1);
  if (n < 1) throw core::InvalidInput("problem `" + name + "` (no size); write laplace3d_101");
  if (kind == "laplace2d") return {laplace(n, n, 1), 1, {}};
  if (kind == "laplace3d") return {laplace(n, n, n), 1, {}};
  if (kind == "brick3d") return {brick(n), 1, {}};
  if (kind == "elasticity3d") return elastic_cube(n);
  if (kind == "rotated2d") return {rotated_anisotropy(n), 1, {}};
  throw core::InvalidInput("problem `" + name +
                           "` (unknown); take laplace2d, laplace3d, brick3d, elasticity3d or rotated2d");
}

template <class Space, class Work>
double milliseconds(Space const& space, Work const& work) {
  core::synchronize(space);
  auto const start = std::chrono::steady_clock::now();
  work();
  core::synchronize(space);
  return 1e3 * std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// What a space needs for one problem; the very first setup apart, since memory pools grow in it.
struct Figures {
  double cold = 0, setup = 1e30, first_refresh = 1e30, refresh = 1e30, apply = 1e30;  ///< milliseconds
  double solve = 1e30;
  int iterations = 0;
  std::size_t peak = 0, held = 0, refresh_peak = 0, refresh_held = 0;  ///< bytes, the matrix included
  PhaseTimes setup_phases, first_phases, refresh_phases;
  multigrid::HierarchyReport report;
};

/// A problem on a space, and how its hierarchies are made.
template <class Space>
struct Case {
  using Hierarchy = multigrid::Hierarchy<float, Space>;
  Space const& space;
  comm::DistCsr<double, Space> const& A;
  Problem const& problem;
  multigrid::Parameters parameters;
  std::vector<VertexId> ids;

  Case(Space const& where, comm::DistCsr<double, Space> const& matrix, Problem const& of,
       multigrid::Parameters const& of_list, multigrid::RefreshPreparation preparation)
      : space(where), A(matrix), problem(of), parameters(of_list) {
    parameters.equations = problem.equations;
    parameters.prepare_refresh = preparation;
    ids.resize(A.local.rows / problem.equations);
    std::iota(ids.begin(), ids.end(), 0);
  }
  /// How long it takes.
  double set_up(std::unique_ptr<Hierarchy>& hierarchy) const {
    hierarchy = nullptr;
    auto own = core::to_space(space, ids);
    return milliseconds(space, [&] {
      hierarchy = std::make_unique<Hierarchy>(space, A, std::move(own), problem.nullspace, parameters);
    });
  }
};

template <class Work>
void keep_least(double& least, Work const& work, int repeat) {
  for (int r = 0; r < repeat; ++r) least = std::min(least, work());
}

template <class Space>
Figures measure(Case<Space> const& c, int repeat) {
  auto const& space = c.space;
  Figures figures;
  std::unique_ptr<typename Case<Space>::Hierarchy> hierarchy;
  auto const refresh = [&] { return milliseconds(space, [&] { hierarchy->refresh(c.A); }); };
  core::reset_peak(space);
  figures.cold = c.set_up(hierarchy);
  figures.peak = core::memory_use(space).peak;
  keep_least(
      figures.setup, [&] { return c.set_up(hierarchy); }, repeat);
  figures.held = core::memory_use(space).in_use;
  figures.report = hierarchy->report();
  figures.setup_phases = figures.report.phases;
  core::reset_peak(space);
  for (int k = 0; k < repeat; ++k) {
    if (k > 0) c.set_up(hierarchy);
    keep_least(figures.first_refresh, refresh, 1);
    if (k == 0) figures.refresh_peak = core::memory_use(space).peak;
    figures.first_phases = hierarchy->report().phases;
  }
  keep_least(figures.refresh, refresh, repeat);
  figures.refresh_held = core::memory_use(space).in_use;
  figures.refresh_phases = hierarchy->report().phases;
  auto const n = static_cast<std::size_t>(c.A.local.rows);
  Array<double, Space> x(space, n);
  auto const b = core::to_space(space, std::vector<double>(n, 1.0));
  auto const apply = [&] { return milliseconds(space, [&] { hierarchy->apply(b.view(), x.span()); }); };
  keep_least(figures.apply, apply, 4 * repeat);
  comm::DistMatrix<double, Space> const stored(space, c.A, comm::StorageParameters{});
  krylov::Preconditioner M;
  M.apply = [&](Span<double const> r, Span<double> z) { hierarchy->apply(r, z); };
  M.capturable = hierarchy->enqueues_only();
  M.symmetric = c.parameters.cycle != multigrid::CycleType::K;
  if (auto const r = hierarchy->input(); !r.empty())
    M.single = {r, hierarchy->output(), [&] { hierarchy->apply(); }};
  M.version = 1;
  krylov::Parameters how;
  how.start_from_zero = true;
  krylov::Workspace<Space> workspace;
  auto const solve = [&] {
    return milliseconds(space, [&] {
      figures.iterations = krylov::solve(space, stored, M, b.view(), x.span(), how, workspace).iterations;
    });
  };
  keep_least(figures.solve, solve, repeat);
  return figures;
}

/// For profilers: a setup, its first refresh, a later one.
template <class Space>
void profile(Case<Space> const& c) {
  std::unique_ptr<typename Case<Space>::Hierarchy> hierarchy;
  auto const profiled = [](char const* what, auto const& work) {
    std::printf("profiled: %s\n", what);
    std::fflush(stdout);
    start_profiler();
    work();
    stop_profiler();
  };
  auto const refresh = [&] { milliseconds(c.space, [&] { hierarchy->refresh(c.A); }); };
  profiled("setup", [&] { c.set_up(hierarchy); });
  profiled("first refresh", refresh);
  profiled("refresh", refresh);
}

void print(char const* space, char const* preparation, Figures const& f, double rows) {
  std::printf(
      "  %-4s %-8s cold %8.2f  setup %8.2f  first refresh %8.2f  refresh %8.2f  apply %7.3f  solve %8.3f ms "
      "in %d  "
      "peak %6.1f  held %6.1f  refreshes: peak %6.1f  held %6.1f bytes/row\n",
      space, preparation, f.cold, f.setup, f.first_refresh, f.refresh, f.apply, f.solve, f.iterations,
      static_cast<double>(f.peak) / rows, static_cast<double>(f.held) / rows,
      static_cast<double>(f.refresh_peak) / rows, static_cast<double>(f.refresh_held) / rows);
  auto const list = [](char const* title, PhaseTimes const& phases) {
    std::printf("        %s:", title);
    for (auto const& [phase, seconds] : phases) std::printf("  %s %.2f", phase.c_str(), 1e3 * seconds);
    std::printf("\n");
  };
  list("setup", f.setup_phases);
  list("first refresh", f.first_phases);
  list("refresh", f.refresh_phases);
}

/// Both preparations of refreshes; the report of the first.
template <class Space>
multigrid::HierarchyReport measure_all(char const* name, Space const& space,
                                       comm::DistCsr<double, Space> const& A, Problem const& problem,
                                       multigrid::Parameters const& parameters, int repeat, bool profiled) {
  using multigrid::RefreshPreparation;
  multigrid::HierarchyReport report;
  for (auto const& [word, preparation] :
       {std::pair{"second", RefreshPreparation::second}, {"first", RefreshPreparation::first}}) {
    Case<Space> const c(space, A, problem, parameters, preparation);
    auto const figures = measure(c, repeat);
    print(name, word, figures, A.local.rows);
    if (profiled) profile(c);
    if (report.levels.empty()) report = figures.report;
  }
  return report;
}

/// Whether all levels agree with the host's.
bool run(Cuda const& cuda, std::string const& name, Options const& options) {
  Host const host;
  auto problem = stencil(name);
  comm::DistCsr<double, Host> A;
  A.local = std::move(problem.A);
  A.rows = comm::Distribution(comm::Communicator(MPI_COMM_WORLD), A.local.rows);
  A.halo = comm::HaloPlan<Host>(host, A.rows, {});
  auto parameters = coarsening(options.coarsening);
  parameters.half = options.half;
  parameters.format = options.format;
  std::printf("%s: %d rows, %zu nonzeros%s, %s, format %s\n", name.c_str(), A.local.rows,
              A.local.column.size(), suffix(options.coarsening).c_str(), options.precision.c_str(),
              sparse::matrix_formats[static_cast<int>(options.format)].first);
  std::fflush(stdout);
  auto const on_device = comm::copied(host, A, cuda);
  auto const device =
      measure_all("cuda", cuda, on_device, problem, parameters, options.repeat, options.profile);
  bool equal = true;
  if (options.host) {
    auto const here = measure_all("host", host, A, problem, parameters, 1, false);
    equal = here.levels.size() == device.levels.size();
    for (std::size_t l = 0; equal && l < here.levels.size(); ++l)
      equal = here.levels[l].checksum == device.levels[l].checksum;
    std::printf("  levels %s the host's\n", equal ? "bitwise equal to" : "DIFFER from");
  }
  for (auto const& level : device.levels) {
    std::printf("        %9lld rows %10lld nonzeros  rho %.6f  %s  %s, %.2f bytes an entry\n",
                static_cast<long long>(level.rows), static_cast<long long>(level.nonzeros),
                level.spectral_radius, level.checksum.c_str(), level.format.c_str(), level.entry_bytes);
  }
  std::fflush(stdout);
  return equal;
}

sparse::MatrixFormat format(std::string const& name) {
  for (auto const& [known, value] : sparse::matrix_formats)
    if (name == known) return value;
  throw core::InvalidInput("format `" + name + "` (unknown); take a value of `matrix format: type`");
}

multigrid::HalfLevels half_levels(std::string const& precision) {
  using multigrid::HalfLevels;
  if (precision == "float") return HalfLevels::none;
  if (precision == "half") return HalfLevels::all;
  if (precision == "auto") return HalfLevels::automatic;
  throw core::InvalidInput("precision `" + precision + "` (unknown); take float, half or auto");
}

Options parsed(int argc, char** argv) {
  Options options;
  for (int a = 1; a < argc; ++a) {
    std::string const word = argv[a];
    if (word == "--no-host") {
      options.host = false;
    } else if (word == "--profile") {
      options.profile = true;
    } else if (word == "--precision" && a + 1 < argc) {
      options.precision = argv[++a];
      options.half = half_levels(options.precision);
    } else if (word == "--format" && a + 1 < argc) {
      options.format = format(argv[++a]);
    } else if (word == "--coarsening" && a + 1 < argc) {
      options.coarsening = argv[++a];
    } else if (word == "--repeat" && a + 1 < argc) {
      options.repeat = std::max(1, std::atoi(argv[++a]));
    } else {
      options.problems.push_back(word);
    }
  }
  if (options.problems.empty()) options.problems = {"laplace2d_1024", "laplace3d_101", "brick3d_101"};
  return options;
}

}  // namespace
}  // namespace Tessera::benchmarks

int main(int argc, char** argv) {
  using namespace Tessera;
  MPI_Init(&argc, &argv);
  bool equal = true;
  try {
    auto const options = benchmarks::parsed(argc, argv);
    auto const cuda = core::make_cuda();
    for (auto const& problem : options.problems) equal = benchmarks::run(cuda, problem, options) && equal;
  } catch (std::exception const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    equal = false;
  }
  MPI_Finalize();
  return equal ? 0 : 1;
}
