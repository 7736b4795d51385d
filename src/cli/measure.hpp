#pragma once
/// \file
/// Setup and solve of one list on one problem, timed.
#include <string>
#include <vector>

#include "cli/solver_list.hpp"

namespace Tessera::cli {

/// A x = b and what preconditioners may know of A.
struct LinearSystem {
  std::string name;
  baselines::ProblemData data;
  Teuchos::RCP<baselines::MultiVector> b;
  Teuchos::Comm<int> const& comm() const { return *data.matrix->getComm(); }
};

/// All repeats of one list. Times are the largest over the ranks; memory is the sum over the ranks.
struct Measurement {
  Choice choice;
  std::string preconditioner;   ///< its name
  belos::SolveOutcome outcome;  ///< of the last repeat
  baselines::Info info;
  std::vector<double> setup, solve;    ///< seconds, one a repeat
  std::size_t peak_memory = 0;         ///< bytes of the processes, the problem included
  std::size_t device_peak_memory = 0;  ///< bytes on the devices
  std::vector<double> transfer;        ///< seconds between host and devices, one a repeat
  bool converged = true;               ///< in every repeat
};

double minimum(std::vector<double> const& seconds);
double median(std::vector<double> seconds);
/// Of setup + solve of the same repeat.
std::vector<double> totals(Measurement const& measurement);

/// Tells somebody who waits which run is on, on rank 0's standard error.
class Progress {
 public:
  Progress(bool speaks, int runs) : speaks_(speaks), runs_(runs) {}
  Progress(Progress const&) = delete;
  Progress& operator=(Progress const&) = delete;
  ~Progress() { end(); }                ///< an error message begins a line
  void start(std::string const& what);  ///< the next run
  void say(std::string const& words);   ///< goes on in the same line
  void end();

 private:
  bool speaks_, in_a_line_ = false;
  int runs_, run_ = 0;
};

/// One more repeat of a measurement; x gets the solution. Setup goes from the Tpetra matrix to a ready
/// preconditioner, the copy into another library's matrix or to a GPU excepted; solve goes from b to x, where
/// the preconditioner lies if that is a GPU. Collective.
void repeat(Measurement& measurement, LinearSystem const& system,
            Teuchos::RCP<baselines::MultiVector> const& x, bool with_history, Progress& progress);

}  // namespace Tessera::cli
