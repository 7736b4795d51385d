#pragma once
/// \file
/// The fastest list for a matrix, found by trying.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <cstddef>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace Tessera {

/// Figures of the whole matrix. They do not depend on the number of ranks. Couplings are off-diagonal entries
/// other than zero, between different nodes.
struct TuneFacts {
  long long rows = 0, nonzeros = 0;
  int equations = 1;         ///< unknowns a node
  int nullspace = 0;         ///< near-nullspace vectors that were given
  bool coordinates = false;  ///< whether they were given
  double positive = 0;       ///< share of couplings that are positive
  double weak = 0;           ///< share of couplings below a quarter of the largest of their row
  double dominant = 0;       ///< share of rows with |a_ii| >= 1.5 times the sum of |a_ij|, j != i
  double jump = 1;           ///< largest |a_ii| over the smallest that is not zero
  bool singular = false;     ///< A times ones is zero to rounding in every row
};

/// How a list ended.
enum class TuneStatus {
  converged,      ///< the true residual met the tolerance
  roundingLevel,  ///< it is as low as rounding lets it go, above the tolerance
  notConverged,   ///< and would not have in more time
  stopped,        ///< since it could no longer be the fastest, or since its time was up
  tooLarge,       ///< it took more memory than was allowed
  failed,         ///< threw
  notTried        ///< the time was up before
};

/// Such as "not converged".
char const* name(TuneStatus status);

/// One list and what it came to. Seconds are the largest over the ranks, the smallest of `runs`.
struct TuneTrial {
  std::string name;                               ///< of the ready list, and what was changed in it
  Teuchos::RCP<Teuchos::ParameterList> settings;  ///< the list, whole, as Stratimikos takes it
  TuneStatus status = TuneStatus::notTried;
  std::string reason;  ///< empty where it converged
  int iterations = 0;
  int runs = 0;
  double setupSeconds = 0, solveSeconds = 0;
  double totalSeconds = 0;       ///< setup + solvesPerSetup times solve
  double relativeResidual = -1;  ///< true, ||b - A x|| / ||b||; -1: there was no solve
  std::size_t bytes = 0;  ///< most that setup and solve held at a time, on the host or, where it ran there,
                          ///< on GPUs; of all ranks
  bool improved = false;  ///< was the fastest when it was tried
  bool ranOut = false;    ///< its iterations or its time ended before the tolerance was met

  bool converged() const { return status == TuneStatus::converged; }
  /// As well as rounding allows: only these are compared.
  bool solved() const { return converged() || status == TuneStatus::roundingLevel; }
};

/// Lists whose totals are less than this share apart are equal: the earlier one stays.
constexpr double tuneNoise = 0.05;

/// What a search has found.
struct TuneReport {
  TuneFacts facts;
  std::vector<std::string> order;  ///< of the ready lists, which depends on the facts alone
  std::string orderReason;
  int solvesPerSetup = 1;
  double tolerance = 0;
  std::vector<TuneTrial> trials;  ///< in the order in which they were tried
  /// Of trials: the fastest that has converged or, where none has, of those that reached the rounding level;
  /// trials.size(): there is neither.
  std::size_t best = 0;
  /// A copy of the best one's, for Stratimikos, Tessera::solve or, its sublist "Preconditioner Types" ->
  /// "Tessera", the classes of preconditioners. It has no near-nullspace and no coordinates: give them with
  /// it where they were given. Null until the search has ended.
  Teuchos::RCP<Teuchos::ParameterList> list;

  bool found() const { return best < trials.size(); }
};

/// What tune() is asked for, on every rank the same.
struct TuneOptions {
  using Vectors = Tpetra::MultiVector<double, int, long long>;

  double seconds = 60;      ///< no further list is begun after so many
  int solvesPerSetup = 1;   ///< what counts is setup + so many solves
  std::size_t bytes = 0;    ///< of all ranks, that a list may take at a time; 0: any
  double tolerance = 1e-8;  ///< true relative residual to reach
  int maxIterations = 0;    ///< 0: as the ready lists say
  /// Values of `backend: type`, each of which is tried; none: as the ready lists say, which is auto.
  std::vector<std::string> backends;
  int equations = 1;                          ///< unknowns a node, which are rows that follow on each other
  Teuchos::RCP<Vectors const> nearNullspace;  ///< on the row map; null: constants, or rigid-body modes
  Teuchos::RCP<Vectors const> coordinates;    ///< a row a node, a column a dimension; may be null
  /// One column, on the row map. Null: ones; where A times ones is zero, A times random numbers.
  Teuchos::RCP<Vectors const> b;
  /// Hears of the search on every rank: first when the order is known, then whenever a trial has ended.
  std::function<void(TuneReport const&)> told;
};

/// No list has converged or reached the rounding level. The text says what came closest, or why no list ran.
class TuneError : public std::runtime_error {
 public:
  explicit TuneError(TuneReport report);
  TuneReport const& report() const { return report_; }

 private:
  TuneReport report_;
};

/// Looks at A, tries ready lists of Tessera's (xml_params, as they were when the library was built) in an
/// order that follows from A, varies the fastest one, parameter by parameter, and returns what it found.
/// `list` of the result has converged, or reached the rounding level where no list has, and validates.
/// Nothing but times depends on anything else than A and the options; so does the choice. Run it where you
/// will solve, on as many ranks. A: fill-complete. x starts from zero. Memory is counted from the start of
/// each list; other work of Tessera's in the process would be counted, too. Collective. \throws
/// std::invalid_argument for wrong options, Unavailable (a std::runtime_error) for a back end that there is
/// not, before any work; TuneError where no list converges; each on all ranks
TuneReport tune(Teuchos::RCP<Tpetra::RowMatrix<double, int, long long> const> const& A,
                TuneOptions const& options = {});

}  // namespace Tessera
