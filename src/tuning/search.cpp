#include "tuning/search.hpp"

#include <Teuchos_CommHelpers.hpp>
#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

#include "belos/krylov_choice.hpp"
#include "belos/linear_solver.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"
#include "ifpack2/backend.hpp"
#include "parameters/messages.hpp"
#include "parameters/parse.hpp"
#include "parameters/selection.hpp"
#include "tpetra/types.hpp"

namespace Tessera::tuning {
namespace {

using Teuchos::ParameterList;

double constexpr patience = 1.5;     ///< factor on the time of the best, within which a list must finish
int constexpr first_iterations = 5;  ///< that measure the time of one
int constexpr most_runs = 30;        ///< of one list; its smallest times count
double constexpr share_of_second_run =
    0.1;                          ///< share of options.seconds within which a list runs a second time
int constexpr rounds = 30;        ///< of turns among the lists near the best
int constexpr most_attempts = 3;  ///< runs of a list that seems too slow, because the machine may be busy
double constexpr share_of_runs = 0.02;  ///< share within which it runs again

double largest(Teuchos::Comm<int> const& comm, double mine) {
  double all = mine;
  Teuchos::reduceAll(comm, Teuchos::REDUCE_MAX, mine, Teuchos::outArg(all));
  return all;
}

/// The parameters of a run: those of the list, without output, with the vectors of the options.
struct RunSettings {
  belos::KrylovChoice krylov;
  ParameterList own;
};

/// Changes a copy, because these parameters do not belong in the resulting list.
RunSettings run_settings(TuneTrial const& trial, TuneOptions const& options) {
  auto const selection = parameters::selection(Teuchos::rcp(new ParameterList(*trial.settings)));
  parameters::validate(selection);
  RunSettings result{belos::krylov_choice(selection), *selection.preconditioner_parameters};
  auto& own = result.own;
  own.set("verbosity", "none");
  parameters::choose_precision(own, result.krylov.solver, result.krylov.parameters);
  if (parameters::parse(own).algorithm == settings::Algorithm::fsai) return result;
  auto& data = own.sublist("user data");
  if (!options.nearNullspace.is_null()) data.set("Nullspace", options.nearNullspace);
  if (!options.coordinates.is_null()) data.set("Coordinates", options.coordinates);
  return result;
}

/// The peak memory on a back end, on this rank, since construction.
class Peak {
 public:
  explicit Peak(ifpack2::AnySpace space) : space_(std::move(space)) {
    std::visit([](auto const& on) { core::reset_peak(on); }, space_);
    before_ = use().in_use;
  }
  std::size_t bytes() const { return use().peak - before_; }

 private:
  core::MemoryUse use() const {
    return std::visit([](auto const& on) { return core::memory_use(on); }, space_);
  }

  ifpack2::AnySpace space_;
  std::size_t before_ = 0;
};

class Search {
 public:
  Search(Teuchos::RCP<tpetra::RowMatrix const> const& A, TuneOptions const& options, TuneReport& report)
      : A_(A),
        comm_(*A->getComm()),
        ranks_(tpetra::communicator(comm_)),
        options_(options),
        result_(report) {}

  /// remaining: number of candidates that share the remaining time, including this one.
  void test(Candidate const& candidate, std::size_t remaining) {
    TuneTrial trial;
    trial.name = candidate.name;
    trial.settings = candidate.settings;
    double const left = options_.seconds - elapsed();
    if (left <= 0)
      trial.reason = "the time is up";
    else
      attempt(trial, is_bounded() ? left : left / static_cast<double>(remaining));
    if (is_faster(trial)) remeasure_best();
    bool const first = trial.solved() && !found_;
    trial.improved = first || is_faster(trial);
    result_.trials.push_back(trial);
    auto const tried = result_.trials.size();
    if (trial.improved)
      result_.best = tried - 1;
    else if (!found_)
      result_.best = tried;
    found_ = found_ || first;
    if (options_.told) options_.told(result_);
  }

  /// Runs the lists near the best in turns, so that a slow minute of the machine affects all of them. Then
  /// chooses the best again.
  void take_turns() {
    std::vector<std::size_t> near;
    double round = 0;  // seconds
    for (std::size_t i = 0; i < result_.trials.size(); ++i) {
      auto const& trial = result_.trials[i];
      if (trial.status != best().status || trial.totalSeconds > patience * best().totalSeconds) continue;
      near.push_back(i);
      round += trial.setupSeconds + trial.solveSeconds;
    }
    auto const begin = elapsed();
    for (int i = 0; i < rounds && near.size() > 1; ++i) {
      if (elapsed() - begin + round > share_of_second_run * options_.seconds) break;
      for (auto const k : near) {
        auto& trial = result_.trials[k];
        collectively(trial, [&] { run_once_more(trial, run_settings(trial, options_)); });
      }
    }
    choose();
  }

