#include "cli/measure.hpp"

#include <malloc.h>
#include <unistd.h>

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fstream>
#include <utility>

#include "belos/linear_solver.hpp"
#include "cli/export.hpp"
#include "cli/verdict.hpp"
#include "core/memory.hpp"
#include "ifpack2/report.hpp"

namespace Tessera::cli {
namespace {

std::size_t sum(Teuchos::Comm<int> const& comm, std::size_t mine) {
  auto const local = static_cast<double>(mine);  // exact up to 2^53 bytes
  double all = 0;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_SUM, local, Teuchos::outArg(all));
  return static_cast<std::size_t>(all);
}

baselines::Preconditioner set_up(Choice const& choice, baselines::ProblemData const& data) try {
  return baselines::make_preconditioner(choice.preconditioner, choice.parameters, data);
} catch (...) {
  rethrow_naming(choice.file);
}

/// Starts the peaks anew. Gives freed memory back to the system and sets the process's peak to what it uses
/// now. Where the system does not allow that (Linux: /proc/self/clear_refs), the peak stays that of the whole
/// process.
void reset_peak_memory() {
  malloc_trim(0);
  std::ofstream("/proc/self/clear_refs") << "5\n";
#if defined(TESSERA_HAVE_CUDA)
  core::reset_peak(Cuda{});
#endif
}

/// Largest resident set of this process since the last reset, in bytes; 0 where the system does not tell.
std::size_t peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    std::size_t kilobytes = 0;
    if (std::sscanf(line.c_str(), "VmHWM: %zu kB", &kilobytes) == 1) return kilobytes * 1024;
  }
  return 0;
}

/// Most bytes that Tessera has held on this process's device since the last reset.
std::size_t device_peak_memory() {
#if defined(TESSERA_HAVE_CUDA)
  return core::memory_use(Cuda{}).peak;
#else
  return 0;
#endif
}

}  // namespace

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
  auto const start = std::chrono::steady_clock::now();
  auto M = set_up(choice, data);
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
  double const all = largest(comm, seconds.count()) - largest(comm, M.conversion_seconds);
  return {std::move(M), all};
}

double minimum(std::vector<double> const& seconds) {
  return *std::min_element(seconds.begin(), seconds.end());
}

double median(std::vector<double> seconds) {
  std::sort(seconds.begin(), seconds.end());
  auto const half = seconds.size() / 2;
  return seconds.size() % 2 ? seconds[half] : 0.5 * (seconds[half - 1] + seconds[half]);
}

std::vector<double> totals(Measurement const& measurement) {
  std::vector<double> sums(measurement.solve.size());
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] = measurement.setup[i] + measurement.solve[i];
  return sums;
}

char const* name(RunStatus status) {
  return status ? Tessera::name(*status) : "failed";
}

RunResult result_of(belos::SolveOutcome const& outcome) {
  return {outcome.status, outcome.reason,
          outcome.status == SolveStatus::converged ? converged : not_converged};
}

Progress progress_of(Options const& options, Teuchos::Comm<int> const& comm, int runs) {
  using Levels = Progress::Levels;
  auto const unasked = isatty(STDERR_FILENO) != 0 ? Levels::of_long_setups : Levels::none;
  bool const speaks = comm.getRank() == 0 && !options.quiet && options.progress.value_or(true);
  return {speaks, runs, options.progress ? Levels::all : unasked};
}

void Progress::start(std::string const& what) {
  say("[" + std::to_string(++run_) + "/" + std::to_string(runs_) + "] " + what + ": setup");
  waiting_.clear();
  said_levels_ = false;
  start_ = std::chrono::steady_clock::now();
}

void Progress::level(int number, long long rows, long long entries) {
  double constexpr long_setup = 1;  // seconds
  if (!speaks_ || levels_ == Levels::none) return;
  std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start_;
  waiting_ += ifpack2::formatted("\n  level %d: %lld rows, %.1f entries a row, %.2f s", number, rows,
                                 static_cast<double>(entries) / static_cast<double>(std::max(rows, 1LL)),
                                 seconds.count());
  if (levels_ != Levels::all && seconds.count() < long_setup) return;
  say(std::exchange(waiting_, {}));
  said_levels_ = true;
}

void Progress::set_up(double seconds) const {
  say(ifpack2::formatted(said_levels_ ? "\n  setup %.3f s, solve" : " %.3f s, solve", seconds));
}

void Progress::say(std::string const& words) const {
  if (!speaks_) return;
  std::fputs(words.c_str(), stderr);
  std::fflush(stderr);
}

void Progress::end() const {
  say("\n");
}

void repeat(Measurement& measurement, LinearSystem const& system,
            Teuchos::RCP<baselines::MultiVector> const& x, bool with_history, Progress& progress) {
  auto const& comm = system.comm();
  auto const& choice = measurement.choice;
  progress.start(choice.file);
  struct Line {  // ends with this repeat, so that an error message begins one
    Progress& progress;
    ~Line() { progress.end(); }
  } const line{progress};
  reset_peak_memory();
  auto const before = core::transferred_bytes();
  auto const [M, seconds] = timed_setup(choice, system, [&](int level, long long rows, long long entries) {
    progress.level(level, rows, entries);
  });
  measurement.setup.push_back(seconds);
  progress.set_up(seconds);

  comm.barrier();
  x->putScalar(0.0);
  bool const first = measurement.solve.empty();
  auto outcome = belos::solve(choice.krylov, system.data.matrix, M.apply, system.b, x, with_history && first);
  outcome.solveSeconds = largest(comm, outcome.solveSeconds);
  measurement.solve.push_back(outcome.solveSeconds);
  measurement.setup.back() += largest(comm, outcome.setupSeconds);
  measurement.transfer.push_back(largest(comm, M.transfer_seconds() + outcome.uploadSeconds));
  measurement.reading.push_back(largest(comm, M.reading_seconds));
  progress.say(ifpack2::formatted(" %.3f s, ", outcome.solveSeconds) + std::to_string(outcome.iterations) +
               " iterations");
  if (first) {
    auto const moved = core::transferred_bytes() - before;
    measurement.moved = {sum(comm, moved.to_device), sum(comm, moved.to_host)};
    measurement.history = outcome.history;
  }
  auto result = result_of(outcome);
  if (result.status >= measurement.result.status) {
    measurement.result = std::move(result);
    measurement.outcome = std::move(outcome);
  }
  measurement.peak_memory = std::max(measurement.peak_memory,
                                     sum(comm, peak_memory() - std::min(peak_memory(), M.conversion_bytes)));
  if (first) measurement.info = M.info();
  if (first && !measurement.save.empty()) M.ours->save(measurement.save);
  if (first && !measurement.folder.empty())
    measurement.exported = export_levels(measurement.folder, *M.ours, system);
  if (measurement.info.backend != "host")  // links between GPUs stay, and are no host's
    measurement.device_peak_memory =
        std::max(measurement.device_peak_memory, sum(comm, device_peak_memory()));
  measurement.preconditioner = M.name;
}

}  // namespace Tessera::cli
