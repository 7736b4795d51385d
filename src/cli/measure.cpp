#include "cli/measure.hpp"

#include <malloc.h>
#include <omp.h>
#include <unistd.h>

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <utility>

#include "belos/linear_solver.hpp"
#include "belos/nullspace.hpp"
#include "cli/verdict.hpp"
#include "core/memory.hpp"

namespace Tessera::cli {
namespace {

std::size_t sum(Teuchos::Comm<int> const& comm, std::size_t mine) {
  auto const local = static_cast<double>(mine);  // exact up to 2^53 bytes
  double all = 0;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, local, Teuchos::outArg(all));
  return static_cast<std::size_t>(all);
}

baselines::Preconditioner set_up(Choice const& choice, baselines::ProblemData const& data) {
  try {
    return baselines::make_preconditioner(choice.preconditioner, choice.parameters, data);
  } catch (...) {
    rethrow_naming(choice.file);
  }
}

/// Resets the peaks. Returns freed memory to the system and sets the process's peak to its present use. If
/// the system does not allow that (Linux: /proc/self/clear_refs), the peak remains that of the whole process.
void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
#if defined(TESSERA_HAVE_CUDA)
  core::reset_peak(Cuda{});
#endif
}

/// Largest resident set of this process since the last reset, in bytes; 0 if unknown.
std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::size_t kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %zu kB", &kilobytes) == 1) return kilobytes * 1024;
  }
  return 0;
}

/// Peak bytes of Tessera on this process's device since the last reset.
std::size_t device_peak_memory() {
#if defined(TESSERA_HAVE_CUDA)
  return core::memory_use(Cuda{}).peak;
#else
  return 0;
#endif
}

/// The figures of a solve that reports print.
SolveFigures plain(belos::SolveOutcome const& outcome) {
  SolveFigures solved;
  solved.solver = outcome.solver;
  solved.iterations = outcome.iterations;
  solved.restarts = outcome.restarts;
  solved.relative_residual = outcome.relativeResidual;
  solved.rounding_level = outcome.roundingLevel;
  solved.backward_error = outcome.backwardError;
  solved.row_error = outcome.rowError;
  solved.projected_share = outcome.projectedShare;
  if (outcome.projectedShare > 0) solved.projection = belos::projection_text(outcome.projectedShare);
  solved.warnings = outcome.warnings;
  return solved;
}

}  // namespace

SystemFigures figures_of(LinearSystem const& system) {
  auto const& A = *system.data.matrix;
  return {system.name,
          system.rhs,
          A.getGlobalNumRows(),
          A.getGlobalNumEntries(),
          system.b->getNumVectors(),
          system.comm().getSize(),
          omp_get_max_threads()};
}

double largest(Teuchos::Comm<int> const& comm, double mine) {
  double all = mine;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, mine, Teuchos::outArg(all));
  return all;
}

TimedSetup timed_setup(Choice const& choice, LinearSystem const& system,
                       std::function<void(int, long long, long long)> on_level) {
  auto const& comm = system.comm();
  auto data = system.data;
  data.on_level = std::move(on_level);
  comm.barrier();
  core::Stopwatch const watch{};
  auto M = set_up(choice, data);
  double const seconds = watch.seconds();
  double const all = largest(comm, seconds) - largest(comm, M.conversion_seconds);
  return {std::move(M), all};
}

RunResult result_of(belos::SolveOutcome const& outcome) {
  return {outcome.status, outcome.reason,
          outcome.status == SolveStatus::converged ? converged : not_converged};
}

Progress progress_of(Options const& options, Teuchos::Comm<int> const& comm, int runs) {
  using Levels = Progress::Levels;
  auto const unasked = isatty(STDERR_FILENO) != 0 ? Levels::of_long_setups : Levels::none;
  bool const prints = comm.getRank() == 0 && !options.quiet && options.progress.value_or(true);
  return {prints, runs, options.progress ? Levels::all : unasked};
}

