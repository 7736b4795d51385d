#pragma once
/// \file
/// Setup and solve of one list on one problem, timed.
#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "cli/options.hpp"
#include "cli/solver_list.hpp"
#include "core/array.hpp"

namespace Tessera::cli {

/// A x = b and what preconditioners may know of A.
struct LinearSystem {
  std::string name;
  std::string rhs;  ///< what b is, such as: b = 1
  baselines::ProblemData data;
  Teuchos::RCP<baselines::MultiVector> b;
  Teuchos::Comm<int> const& comm() const { return *data.matrix->getComm(); }
};

/// How a list's solve ended; empty: it failed before there was one.
using RunStatus = std::optional<SolveStatus>;

/// As in JSON: "rounding level".
char const* name(RunStatus status);

/// What a list came to, and why where it did not converge.
struct RunResult {
  RunStatus status = SolveStatus::converged;
  std::string reason;
  int exit_status = 0;  ///< of the program, if this were its only list
};

/// What one solve came to.
RunResult result_of(belos::SolveOutcome const& outcome);

/// All repeats of one list. Times are the largest over the ranks; memory is the sum over the ranks. Where the
/// list has failed, figures are those that were there by then.
struct Measurement {
  Choice choice;
  std::string save;                             ///< file that the first repeat's setup goes to; empty: none
  RunResult result;                             ///< the worst of all repeats
  std::string preconditioner;                   ///< its name; empty where the list could not be read
  belos::SolveOutcome outcome;                  ///< of the last repeat that came to `result`
  std::vector<std::pair<int, double>> history;  ///< of the first repeat
  baselines::Info info;
  std::vector<double> setup, solve;    ///< seconds, one a repeat
  std::size_t peak_memory = 0;         ///< bytes of the processes, the problem included
  std::size_t device_peak_memory = 0;  ///< bytes on the devices
  std::vector<double> transfer;        ///< seconds between host and devices, one a repeat
  std::vector<double> reading;         ///< seconds of reading the matrix for a GPU on the host, one a repeat
  core::TransferBytes moved;           ///< between host and devices, in the first repeat
  std::string folder;                  ///< that the first repeat's levels go to (export.hpp); empty: none
  std::string exported;                ///< what has gone there, in words

  bool converged() const { return result.status == SolveStatus::converged; }
  bool failed() const { return !result.status; }
};

/// Of all ranks. Collective.
double largest(Teuchos::Comm<int> const& comm, double mine);
double minimum(std::vector<double> const& seconds);
double median(std::vector<double> seconds);
/// Of setup + solve of the same repeat.
std::vector<double> totals(Measurement const& measurement);

/// A preconditioner and what its setup took on the slowest rank, the copy into another library's matrix or to
/// a GPU excepted.
struct TimedSetup {
  baselines::Preconditioner preconditioner;
  double seconds;
};
/// on_level: as ProblemData's. Collective. \throws what the setup throws, with the list's name
TimedSetup timed_setup(Choice const& choice, LinearSystem const& system,
                       std::function<void(int, long long, long long)> on_level = nullptr);

/// Tells somebody who waits which run is on, and levels of a setup as they come, on rank 0's standard error.
class Progress {
 public:
  enum class Levels { none, of_long_setups, all };

  Progress(bool speaks, int runs, Levels levels = Levels::none)
      : speaks_(speaks), levels_(levels), runs_(runs) {}
  void start(std::string const& what);  ///< the next run, with its setup
  /// A level of the setup: a line of its own. A setup is long after a second; then levels before that are
  /// said, too.
  void level(int number, long long rows, long long entries);
  void say(std::string const& words) const;  ///< goes on in the same line
  void set_up(double seconds) const;
  void end() const;

 private:
  bool speaks_;
  Levels levels_;
  int runs_, run_ = 0;
  std::chrono::steady_clock::time_point start_;
  std::string waiting_;       ///< levels that are said once the setup is long
  bool said_levels_ = false;  ///< of this setup
};

/// For so many runs, as the command line says; on rank 0 alone it speaks. Not collective.
Progress progress_of(Options const& options, Teuchos::Comm<int> const& comm, int runs);

/// One more repeat of a measurement; x gets the solution. Setup goes from the Tpetra matrix to a ready
/// preconditioner, the copy into another library's matrix or to a GPU excepted; solve goes from b to x, where
/// the preconditioner lies if that is a GPU. `with_history`: of the first repeat. Collective.
void repeat(Measurement& measurement, LinearSystem const& system,
            Teuchos::RCP<baselines::MultiVector> const& x, bool with_history, Progress& progress);

}  // namespace Tessera::cli
