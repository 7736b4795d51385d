#pragma once
/// \file
/// One solve by a Belos solver manager that is chosen by name, judged by the true residual.
#include <Teuchos_ParameterList.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <string>
#include <utility>
#include <vector>

#include "belos/Tessera_Solve.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// What the list says under "Linear Solver Types" -> "Belos" or "Tessera".
struct KrylovChoice {
  std::string solver = "Pseudo Block CG";
  Teuchos::ParameterList parameters;  ///< of that solver
  bool left_preconditioner = false;
  double tolerance = 1e-8;         ///< relative to ||b||
  bool relative_to_start = false;  ///< the tolerance is relative to ||b - A x|| of the start instead
  int max_iterations = 1000;
  krylov::Test test = krylov::Test::relative;  ///< row_wise is known to Tessera's conjugate gradients only
  double absolute_tolerance = 0;               ///< of the tests that have one
};

/// Of one rank: its seconds; bytes are not counted.
struct SolveOutcome : SolveReport {
  int restarts = 0;  ///< from the true residual, where the recursive one said yes too early
  double energy =
      1;  ///< (b, x) over (|x|, |A| |x|), the least of all columns: small where A x is cancellation
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
/// tolerance (because its recursive one is, or because it noticed that the two part) is started again for a
/// correction, A D = B - A X, as long as that lowers the residual by a fifth: iterative refinement, for which
/// X is rounded once and not in every iteration. Right-preconditioned GMRES needs it with a preconditioner in
/// single precision. Collective. For Tpetra's vectors and for Tessera's.
template <class MV, class OP>
SolveOutcome iterate(KrylovChoice const& choice, Teuchos::RCP<OP const> const& A,
                     Teuchos::RCP<OP const> const& M, Teuchos::RCP<MV const> const& B,
                     Teuchos::RCP<MV> const& X, bool with_history);

extern template SolveOutcome iterate(KrylovChoice const&, Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::Operator<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<> const> const&,
                                     Teuchos::RCP<Tpetra::MultiVector<>> const&, bool);

}  // namespace Tessera::belos