void Progress::start(std::string const& what) {
  set_activity("the setup");
  print("[" + std::to_string(++run_) + "/" + std::to_string(runs_) + "] " + what + ": setup");
  waiting_.clear();
  printed_levels_ = false;
  watch_ = {};
}

void Progress::level(int number, long long rows, long long entries) {
  double constexpr long_setup = 1;  // seconds
  if (!prints_ || levels_ == Levels::none) return;
  double const seconds = watch_.seconds();
  waiting_ +=
      core::formatted("\n  level %d: %lld rows, %.1f entries a row, %.2f s", number, rows,
                      static_cast<double>(entries) / static_cast<double>(std::max(rows, 1LL)), seconds);
  if (levels_ != Levels::all && seconds < long_setup) return;
  print(std::exchange(waiting_, {}));
  printed_levels_ = true;
}

void Progress::end_setup(double seconds) const {
  set_activity("the solve");
  print(core::formatted(printed_levels_ ? "\n  setup %.3f s, solve" : " %.3f s, solve", seconds));
}

void Progress::print(std::string const& text) const {
  if (!prints_) return;
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

void Progress::end() const {
  set_activity("the output");
  print("\n");
}

void repeat(Measurement& measurement, Choice const& choice, LinearSystem const& system,
            Teuchos::RCP<baselines::MultiVector> const& x, FirstRepeat const& first_repeat,
            Progress& progress) {
  auto const& comm = system.comm();
  measurement.tolerance = choice.krylov.tolerance;
  progress.start(choice.file);
  struct Line {  // ends the line with the repeat, so that an error message has its own
    Progress& progress;
    ~Line() { progress.end(); }
  } const line{progress};
  reset_peak_memory();
  auto const before = core::transferred_bytes();
  auto const [M, seconds] = timed_setup(choice, system, [&](int level, long long rows, long long entries) {
    progress.level(level, rows, entries);
  });
  measurement.setup.push_back(seconds);
  progress.end_setup(seconds);

  comm.barrier();
  x->putScalar(0.0);
  bool const first = measurement.solve.empty();
  auto outcome =
      belos::solve(choice.krylov, system.data.matrix, M.apply, system.b, x, first_repeat.history && first);
  outcome.solveSeconds = largest(comm, outcome.solveSeconds);
  measurement.solve.push_back(outcome.solveSeconds);
  measurement.setup.back() += largest(comm, outcome.setupSeconds);
  measurement.transfer.push_back(largest(comm, M.transfer_seconds() + outcome.uploadSeconds));
  measurement.reading.push_back(largest(comm, M.reading_seconds));
  progress.print(core::formatted(" %.3f s, ", outcome.solveSeconds) + std::to_string(outcome.iterations) +
                 " iterations");
  if (first) {
    auto const moved = core::transferred_bytes() - before;
    measurement.to_device = sum(comm, moved.to_device);
    measurement.to_host = sum(comm, moved.to_host);
    measurement.history = outcome.history;
  }
  auto result = result_of(outcome);
  if (result.status >= measurement.result.status) {
    measurement.result = std::move(result);
    measurement.solved = plain(outcome);
  }
  measurement.peak_memory = std::max(measurement.peak_memory,
                                     sum(comm, peak_memory() - std::min(peak_memory(), M.conversion_bytes)));
  if (first) measurement.info = M.info();
  if (first && !first_repeat.save.empty()) M.ours->save(first_repeat.save);
  if (first && !first_repeat.folder.empty())
    measurement.exported = export_levels(first_repeat.folder, *M.ours, system);
  if (measurement.info.backend !=
      "host")  // links between GPUs stay allocated, but do not belong to a run on the host
    measurement.device_peak_memory =
        std::max(measurement.device_peak_memory, sum(comm, device_peak_memory()));
  measurement.preconditioner = M.name;
}

}  // namespace Tessera::cli
