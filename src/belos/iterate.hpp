#pragma once
/// \file
/// One solve by a Belos solver manager that is chosen by name, judged by the true residual.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "belos/Tessera_SolveStatus.hpp"

namespace Tessera {
class ResidentSystem;
}

namespace Tessera::belos {

/// What the list says under "Linear Solver Types" -> "Belos" or "Tessera".
struct KrylovChoice {
  std::string solver = "Pseudo Block CG";
  Teuchos::ParameterList parameters;  ///< of that solver
  bool left_preconditioner = false;
  double tolerance = 1e-8;         ///< relative to ||b||
  bool relative_to_start = false;  ///< the tolerance is relative to ||b - A x|| of the start instead
  int max_iterations = 1000;
};

struct SolveOutcome {
  std::string solver;            ///< what ran
  std::string backend = "host";  ///< where the vectors lay
  int iterations = 0;
  int restarts = 0;              ///< from the true residual, where the recursive one said yes too early
  double relative_residual = 0;  ///< ||b - A x|| / ||b||, computed afresh; the largest of all columns
  double reduction = 0;          ///< ||b - A x|| over that of the start, likewise
  bool converged = false;        ///< the true residual <= slack * tolerance * reference: status converged
  SolveStatus status = SolveStatus::notConverged;
  std::string reason;           ///< why it did not converge, and what to do
  double rounding_level = 0;    ///< eps || |A| |x| + |b| || / ||b||; 0 where A has no rows to look at
  double backward_error = 0;    ///< ||b - A x|| / || |A| |x| + |b| ||; likewise
  double seconds = 0;           ///< from b to x where the vectors lie, without the final check
  double setup_seconds = 0;     ///< of what was made of the matrix for the iterations
  double transfer_seconds = 0;  ///< of b and x to the device and back
  std::vector<std::pair<int, double>> history;  ///< relative residual by iteration, as Belos sees it
};

/// Rounding in the residual's recursion must not call a solve unconverged that misses by a thousandth.
constexpr double residual_slack = 1.001;

/// Refuses parameters that the solver does not know: some solver managers take them without a word.
/// \throws core::InvalidInput with the path in the list
void validate(KrylovChoice const& choice);

/// How often a solver is started again from where it stopped before the tolerance was reached.
constexpr int most_restarts = 3;

/// Solves A X = B, starting from X. M may be null. A solver that stops before the true residual is below the
/// tolerance (because its recursive one is, or because it noticed that the two part) is started again from X,
/// as long as that halves the residual: residual replacement. Right-preconditioned GMRES needs it with a
/// preconditioner in single precision. Collective. For Tpetra's vectors and for Tessera's.
template <class MV, class OP>
SolveOutcome iterate(KrylovChoice const& choice, Teuchos::RCP<OP const> const& A,
                     Teuchos::RCP<OP const> const& M, Teuchos::RCP<MV const> const& B,
                     Teuchos::RCP<MV> const& X, bool with_history);

extern template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<>> const&, bool);

/// A and M for solves with Tpetra's vectors, one after another.
class PreparedSystem {
 public:
  /// M may be null. M_is_of_A: a preconditioner of Tessera's was computed for A with the values that it has
  /// now. Otherwise a solve on a GPU needs a copy of A there, beside the matrix that M was made of.
  PreparedSystem(Teuchos::RCP<Tpetra::Operator<> const> A, Teuchos::RCP<Tpetra::Operator<> const> M,
                 bool M_is_of_A = true);

  /// iterate() with vectors that are scaled for the solver where they could not be squared (scaled.hpp). A B
  /// that is out of the range of a singular A is told before the first iteration where A's nullspace is
  /// easily guessed (matrix_faults.hpp), a matrix that is not symmetric after a solve that has failed. Where
  /// M is a preconditioner of Tessera's whose hierarchy is on a GPU, everything runs there: B and X go up
  /// once, X comes back. "Pseudo Block CG" is then "TESSERA CG", which is the same method with fewer passes,
  /// where its list says nothing that this one does not know; where M is not linear and symmetric it is
  /// "TESSERA FLEXIBLE CG", on the host too. A solver for which there is no manager on
  /// Tessera's vectors runs on the host, and M copies to the GPU and back each time. What the first solve
  /// makes on the GPU is there for the next.
  SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                     Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history) const;

 private:
  SolveOutcome solve_in_place(KrylovChoice const& choice, Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                              Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history) const;
  SolveOutcome solve_on_gpu(KrylovChoice const& choice, Tpetra::MultiVector<> const& B,
                            Tpetra::MultiVector<>& X, bool with_history) const;

  Teuchos::RCP<Tpetra::Operator<> const> A_, M_;
  bool M_is_of_A_;
  mutable std::shared_ptr<ResidentSystem const> resident_;
};

/// One solve with A and an M that is of it.
SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::Operator<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M,
                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history);

}  // namespace Tessera::belos
