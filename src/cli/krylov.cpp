#include "cli/krylov.hpp"

#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <chrono>
#include <set>

#include "cli/belos_history.hpp"
#include "core/error.hpp"

namespace Tessera::cli {
namespace {

using baselines::MultiVector;
using baselines::Operator;
using Manager = Belos::SolverManager<double, MultiVector, Operator>;
using Problem = Belos::LinearProblem<double, MultiVector, Operator>;
using Seconds = std::chrono::duration<double>;

Teuchos::RCP<Manager> create(std::string const& name) {
  Belos::SolverFactory<double, MultiVector, Operator> factory;
  try {
    return factory.create(name, Teuchos::null);
  } catch (std::invalid_argument const&) {
    std::set<std::string> names;  // the factory tells some of them twice
    for (auto const& one : factory.supportedSolverNames()) names.insert(one);
    std::string known;
    for (auto const& one : names) known += (known.empty() ? "" : ", ") + one;
    throw core::InvalidInput("Linear Solver Types -> Belos -> Solver Type: \"" + name +
                             "\" is not one of Belos' solvers here; choose one of " + known);
  }
}

Teuchos::RCP<Teuchos::ParameterList> solver_list(KrylovChoice const& choice, double tolerance,
                                                 int max_iterations) {
  auto list = Teuchos::rcp(new Teuchos::ParameterList(choice.parameters));
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", max_iterations);
  return list;
}

double residual_norm(Operator const& A, MultiVector const& b, MultiVector const& x) {
  MultiVector r(b, Teuchos::Copy);
  A.apply(x, r, Teuchos::NO_TRANS, -1.0, 1.0);
  return r.getVector(0)->norm2();
}

/// One run of a fresh solver manager, which may give up with an exception, said in `trouble`.
void run(Manager& manager, SolveOutcome& outcome) {
  try {
    manager.solve();
  } catch (Belos::BelosError const& error) {  // an indefinite matrix or preconditioner, or NaN
    outcome.trouble = error.what();
  }
  outcome.iterations += manager.getNumIters();
}

/// These look at the left preconditioner only, and would run without one in silence.
bool knows_left_only(std::string const& solver) {
  for (auto name : {"PCPG", "SEED CG", "CGPOLY"})
    if (solver == name) return true;
  return false;
}

}  // namespace

void validate(KrylovChoice const& choice) {
  auto const valid = create(choice.solver)->getValidParameters();
  try {
    choice.parameters.validateParameters(*valid, 0);
  } catch (Teuchos::Exceptions::InvalidParameter const& error) {
    throw core::InvalidInput("Linear Solver Types -> Belos -> Solver Types -> " + choice.solver + ": " +
                             error.what());
  }
}

SolveOutcome solve(KrylovChoice const& choice, Teuchos::RCP<Operator const> const& A,
                   Teuchos::RCP<Operator const> const& M, Teuchos::RCP<MultiVector const> const& b,
                   Teuchos::RCP<MultiVector> const& x, bool with_history) {
  SolveOutcome outcome;
  x->putScalar(0.0);
  double const b_norm = b->getVector(0)->norm2();
  if (b_norm == 0.0) {
    outcome.converged = true;
    return outcome;
  }
  double r_norm = b_norm;
  double const target = choice.tolerance * b_norm;
  bool const left = choice.left_preconditioner || knows_left_only(choice.solver);
  for (;; ++outcome.restarts) {
    auto const start = std::chrono::steady_clock::now();
    auto const manager = create(choice.solver);
    // A restart aims at nine tenths of the target, so that rounding does not spoil it again.
    double const goal = outcome.restarts == 0 ? choice.tolerance : 0.9 * target / r_norm;
    auto const list = solver_list(choice, goal, choice.max_iterations - outcome.iterations);
    BelosHistory history(*list, with_history);
    manager->setParameters(list);
    auto const problem = Teuchos::rcp(new Problem(A, x, b));
    problem->setHermitian();
    if (!M.is_null()) left ? problem->setLeftPrec(M) : problem->setRightPrec(M);
    TESSERA_VALIDATE(problem->setProblem(), "Belos refuses the linear problem");
    manager->setProblem(problem);
    int const before = outcome.iterations;
    run(*manager, outcome);
    outcome.seconds += Seconds(std::chrono::steady_clock::now() - start).count();
    history.append(outcome.history, before, r_norm / b_norm);
    double const last = r_norm;
    r_norm = residual_norm(*A, *b, *x);
    outcome.relative_residual = r_norm / b_norm;
    outcome.converged = outcome.relative_residual <= residual_slack * choice.tolerance;
    bool const worthwhile = r_norm < 0.5 * last && outcome.restarts < most_restarts;  // false for NaN
    if (outcome.converged || !worthwhile || !outcome.trouble.empty() ||
        outcome.iterations >= choice.max_iterations)
      break;
  }
  if (with_history && outcome.history.empty())  // a solver that prints in a way of its own
    outcome.history = {{0, 1.0}, {outcome.iterations, outcome.relative_residual}};
  return outcome;
}

}  // namespace Tessera::cli