  bool found() const { return found_; }
  std::vector<TuneTrial> const& trials() const { return result_.trials; }
  TuneTrial const& best() const { return result_.trials[result_.best]; }

 private:
  /// Whether the trial is faster than the best. Convergence precedes the rounding level.
  bool is_faster(TuneTrial const& trial) const {
    if (!trial.solved() || !found_) return false;
    if (trial.status != best().status) return trial.converged() || !best().solved();
    return trial.totalSeconds < (1 - tuneNoise) * best().totalSeconds;
  }

  /// Whether the time of the best bounds the time of further lists.
  bool is_bounded() const { return found_ && best().converged(); }

  double elapsed() const { return largest(comm_, watch_.seconds()); }

  /// Works on a list. If the work throws on a rank, the list has failed.
  template <class Work>
  void collectively(TuneTrial& trial, Work const& work) {
    try {
      comm::agree_on_errors(ranks_, work);
    } catch (std::exception const& error) {
      trial.status = TuneStatus::failed;
      trial.reason = parameters::plain_text(error.what());
    }
  }

  /// Runs the list for at most so many seconds, not counting its setup.
  void run(TuneTrial& trial, double seconds) {
    auto const choice = run_settings(trial, options_);
    trial.reason.clear();
    trial.ranOut = false;
    auto const begin = elapsed();
    // Also starts the device, so that no measured time includes its start.
    Peak const peak(ifpack2::choose_backend(parameters::parse(choice.own), ranks_).space);
    belos::LinearSolver solver;
    trial.setupSeconds = set_up(solver, choice);
    if (is_too_large(trial, peak)) return;
    double const most =
        is_bounded() ? patience * best().totalSeconds : std::numeric_limits<double>::infinity();
    double const least = share_of_runs * options_.seconds;
    if (trial.setupSeconds > std::max(most, least)) {
      trial.status = TuneStatus::stopped;
      trial.reason = "its setup alone takes longer than the fastest list";
      return;
    }
    seconds = std::min(seconds, std::max(least, (most - trial.setupSeconds) / options_.solvesPerSetup));
    int const own = choice.krylov.max_iterations;
    auto const first = solve(solver, choice, std::min(own, first_iterations));
    int const bound = bounded_iterations(first, own, seconds);
    auto const outcome = solve(solver, choice, bound);
    record(trial, outcome, choice, bound < own);
    trial.runs = 1;
    trial.setupSeconds += first.setupSeconds + outcome.setupSeconds;
    trial.totalSeconds = trial.setupSeconds + options_.solvesPerSetup * trial.solveSeconds;
    if (!is_too_large(trial, peak) && trial.solved()) run_again(trial, choice, begin);
  }

  /// Repeats for smaller times, because the first run pays for allocations.
  void run_again(TuneTrial& trial, RunSettings const& choice, double begin) {
    bool const close = !found_ || trial.totalSeconds <= (1 + 4 * tuneNoise) * best().totalSeconds;
    for (; trial.runs < most_runs; ++trial.runs) {
      double const share = trial.runs == 1 && close ? share_of_second_run : share_of_runs;
      if (elapsed() - begin > share * options_.seconds) break;
      run_once_more(trial, choice);
      if (!trial.solved()) break;
    }
  }

  void run_once_more(TuneTrial& trial, RunSettings const& choice) {
    belos::LinearSolver solver;
    double const setup = set_up(solver, choice);
    auto const outcome = solve(solver, choice, choice.krylov.max_iterations);
    if (status_of(outcome, false) != trial.status) return record(trial, outcome, choice, false);
    trial.setupSeconds = std::min(trial.setupSeconds, setup + outcome.setupSeconds);
    trial.solveSeconds = std::min(trial.solveSeconds, outcome.solveSeconds);
    trial.totalSeconds = trial.setupSeconds + options_.solvesPerSetup * trial.solveSeconds;
  }

  /// The earliest among equally fast trials.
  void choose() {
    found_ = false;
    result_.best = result_.trials.size();
    for (std::size_t i = 0; i < result_.trials.size(); ++i) {
      bool const first = result_.trials[i].solved() && !found_;
      if (first || is_faster(result_.trials[i])) result_.best = i;
      found_ = found_ || first;
    }
  }

  /// Runs a list again if it seems too slow and took little time, because the machine may have been busy.
  void attempt(TuneTrial& trial, double seconds) {
    double const most = is_bounded() ? share_of_runs * options_.seconds : seconds;
    auto const begin = elapsed();
    for (int i = 0; i < most_attempts; ++i) {
      collectively(trial, [&] { run(trial, seconds); });
      if (trial.status != TuneStatus::stopped || elapsed() - begin > most) return;
    }
  }

