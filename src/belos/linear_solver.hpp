#pragma once
/// \file
/// A linear solver for Tpetra's matrices and vectors; Tessera::solve and the Stratimikos solver use it.
#include <Teuchos_ParameterList.hpp>
#include <memory>
#include <string>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/Tessera_Solve.hpp"
#include "belos/conjugate_gradients.hpp"
#include "belos/diagnosis.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/system_vectors.hpp"

namespace Tessera {
class ResidentSystem;
}

namespace Tessera::belos {

/// The maximum number of restarts of one solve.
constexpr int most_restarts = 3;

/// What a sequence of solves keeps: the residual, and a manager of Tessera, which has the vectors of its
/// method.
template <class MV, class OP>
struct Kept {
  Teuchos::RCP<MV> residual;
  std::string solver;  ///< of the manager
  Teuchos::RCP<ConjugateGradients<MV, OP>> manager;
};
using KeptResident = Kept<ResidentMultiVector, ResidentOperator>;

/// Solves A X = B by the Belos solver manager that `choice` names, starting from X. The true residual decides
/// on convergence. M may be null. A solver that stops above the tolerance (because its recursive residual
/// converged, or because it detected that the two residuals differ) is restarted for a correction,
/// A D = B - A X, as long as that lowers the residual by a fifth: iterative refinement, which rounds X once
/// instead of in every iteration. Right-preconditioned GMRES needs it with a preconditioner in single
/// precision. Collective. For Tpetra's vectors and for Tessera's.
template <class MV, class OP>
SolveOutcome iterate(KrylovChoice const& choice, Teuchos::RCP<OP const> const& A,
                     Teuchos::RCP<OP const> const& M, Teuchos::RCP<MV const> const& B,
                     Teuchos::RCP<MV> const& X, bool with_history, Kept<MV, OP>& kept);

extern template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<>> const&, bool,
                                     Kept<Tpetra::MultiVector<>, Tpetra::Operator<>>&);

/// Check arguments, also for a null matrix. Collective. \throws core::InvalidInput that names the caller
void require_complete(std::string const& caller, Tpetra::RowMatrix<> const* A);
void require_fitting(std::string const& caller, Tpetra::RowMatrix<> const& A, Tpetra::MultiVector<> const& b,
                     Tpetra::MultiVector<> const& x);

/// Figures of a setup or a refresh: seconds are the maximum over the ranks, bytes the sum.
struct SetupReport {
  std::string what;             ///< "setup" or such as "refresh (...)"; empty without preconditioner
  double seconds = 0;           ///< of the preconditioner, without the transfer of its matrix
  double transfer_seconds = 0;  ///< from Tpetra's matrix to the back end's
  std::size_t bytes_to_device = 0, bytes_to_host = 0;
};

/// Solves A x = b for a sequence of matrices and right-hand sides. Matrix and preconditioner stay on the back
/// end: a solve transfers b and x only.
class LinearSolver {
 public:
  using Matrix = Tpetra::RowMatrix<>;
  using Operator = Tpetra::Operator<>;
  using Vectors = Tpetra::MultiVector<>;
  using Preconditioner = Details::Preconditioner;

  /// Makes a preconditioner by the list, or refreshes the last one as far as compute() and `reuse: type`
  /// allow; null: no preconditioner. of: the preconditioner's matrix, A or an approximation of A. A is
  /// fill-complete. Collective. \throws the exceptions of compute(); then the object cannot solve
  void set_up(Teuchos::RCP<Matrix const> const& A, Teuchos::ParameterList const* preconditioner,
              Teuchos::RCP<Matrix const> const& of);
  /// Takes a preconditioner of the caller; null: no preconditioner. M_is_of_A: Tessera computed M for A with
  /// the present values. Otherwise a solve by Tessera stores a copy of A in addition to M's matrix.
  void take(Teuchos::RCP<Matrix const> const& A, Teuchos::RCP<Operator const> const& M, bool M_is_of_A);
  /// Releases all data that a refresh does not need.
  void forget_matrix() { take(Teuchos::null, Teuchos::null, false); }

  SetupReport const& setup() const { return setup_; }
  Teuchos::RCP<Matrix const> const& matrix() const { return A_; }

  /// Starts from x. b and x pass require_fitting(). The report counts this solve only. Collective.
  SolveReport solve(KrylovChoice const& choice, Vectors const& b, Vectors& x) const;

  /// iterate() with scaled vectors (scaled_system.hpp), and with checks of the system:
  /// - Before the first iteration: a B outside the range of a singular A is reported if the nullspace is
  ///   known, or projected if the list asks for it (nullspace.hpp).
  /// - After a failure: an asymmetric matrix or a loaded floating component is reported.
  ///
  /// If M is Tessera's, Tessera's solvers run in its memory. If its hierarchy is on a GPU, the whole solve
  /// runs there: B and X are uploaded once, X is downloaded. "Pseudo Block CG" then becomes "TESSERA CG", the
  /// same method with fewer passes, unless its list has parameters that this one lacks. If M is not linear
  /// and symmetric, it becomes "TESSERA FLEXIBLE CG", also on the host. A solver without a manager for
  /// Tessera's vectors runs on the host, and each application of M copies its vectors to the GPU and back.
  /// Later solves reuse the memory of Tessera's solvers.
  SolveOutcome run(KrylovChoice const& given, Teuchos::RCP<Vectors const> const& B,
                   Teuchos::RCP<Vectors> const& X, bool with_history) const;

 private:
  SolveOutcome run_in_place(KrylovChoice const& choice, Teuchos::RCP<Vectors const> const& B,
                            Teuchos::RCP<Vectors> const& X, bool with_history) const;
  /// X: the solution after the solver's scaling was undone, null if that was exact. Checks its convergence.
  void check_rounded(Teuchos::RCP<Vectors> const& X, Vectors const& B, KrylovChoice const& choice,
                     SolveOutcome& outcome) const;
  /// Reports floating components whose load no solution balances.
  void report_floating_load(Vectors const& B, KrylovChoice const& choice, SolveOutcome& outcome) const;
  SolveOutcome run_resident(KrylovChoice const& choice, Vectors const& B, Vectors& X,
                            bool with_history) const;

  Teuchos::RCP<Matrix const> A_;
  Teuchos::RCP<Operator const> M_;
  bool M_is_of_A_ = false;
  mutable std::shared_ptr<ResidentSystem const> resident_;
  mutable KeptResident kept_;
  mutable VectorCopies copies_;
  Teuchos::RCP<Preconditioner> own_;  ///< for refreshes
  SetupReport setup_;
};

/// One solve with A and a preconditioner M of A.
SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M,
                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history);

}  // namespace Tessera::belos
