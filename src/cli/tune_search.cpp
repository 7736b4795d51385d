#include "cli/tune_search.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

#include "belos/linear_solver.hpp"
#include "cli/verdict.hpp"
#include "core/error.hpp"
#include "ifpack2/report.hpp"
#include "tpetra/communicator.hpp"

namespace Tessera::cli {
namespace {

using Clock = std::chrono::steady_clock;

double constexpr patience = 1.5;     ///< times what the best took, for a list to show that it is faster
int constexpr first_iterations = 5;  ///< that tell how long one takes
int constexpr most_runs = 10;        ///< of one list, for its smallest times
double constexpr share_of_second_run = 0.1;  ///< of all the time, that a list may have taken before it
int constexpr rounds = 5;                    ///< in which lists near the best take turns
int constexpr most_attempts = 3;             ///< before a list is too slow: the machine may be busy
double constexpr share_of_runs = 0.02;       ///< the same, before each further run

std::string seconds_text(double seconds) {
  return ifpack2::formatted("%.3f s", seconds);
}

class Search {
 public:
  Search(LinearSystem const& system, TuneGoal const& goal, std::function<void(Trial const&)> const& told)
      : system_(system),
        comm_(*system.data.matrix->getComm()),
        goal_(goal),
        told_(told),
        x_(Teuchos::rcp(new baselines::MultiVector(system.data.matrix->getDomainMap(), 1))) {}

  /// to_come: candidates that wait for their share of the time, itself counted.
  void test(Candidate const& candidate, std::size_t to_come) {
    Trial trial;
    trial.candidate = candidate;
    double const left = goal_.seconds - elapsed();
    if (left <= 0)
      trial.reason = "the time is up";
    else
      attempt(trial, found_ ? left : left / static_cast<double>(to_come));
    if (is_faster(trial)) defend();
    bool const first = trial.converged() && !found_;
    trial.improved = first || is_faster(trial);
    result_.trials.push_back(trial);
    auto const tried = result_.trials.size();
    if (trial.improved)
      result_.best = tried - 1;
    else if (!found_)
      result_.best = tried;
    found_ = found_ || first;
    told_(trial);
  }

  /// Lists near the best take turns, so that a slow minute of the machine hits all alike. Then the best is
  /// chosen anew.
  void take_turns() {
    std::vector<std::size_t> near;
    double round = 0;  // seconds
    for (std::size_t i = 0; i < result_.trials.size(); ++i) {
      auto const& trial = result_.trials[i];
      if (!trial.converged() || trial.total > patience * best().total) continue;
      near.push_back(i);
      round += trial.setup + trial.solve;
    }
    auto const begin = elapsed();
    for (int i = 0; i < rounds && near.size() > 1; ++i) {
      if (elapsed() - begin + round > share_of_second_run * goal_.seconds) break;
      for (auto const k : near) {
        auto& trial = result_.trials[k];
        collectively(trial, [&] { run_once_more(trial, choice(trial)); });
      }
    }
    choose();
  }

  bool found() const { return found_; }
  Tuning const& result() const { return result_; }
  Trial const& best() const { return result_.trials[result_.best]; }

 private:
  /// Than the best, if there is one.
  bool is_faster(Trial const& trial) const {
    if (!trial.converged() || !found_) return false;
    return !best().converged() || trial.total < (1 - noise) * best().total;
  }

  double elapsed() const {
    std::chrono::duration<double> const mine = Clock::now() - start_;
    return largest(comm_, mine.count());
  }

  /// Work on a list, which has failed where that throws on any rank.
  template <class Work>
  void collectively(Trial& trial, Work const& work) {
    auto const ranks = tpetra::communicator(comm_);
    auto const ending = agreed(ranks.raw(), [&] {
      work();
      return static_cast<int>(converged);
    });
    if (ending.message.empty()) return;
    trial.end = TrialEnd::failed;
    trial.reason = ending.message;
  }

  /// Of a copy: what is set here does not belong in the list that is written.
  static Choice choice(Trial const& trial) {
    auto const list = Teuchos::rcp(new Teuchos::ParameterList(*trial.candidate.list));
    Overrides overrides;
    overrides.quiet = true;
    return choice_of(list, trial.candidate.name, overrides);
  }

  /// Runs the list for at most so many seconds, its setup excepted.
  void run(Trial& trial, double seconds) {
    auto const choice = Search::choice(trial);
    trial.reason.clear();
    trial.tolerance = choice.krylov.tolerance;
    prepare_device(choice, comm_);
    auto const begin = elapsed();
    auto const M = timed_setup(choice, system_);
    trial.setup = M.seconds;
    double const most = found_ ? patience * best().total : std::numeric_limits<double>::infinity();
    double const least = share_of_runs * goal_.seconds;
    if (M.seconds > std::max(most, least)) {
      trial.end = TrialEnd::too_slow;
      trial.reason = "its setup alone takes longer than the fastest list";
      return;
    }
    seconds = std::min(seconds, std::max(least, (most - M.seconds) / goal_.solves_per_setup));
    int const bound = bounded_iterations(choice, M.preconditioner, seconds);
    auto const outcome = solve(choice, M.preconditioner, bound);
    record(trial, outcome, bound < choice.krylov.max_iterations);
    trial.runs = 1;
    trial.setup += outcome.setupSeconds;
    trial.total = trial.setup + goal_.solves_per_setup * trial.solve;
    if (trial.converged()) run_again(trial, choice, begin);
  }

