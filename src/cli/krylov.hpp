#pragma once
/// \file
/// One solve by a Belos solver manager that is chosen by name, judged by the true residual.
#include <Teuchos_ParameterList.hpp>
#include <string>
#include <utility>
#include <vector>

#include "baselines/preconditioner.hpp"

namespace Tessera::cli {

/// What the list says under "Linear Solver Types" -> "Belos".
struct KrylovChoice {
  std::string solver = "Pseudo Block CG";
  Teuchos::ParameterList parameters;  ///< of that solver
  bool left_preconditioner = false;
  double tolerance = 1e-8;  ///< relative to ||b||
  int max_iterations = 1000;
};

struct SolveOutcome {
  int iterations = 0;
  int restarts = 0;              ///< from the true residual, where the recursive one said yes too early
  double relative_residual = 0;  ///< ||b - A x|| / ||b||, computed afresh
  bool converged = false;        ///< relative_residual <= slack * tolerance
  double seconds = 0;            ///< from b to x, without the final check
  std::string trouble;           ///< what stopped the solver, if something did
  std::vector<std::pair<int, double>> history;  ///< relative residual by iteration, as Belos sees it
};

/// Rounding in the residual's recursion must not call a solve unconverged that misses by a thousandth.
constexpr double residual_slack = 1.001;

/// Refuses parameters that the solver does not know: some solver managers take them without a word.
/// \throws core::InvalidInput with the path in the list
void validate(KrylovChoice const& choice);

/// How often a solver is started again from where it stopped before the tolerance was reached.
constexpr int most_restarts = 3;

/// Solves A x = b from x = 0. M may be null. A solver that stops before the true residual is below the
/// tolerance (because its recursive one is, or because it noticed that the two part) is started again from x,
/// as long as that halves the residual: residual replacement. Right-preconditioned GMRES needs it with a
/// preconditioner in single precision. Collective.
SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<baselines::Operator const> const& A,
                   Teuchos::RCP<baselines::Operator const> const& M,
                   Teuchos::RCP<baselines::MultiVector const> const& b,
                   Teuchos::RCP<baselines::MultiVector> const& x, bool with_history);

}  // namespace Tessera::cli