  /// Measures the best again when a list seems faster, because the machine may have been busy before.
  void remeasure_best() {
    auto& trial = result_.trials[result_.best];
    if (trial.setupSeconds + trial.solveSeconds > share_of_second_run * options_.seconds) return;
    collectively(trial, [&] {
      trial.runs = 1;
      run_again(trial, run_settings(trial, options_), elapsed());
    });
  }

  /// The number of iterations that the time allows, at most that of the list.
  static int bounded_iterations(SolveReport const& first, int own, double seconds) {
    if (first.iterations == 0) return own;
    double const each = first.solveSeconds / first.iterations;
    double const bound = std::max<double>(first_iterations, std::ceil(seconds / std::max(each, 1e-9)));
    return bound < own ? static_cast<int>(bound) : own;
  }

  /// Seconds on the slowest rank, without the conversion of the matrix.
  double set_up(belos::LinearSolver& solver, RunSettings const& choice) {
    comm_.barrier();
    solver.set_up(A_, &choice.own, A_);
    return solver.setup().seconds;
  }

  SolveReport solve(belos::LinearSolver const& solver, RunSettings const& choice, int iterations) {
    auto krylov = choice.krylov;
    krylov.parameters.set("Maximum Iterations", iterations);
    belos::read_limits(krylov);
    comm_.barrier();
    x_.putScalar(0.0);
    return solver.solve(krylov, *options_.b, x_);
  }

  static TuneStatus status_of(SolveReport const& outcome, bool bounded) {
    if (outcome.converged) return TuneStatus::converged;
    if (outcome.status == SolveStatus::roundingLevel) return TuneStatus::roundingLevel;
    bool const stopped = bounded && outcome.status == SolveStatus::notConverged;
    return stopped ? TuneStatus::stopped : TuneStatus::notConverged;
  }

  /// bounded: the time allowed fewer iterations than the list.
  void record(TuneTrial& trial, SolveReport const& outcome, RunSettings const& choice, bool bounded) const {
    trial.iterations = outcome.iterations;
    trial.solveSeconds = outcome.solveSeconds;
    trial.relativeResidual = outcome.relativeResidual;
    trial.status = status_of(outcome, bounded);
    if (outcome.converged) return;
    bool const stopped = trial.status == TuneStatus::stopped;
    trial.ranOut = stopped || (outcome.status == SolveStatus::notConverged &&
                               outcome.iterations >= choice.krylov.max_iterations);
    trial.reason = !stopped       ? outcome.reason
                   : is_bounded() ? "no longer the fastest, which takes " +
                                        core::formatted("%.3f s", best().totalSeconds)
                                  : std::string("its share of the time is up");
  }

  /// Records the memory of the list so far. Returns whether it exceeds the bound.
  bool is_too_large(TuneTrial& trial, Peak const& peak) const {
    trial.bytes = static_cast<std::size_t>(ranks_.sum(static_cast<GlobalIndex>(peak.bytes())));
    if (options_.bytes == 0 || trial.bytes <= options_.bytes) return false;
    trial.status = TuneStatus::tooLarge;
    trial.reason =
        core::formatted("took %.1f MB, and %.1f are allowed", 1e-6 * trial.bytes, 1e-6 * options_.bytes);
    return true;
  }

  Teuchos::RCP<tpetra::RowMatrix const> const& A_;
  Teuchos::Comm<int> const& comm_;
  comm::Communicator ranks_;
  TuneOptions const& options_;
  TuneReport& result_;
  tpetra::MultiVector x_{A_->getRowMap(), 1};
  core::Stopwatch watch_;
  bool found_ = false;
};

}  // namespace

void search(Teuchos::RCP<tpetra::RowMatrix const> const& A, std::vector<Candidate> const& candidates,
            TuneOptions const& options, TuneReport& report) {
  Search search(A, options, report);
  // Each list once, and once without dropping couplings.
  auto remaining = 2 * candidates.size();
  for (auto const& candidate : candidates) search.test(candidate, remaining--);
  for (std::size_t i = 0; i < candidates.size(); ++i, --remaining) {
    auto const status = search.trials()[i].status;
    if (status != TuneStatus::notConverged && status != TuneStatus::stopped) continue;
    for (auto const& change : without_dropping(own_settings(candidates[i])))
      search.test(changed(candidates[i], change), remaining);
  }
  if (search.found()) search.take_turns();
  if (!search.found()) return;
  for (auto const& variation : variations()) {
    Candidate const from{search.best().name, search.best().settings};
    for (auto const& change : variation(own_settings(from))) search.test(changed(from, change), 1);
  }
  search.take_turns();
}

}  // namespace Tessera::tuning