  /// For smaller times: what runs first pays for memory that others find ready.
  void run_again(Trial& trial, Choice const& choice, double begin) {
    bool const close = !found_ || trial.total <= (1 + 4 * noise) * best().total;
    for (; trial.runs < most_runs; ++trial.runs) {
      double const share = trial.runs == 1 && close ? share_of_second_run : share_of_runs;
      if (elapsed() - begin > share * goal_.seconds) break;
      run_once_more(trial, choice);
      if (!trial.converged()) break;
    }
  }

  void run_once_more(Trial& trial, Choice const& choice) {
    auto const M = timed_setup(choice, system_);
    auto const outcome = solve(choice, M.preconditioner, choice.krylov.max_iterations);
    if (!outcome.converged) return record(trial, outcome, false);
    trial.setup = std::min(trial.setup, M.seconds + outcome.setupSeconds);
    trial.solve = std::min(trial.solve, outcome.solveSeconds);
    trial.total = trial.setup + goal_.solves_per_setup * trial.solve;
  }

  /// The earliest of those that are equally fast.
  void choose() {
    found_ = false;
    result_.best = result_.trials.size();
    for (std::size_t i = 0; i < result_.trials.size(); ++i) {
      bool const first = result_.trials[i].converged() && !found_;
      if (first || is_faster(result_.trials[i])) result_.best = i;
      found_ = found_ || first;
    }
  }

  /// As run(), again where a list seems too slow and took so little that the machine may have been busy.
  void attempt(Trial& trial, double seconds) {
    auto const begin = elapsed();
    for (int i = 0; i < most_attempts; ++i) {
      collectively(trial, [&] { run(trial, seconds); });
      if (trial.end != TrialEnd::too_slow || !found_ || elapsed() - begin > share_of_runs * goal_.seconds)
        return;
    }
  }

  /// Measures the best once more, beside a list that seems faster: the machine may have been busy before.
  void defend() {
    auto& trial = result_.trials[result_.best];
    if (trial.setup + trial.solve > share_of_second_run * goal_.seconds) return;
    collectively(trial, [&] {
      trial.runs = 1;
      run_again(trial, choice(trial), elapsed());
    });
  }

  /// As many as the time allows, at most what the list does.
  int bounded_iterations(Choice const& choice, baselines::Preconditioner const& M, double seconds) {
    int const own = choice.krylov.max_iterations;
    auto const outcome = solve(choice, M, std::min(own, first_iterations));
    if (outcome.iterations == 0) return own;
    double const each = outcome.solveSeconds / outcome.iterations;
    double const bound = std::max<double>(first_iterations, std::ceil(seconds / std::max(each, 1e-9)));
    return bound < own ? static_cast<int>(bound) : own;
  }

  belos::SolveOutcome solve(Choice const& choice, baselines::Preconditioner const& M, int iterations) {
    auto krylov = choice.krylov;
    krylov.parameters.set("Maximum Iterations", iterations);
    belos::settle(krylov);
    comm_.barrier();
    x_->putScalar(0.0);
    auto outcome = belos::solve(krylov, system_.data.matrix, M.apply, system_.b, x_, false);
    outcome.solveSeconds = largest(comm_, outcome.solveSeconds);
    outcome.setupSeconds = largest(comm_, outcome.setupSeconds);
    return outcome;
  }

  /// bounded: by the time, below what the list allows.
  void record(Trial& trial, belos::SolveOutcome const& outcome, bool bounded) const {
    trial.iterations = outcome.iterations;
    trial.solve = outcome.solveSeconds;
    trial.residual = outcome.relativeResidual;
    trial.end = TrialEnd::converged;
    if (outcome.converged) return;
    bool const stopped = bounded && outcome.status == SolveStatus::notConverged;
    trial.end = stopped ? TrialEnd::too_slow : TrialEnd::not_converged;
    trial.reason = !stopped ? outcome.reason
                   : found_ ? core::message("no longer the fastest, which takes ", seconds_text(best().total))
                            : std::string("its share of the time is up");
  }

  LinearSystem const& system_;
  Teuchos::Comm<int> const& comm_;
  TuneGoal goal_;
  std::function<void(Trial const&)> const& told_;
  Teuchos::RCP<baselines::MultiVector> x_;
  Clock::time_point start_ = Clock::now();
  Tuning result_;
  bool found_ = false;
};

}  // namespace

char const* name(TrialEnd end) {
  switch (end) {
    case TrialEnd::converged:
      return "converged";
    case TrialEnd::not_converged:
      return "not converged";
    case TrialEnd::too_slow:
      return "stopped";
    case TrialEnd::failed:
      return "failed";
    case TrialEnd::not_tried:
      return "not tried";
  }
  return "";
}

Tuning tune(LinearSystem const& system, std::vector<Candidate> const& candidates, TuneGoal const& goal,
            std::function<void(Trial const&)> const& told) {
  Search search(system, goal, told);
  auto to_come = candidates.size();
  for (auto const& candidate : candidates) search.test(candidate, to_come--);
  if (search.found()) search.take_turns();
  if (!search.found()) return search.result();
  for (auto const& knob : knobs()) {
    auto const from = search.best().candidate;
    for (auto const& change : knob(own_settings(from))) search.test(changed(from, change), 1);
  }
  search.take_turns();
  return search.result();
}

}  // namespace Tessera::cli
