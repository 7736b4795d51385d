#pragma once
/// \file
/// Results of the program as plain figures, and how they are printed. Without Trilinos, so that sources which
/// print and draw compile fast.
#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "Tessera_SolveStatus.hpp"
#include "baselines/info.hpp"

namespace Tessera::cli {

/// The linear system and the ranks that solve it.
struct SystemFigures {
  std::string name;
  std::string rhs;  ///< what b is, such as: b = 1
  std::size_t rows = 0, nonzeros = 0;
  std::size_t columns = 1;  ///< right-hand sides
  int ranks = 1, threads = 1;
};

/// A list of solver and preconditioner, as reports name it.
struct ListName {
  std::string file;                     ///< its path
  std::string preconditioner = "None";  ///< "Preconditioner Type"
  std::string absent;                   ///< why the preconditioner is not in this build; empty: it is
};

/// How a list's solve ended; empty: the list failed before a solve.
using RunStatus = std::optional<SolveStatus>;

/// As in JSON: "rounding level".
char const* name(RunStatus status);

/// The status of a list, and the reason if it did not converge.
struct RunResult {
  RunStatus status = SolveStatus::converged;
  std::string reason;
  int exit_status = 0;  ///< of the program, if this were its only list
};

/// Figures of one solve, as in SolveReport.
struct SolveFigures {
  std::string solver;
  int iterations = 0, restarts = 0;
  double relative_residual = 0, rounding_level = 0;
  double backward_error = 0, row_error = 0;
  double projected_share = 0;
  std::string projection;  ///< a sentence on the projected share; empty: nothing was projected
  std::vector<std::string> warnings;
};

/// All repeats of one list. Times are the largest over the ranks; memory is the sum over the ranks. A list
/// that failed has the figures measured up to then.
struct Measurement {
  ListName list;
  double tolerance = 0;
  RunResult result;                             ///< the worst of all repeats
  std::string preconditioner;                   ///< its name; empty if the list could not be read
  SolveFigures solved;                          ///< of the last repeat with this `result`
  std::vector<std::pair<int, double>> history;  ///< of the first repeat
  baselines::Info info;
  std::vector<double> setup, solve;    ///< seconds, one a repeat
  std::size_t peak_memory = 0;         ///< bytes of the processes, the problem included
  std::size_t device_peak_memory = 0;  ///< bytes on the devices
  std::vector<double> transfer;        ///< seconds between host and devices, one a repeat
  std::vector<double> reading;         ///< seconds of reading the matrix on the host for a GPU, one a repeat
  std::size_t to_device = 0, to_host = 0;  ///< bytes between host and devices in the first repeat
  std::string exported;                    ///< a sentence on the files of the first repeat's levels

  bool converged() const { return result.status == SolveStatus::converged; }
  bool failed() const { return !result.status; }
};

double minimum(std::vector<double> const& seconds);
double median(std::vector<double> seconds);
/// Setup + solve of the same repeat.
std::vector<double> totals(Measurement const& measurement);

/// The lists from best to worst: those that converged by their smallest total, then the unconverged in the
/// given order, then the failed. Points into `lists`.
std::vector<Measurement const*> ranked(std::vector<Measurement> const& lists);

/// Names the list with the smallest total, and its advantage over the next list and over the best of the
/// other camp (Tessera's lists, or those of other libraries). Adds a note if the totals of the first two
/// overlap, or if each ran only once. `problem`: such as Laplace3D (8000 rows).
std::string verdict_on(std::vector<Measurement> const& lists, std::string const& problem);

// Pieces of texts.

/// Such as: 1 rank, 2 ranks.
std::string plural(int n, char const* what);

/// The file's name without folder and ".xml".
std::string list_name(std::string const& file);

/// Such as: BREAKDOWN: the matrix is not positive definite. For a list that converged, its first warning;
/// empty if there is none.
std::string trouble(Measurement const& measurement);

/// Whether the preconditioner is one of Tessera's.
bool is_ours(Measurement const& measurement);

/// The value by the pattern, such as "%.2e"; in words if it is not finite.
std::string figure(char const* pattern, double value);

double megabytes(std::size_t bytes);

/// Line breaks and runs of blanks as one blank.
std::string in_one_line(std::string const& text);

// Text for a terminal.

/// One line on problem and machine.
std::string headline(SystemFigures const& system, double tolerance);
/// The result of one list.
std::string summary(Measurement const& measurement);
/// A table with one line for each list. A column has the ratio to the best list of ML, MueLu and Ifpack2 that
/// converged.
std::string comparison(std::vector<Measurement> const& measurements);

// Files.

/// The keys of the problem and the machine.
nlohmann::ordered_json system_json(SystemFigures const& system);
/// The keys of one list's measurement; figures of a list that failed are null.
nlohmann::ordered_json measurement_json(Measurement const& measurement);
/// The text of the file of --json.
std::string json_text(nlohmann::ordered_json const& json);
/// The text of the file of --history: comma-separated values.
std::string history_text(Measurement const& measurement);

// The machine.

/// (name, description).
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of Tessera, Trilinos, MPI and the compiler.
Facts versions();

/// The processor of this rank's host, as Linux names it, and its hardware threads.
std::string processor();

}  // namespace Tessera::cli
