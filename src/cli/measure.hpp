#pragma once
/// \file
/// Setup and solve of a list on a linear system, timed, and further figures of both.
#include <functional>
#include <string>
#include <vector>

#include "baselines/preconditioner.hpp"
#include "belos/diagnosis.hpp"
#include "cli/commands.hpp"
#include "cli/page.hpp"
#include "cli/solver_list.hpp"
#include "core/timer.hpp"

namespace Tessera::cli {

/// A x = b and the data that preconditioners may use.
struct LinearSystem {
  std::string name;
  std::string rhs;  ///< what b is, such as: b = 1
  baselines::ProblemData data;
  Teuchos::RCP<baselines::MultiVector> b;
  Teuchos::Comm<int> const& comm() const { return *data.matrix->getComm(); }
};

/// A system of the gallery or from files. `equations` is the number of unknowns a node if neither the problem
/// nor the command line gives one. Collective. \throws core::InvalidInput naming the option, or the file and
/// line
LinearSystem make_system(ProblemOptions const& options, int equations, Comm const& comm);

SystemFigures figures_of(LinearSystem const& system);

RunResult result_of(belos::SolveOutcome const& outcome);

/// The largest value of all ranks. Collective.
double largest(Teuchos::Comm<int> const& comm, double mine);

/// A preconditioner and the seconds of its setup on the slowest rank, without the copy of the matrix into
/// another library's format or to a GPU.
struct TimedSetup {
  baselines::Preconditioner preconditioner;
  double seconds;
};
/// on_level: as in ProblemData. Collective. \throws the exceptions of the setup, with the list's name
TimedSetup timed_setup(Choice const& choice, LinearSystem const& system,
                       std::function<void(int, long long, long long)> on_level = nullptr);

/// Prints the present run, and the levels of its setup as they are made, on standard error.
class Progress {
 public:
  enum class Levels { none, of_long_setups, all };

  /// prints: whether this rank prints.
  Progress(bool prints, int runs, Levels levels = Levels::none)
      : prints_(prints), levels_(levels), runs_(runs) {}
  void start(std::string const& what);  ///< the next run, with its setup
  /// Prints a line for a level of the setup. With of_long_setups the lines wait until the setup has taken a
  /// second.
  void level(int number, long long rows, long long entries);
  void print(std::string const& text) const;  ///< continues the same line
  void end_setup(double seconds) const;
  void end() const;

 private:
  bool prints_;
  Levels levels_;
  int runs_, run_ = 0;
  core::Stopwatch watch_;
  std::string waiting_;          ///< lines of levels that wait for the setup to be long
  bool printed_levels_ = false;  ///< of this setup
};

/// The progress of so many runs, as the command line asks for it; only rank 0 prints. Not collective.
Progress progress_of(Options const& options, Teuchos::Comm<int> const& comm, int runs);

/// What the first repeat of a list keeps.
struct FirstRepeat {
  bool history = false;
  std::string save;    ///< file of the setup; empty: none
  std::string folder;  ///< of export_levels(); empty: none
};

/// One more repeat of a measurement; x gets the solution. The setup goes from the Tpetra matrix to a ready
/// preconditioner, without the copy of the matrix into another library's format or to a GPU. The solve goes
/// from b to x, on the GPU if the preconditioner is there. Collective.
void repeat(Measurement& measurement, Choice const& choice, LinearSystem const& system,
            Teuchos::RCP<baselines::MultiVector> const& x, FirstRepeat const& first_repeat,
            Progress& progress);

// Files of levels (export.cpp).

/// Checks a folder before any work, and leaves none. On one rank.
/// \throws core::InvalidInput for a folder that is neither new nor empty, or is not writable
void require_folder(std::string const& folder);

/// Writes to the folder the matrices of each level, near-nullspace and aggregates, and levels.vtu if the
/// nodes have coordinates; or the factors of a sparse inverse. Makes the folder. Returns a sentence with the
/// names of the files. Collective. \throws core::InvalidInput, on every rank, if a file cannot be written
std::string export_levels(std::string const& folder, Details::Preconditioner const& M,
                          LinearSystem const& system);

// What the page draws (page_data.cpp).

/// The couplings of the matrix, and the drop tolerances of these lists. Sums over the ranks. Collective.
CouplingStrengths coupling_strengths(LinearSystem const& system, std::vector<Choice> const& lists);

/// Sets the best of these lists up once more. choices[i] is the list of lists[i]. Collective.
WinnerAtNodes winner_at_nodes(LinearSystem const& system, std::vector<Choice> const& choices,
                              std::vector<Measurement> const& lists);

}  // namespace Tessera::cli
