#pragma once
/// \file
/// What Tessera::solve and the linear solver for Stratimikos have in common.
#include <Teuchos_ParameterList.hpp>
#include <optional>
#include <string>

#include "Tessera_Details_Preconditioner.hpp"
#include "belos/Tessera_Solve.hpp"
#include "belos/iterate.hpp"

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
  using Vectors = Tpetra::MultiVector<>;
  using Preconditioner = Details::Preconditioner;

  /// Makes a preconditioner by the list, or refreshes the last one as far as compute() and `reuse: type`
  /// allow; null: none. of: the matrix that it is made of, another than A where that is only an
  /// approximation. A is complete. Collective. \throws what compute() throws; then nothing can be solved
  void set_up(Teuchos::RCP<Matrix const> const& A, Teuchos::ParameterList const* preconditioner,
              Teuchos::RCP<Matrix const> const& of);
  /// Takes a preconditioner that others have made, of whatever values.
  void take(Teuchos::RCP<Matrix const> const& A, Teuchos::RCP<Preconditioner const> const& M);
  /// Keeps no more than what a refresh needs.
  void forget_matrix();

  bool is_ready() const { return prepared_.has_value(); }
  SetupReport const& setup() const { return setup_; }
  Teuchos::RCP<Matrix const> const& matrix() const { return A_; }

  /// Starts from x. b and x fit. The report's figures are those of this solve alone. Collective.
  SolveReport solve(KrylovChoice const& choice, Vectors const& b, Vectors& x) const;

 private:
  Teuchos::RCP<Matrix const> A_;
  Teuchos::RCP<Preconditioner> own_;  ///< for refreshes
  std::optional<PreparedSystem> prepared_;
  SetupReport setup_;
};

}  // namespace Tessera::belos
