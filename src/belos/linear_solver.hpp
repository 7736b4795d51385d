#pragma once
/// \file
/// What Tessera::solve and the linear solver for Stratimikos have in common.
#include <Teuchos_ParameterList.hpp>
#include <memory>
#include <string>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/Tessera_Solve.hpp"
#include "belos/iterate.hpp"

namespace Tessera {
class ResidentSystem;
}

namespace Tessera::belos {

/// Check arguments; a null matrix is refused. Collective. \throws core::InvalidInput naming the caller
void require_complete(std::string const& caller, Tpetra::RowMatrix<> const* A);
void require_fitting(std::string const& caller, Tpetra::RowMatrix<> const& A, Tpetra::MultiVector<> const& b,
                     Tpetra::MultiVector<> const& x);

/// What a setup or a refresh came to; seconds are the largest over the ranks, bytes of all ranks.
struct SetupReport {
  std::string what;             ///< "setup" or such as "refresh (...)"; empty without preconditioner
  double seconds = 0;           ///< of the preconditioner, its matrix being there
  double transfer_seconds = 0;  ///< from Tpetra's matrix to the back end's
  std::size_t bytes_to_device = 0, bytes_to_host = 0;
};

/// Solves A x = b for one matrix after another, with one right-hand side after another. What a setup has put
/// on the back end stays there: a solve moves b and x.
class LinearSolver {
 public:
  using Matrix = Tpetra::RowMatrix<>;
  using Operator = Tpetra::Operator<>;
  using Vectors = Tpetra::MultiVector<>;
  using Preconditioner = Details::Preconditioner;

  /// Makes a preconditioner by the list, or refreshes the last one as far as compute() and `reuse: type`
  /// allow; null: none. of: the matrix that it is made of, another than A where that is only an
  /// approximation. A is complete. Collective. \throws what compute() throws; then nothing can be solved
  void set_up(Teuchos::RCP<Matrix const> const& A, Teuchos::ParameterList const* preconditioner,
              Teuchos::RCP<Matrix const> const& of);
  /// Takes a preconditioner that others have made; null: none. M_is_of_A: it is one of Tessera's, computed
  /// for A with the values that it has now. Otherwise a solve on a GPU needs a copy of A there, beside the
  /// matrix that M was made of.
  void take(Teuchos::RCP<Matrix const> const& A, Teuchos::RCP<Operator const> const& M, bool M_is_of_A);
  /// Keeps no more than what a refresh needs.
  void forget_matrix() { take(Teuchos::null, Teuchos::null, false); }

  SetupReport const& setup() const { return setup_; }
  Teuchos::RCP<Matrix const> const& matrix() const { return A_; }

  /// Starts from x. b and x fit. The report's figures are those of this solve alone. Collective.
  SolveReport solve(KrylovChoice const& choice, Vectors const& b, Vectors& x) const;

  /// iterate() with vectors that are scaled for the solver where they could not be squared (scaled.hpp). A B
  /// that is out of the range of a singular A is told before the first iteration where A's nullspace is
  /// easily guessed (matrix_faults.hpp), or loses what lies there where the list says so (nullspace.hpp), a
  /// matrix that is not symmetric, or a floating component that carries a load (floating_load.hpp), after a
  /// solve that has failed. Where M is a preconditioner of Tessera's
  /// whose hierarchy is on a GPU, everything runs there: B and X go up once, X comes back. "Pseudo Block CG"
  /// is then "TESSERA CG", which is the same method with fewer passes, where its list says nothing that this
  /// one does not know; where M is not linear and symmetric it is "TESSERA FLEXIBLE CG", on the host too. A
  /// solver for which there is no manager on Tessera's vectors runs on the host, and M copies to the GPU and
  /// back each time. What the first solve makes on the GPU is there for the next.
  SolveOutcome run(KrylovChoice const& given, Teuchos::RCP<Vectors const> const& B,
                   Teuchos::RCP<Vectors> const& X, bool with_history) const;

 private:
  SolveOutcome run_in_place(KrylovChoice const& choice, Teuchos::RCP<Vectors const> const& B,
                            Teuchos::RCP<Vectors> const& X, bool with_history) const;
  /// Where x has lost digits on its way back from the solver's scaling: whether that has cost convergence.
  void judge_rounded(Teuchos::RCP<Vectors> const& X, Vectors const& B, KrylovChoice const& choice,
                     SolveOutcome& outcome) const;
  /// Where components float and carry a load, so that no solver comes any further.
  void name_floating_load(Vectors const& B, KrylovChoice const& choice, SolveOutcome& outcome) const;
  SolveOutcome run_on_gpu(KrylovChoice const& choice, Vectors const& B, Vectors& X, bool with_history) const;

  Teuchos::RCP<Matrix const> A_;
  Teuchos::RCP<Operator const> M_;
  bool M_is_of_A_ = false;
  mutable std::shared_ptr<ResidentSystem const> resident_;
  Teuchos::RCP<Preconditioner> own_;  ///< for refreshes
  SetupReport setup_;
};

/// One solve with A and an M that is of it.
SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Tpetra::RowMatrix<> const> const& A,
                   Teuchos::RCP<Tpetra::Operator<> const> const& M,
                   Teuchos::RCP<Tpetra::MultiVector<> const> const& B,
                   Teuchos::RCP<Tpetra::MultiVector<>> const& X, bool with_history);

}  // namespace Tessera::belos
