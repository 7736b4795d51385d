#pragma once
/// \file
/// A search for the fastest list for a matrix.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace Tessera {

/// Figures of the whole matrix, independent of the number of ranks. Couplings are nonzero off-diagonal
/// entries between different nodes.
struct TuneFacts {
  long long rows = 0, nonzeros = 0;
  int equations = 1;         ///< unknowns a node
  int nullspace = 0;         ///< near-nullspace vectors that were given
  bool coordinates = false;  ///< whether they were given
  double positive = 0;       ///< share of couplings that are positive
  double weak = 0;           ///< share of couplings below a quarter of the largest of their row
  double dominant = 0;       ///< share of rows with |a_ii| >= 1.5 times the sum of |a_ij|, j != i
  double jump = 1;           ///< largest |a_ii| divided by the smallest nonzero one
  bool singular = false;     ///< A times ones is zero to rounding in every row
};

/// How a list ended.
enum class TuneStatus {
  converged,      ///< the true residual met the tolerance
  roundingLevel,  ///< the true residual is as low as rounding allows, above the tolerance
  notConverged,   ///< and more time would not have helped
  stopped,        ///< because it could no longer be the fastest, or its time was up
  tooLarge,       ///< it took more memory than allowed
  failed,         ///< setup or solve threw an exception
  notTried        ///< the time was up
};

/// Such as "not converged".
char const* name(TuneStatus status);

/// A list and its result. Seconds are the largest over the ranks, the smallest of `runs`.
struct TuneTrial {
  std::string name;                               ///< of the preset, and what was changed in it
  Teuchos::RCP<Teuchos::ParameterList> settings;  ///< the whole list, as for Stratimikos
  TuneStatus status = TuneStatus::notTried;
  std::string reason;  ///< empty if it converged
  int iterations = 0;
  int runs = 0;
  double setupSeconds = 0, solveSeconds = 0;
  double totalSeconds = 0;       ///< setup + solvesPerSetup times solve
  double relativeResidual = -1;  ///< true, ||b - A x|| / ||b||; -1: there was no solve
  std::size_t bytes = 0;  ///< largest memory of setup and solve at a time, of all ranks, on the GPUs if it
                          ///< ran there, otherwise on the host
  bool improved = false;  ///< it was the fastest when it was tried
  bool ranOut = false;    ///< its iterations or its time ended before the tolerance was met

  bool converged() const { return status == TuneStatus::converged; }
  /// To the tolerance or the rounding level; only such trials are compared.
  bool solved() const { return converged() || status == TuneStatus::roundingLevel; }
};

/// Lists whose totals differ by less than this share are equal, and the earlier one stays.
constexpr double tuneNoise = 0.05;

/// The result of a search.
struct TuneReport {
  TuneFacts facts;
  std::vector<std::string> order;  ///< of the presets; depends on the facts alone
  std::string orderReason;
  int solvesPerSetup = 1;
  double tolerance = 0;
  std::vector<TuneTrial> trials;  ///< in the order in which they were tried
  /// Index in trials of the fastest that converged; if none did, of the fastest that reached the rounding
  /// level; if none did, trials.size().
  std::size_t best = 0;
  /// A copy of the best trial's settings, for Stratimikos and Tessera::solve; its sublist "Preconditioner
  /// Types"
  /// -> "Tessera" is for the preconditioner classes. It contains neither near-nullspace nor coordinates: add
  /// those that tune() had. Null until the search has ended.
  Teuchos::RCP<Teuchos::ParameterList> list;

  bool found() const { return best < trials.size(); }
};

/// The options of tune(), the same on every rank.
struct TuneOptions {
  using Vectors = Tpetra::MultiVector<double, int, long long>;

  double seconds = 60;      ///< no further list starts after this time
  int solvesPerSetup = 1;   ///< the search minimises setup + so many solves
  std::size_t bytes = 0;    ///< largest memory of a list, all ranks together; 0: any
  double tolerance = 1e-8;  ///< true relative residual to reach
  int maxIterations = 0;    ///< 0: the presets' number
  /// Values of `backend: type`, each of which is tried; empty: the presets' value, auto.
  std::vector<std::string> backends;
  int equations = 1;                          ///< unknowns a node, in consecutive rows
  Teuchos::RCP<Vectors const> nearNullspace;  ///< on the row map; null: constants, or rigid-body modes
  Teuchos::RCP<Vectors const> coordinates;    ///< a row a node, a column a dimension; may be null
  /// One column, on the row map. Null: ones, or A times random numbers if A times ones is zero.
  Teuchos::RCP<Vectors const> b;
  /// Called on every rank when the order is known, and after each trial.
  std::function<void(TuneReport const&)> told;
};

/// No list has converged or reached the rounding level. The text names the closest list, or why no list ran.
class TuneError : public std::runtime_error {
 public:
  explicit TuneError(TuneReport report);
  TuneReport const& report() const { return report_; }

 private:
  TuneReport report_;
};

/// Tries Tessera's presets (xml_params at the time the library was built) in an order that follows from A,
/// then varies the fastest one, parameter by parameter. The `list` of the result is valid. It has converged,
/// or reached the rounding level if no list converged. The result depends on A, the options and the measured
/// times only. Run it on the machine and the number of ranks of your solves. A: fill-complete. x starts from
/// zero. Memory is counted from the start of each list and includes other work of Tessera in the process.
/// Collective. \throws std::invalid_argument for wrong options, Unavailable (a std::runtime_error) for a
/// missing back end, before any work; TuneError if no list converges; each on all ranks
TuneReport tune(Teuchos::RCP<Tpetra::RowMatrix<double, int, long long> const> const& A,
                TuneOptions const& options = {});

}  // namespace Tessera
