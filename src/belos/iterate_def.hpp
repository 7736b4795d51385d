#pragma once
/// \file
/// Bodies of iterate, instantiated once for each kind of vectors.
#include <BelosLinearProblem.hpp>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <new>
#include <set>
#include <typeinfo>

#include "Tessera_BelosSolvers.hpp"
#include "belos/belos_history.hpp"
#include "belos/iterate.hpp"
#include "core/error.hpp"

namespace Tessera::belos {

/// Null where there is no such solver for these vectors.
template <class MV, class OP>
Teuchos::RCP<Belos::SolverManager<double, MV, OP>> find_manager(std::string const& name) {
  registerBelosSolvers();
  try {
    return Belos::SolverFactory<double, MV, OP>().create(name, Teuchos::null);
  } catch (std::invalid_argument const&) {
    return Teuchos::null;
  }
}

template <class MV, class OP>
Teuchos::RCP<Belos::SolverManager<double, MV, OP>> make_manager(std::string const& name) {
  auto const manager = find_manager<MV, OP>(name);
  if (!manager.is_null()) return manager;
  std::set<std::string> names;  // the factory tells some of them twice, and some that it does not have
  for (auto const& one : Belos::SolverFactory<double, MV, OP>().supportedSolverNames()) {
    if (!find_manager<MV, OP>(one).is_null()) names.insert(one);
  }
  std::string known;
  for (auto const& one : names) known += (known.empty() ? "" : ", ") + one;
  throw core::InvalidInput("Linear Solver Types -> Belos -> Solver Type: \"" + name +
                           "\" is not one of Belos' solvers here; choose one of " + known);
}

inline Teuchos::RCP<Teuchos::ParameterList> solver_list(KrylovChoice const& choice, double tolerance,
                                                        int max_iterations) {
  auto list = Teuchos::rcp(new Teuchos::ParameterList(choice.parameters));
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", max_iterations);
  return list;
}

/// R = b - A x; the largest ||r|| / ||b|| of all columns; where b = 0, ||A x||.
template <class MV, class OP>
double relative_residual(OP const& A, MV const& B, MV const& X, std::vector<double> const& b_norms, MV& R) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  Belos::OperatorTraits<double, MV, OP>::Apply(A, X, R);
  Traits::MvAddMv(1.0, B, -1.0, R, R);
  std::vector<double> r_norms(b_norms.size());
  Traits::MvNorm(R, r_norms);
  double largest = 0;
  for (std::size_t j = 0; j < r_norms.size(); ++j) {
    double const ratio = b_norms[j] > 0 ? r_norms[j] / b_norms[j] : r_norms[j];
    if (!(ratio <= largest)) largest = ratio;  // NaN stays
  }
  return largest;
}

/// What a run works on. R: b - A x, so that the linear problem makes no residual of its own.
template <class MV, class OP>
struct System {
  Teuchos::RCP<OP const> A, M;
  Teuchos::RCP<MV const> B, R;
  Teuchos::RCP<MV> X;
};

/// Thrown by one of our operators, through Belos.
inline bool is_ours(std::exception const& error) {
  return dynamic_cast<core::InvalidInput const*>(&error) ||
         dynamic_cast<core::NumericalError const*>(&error) ||
         dynamic_cast<core::Unavailable const*>(&error) || dynamic_cast<core::OutOfMemory const*>(&error);
}

/// One run of a fresh solver manager, which may give up with an exception, said in `trouble`. Its memory is
/// given back on return.
template <class MV, class OP>
void run_manager(KrylovChoice const& choice, Teuchos::RCP<Teuchos::ParameterList> const& list, bool left,
                 System<MV, OP> const& system, SolveOutcome& outcome) {
  auto const manager = make_manager<MV, OP>(choice.solver);
  manager->setParameters(list);
  auto const problem = Teuchos::rcp(new Belos::LinearProblem<double, MV, OP>(system.A, system.X, system.B));
  problem->setHermitian();
  problem->setInitResVec(system.R);
  if (!system.M.is_null()) left ? problem->setLeftPrec(system.M) : problem->setRightPrec(system.M);
  TESSERA_VALIDATE(problem->setProblem(), "Belos refuses the linear problem");
  manager->setProblem(problem);
  try {
    manager->solve();
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    if (is_ours(error)) throw;
    // An indefinite matrix or preconditioner, NaN, parameters that do not fit this problem. MINRES throws
    // copies of the base class, which say nothing.
    bool const says_nothing = typeid(error) == typeid(std::exception);
    outcome.trouble = says_nothing ? choice.solver + " gave up; NaN is the usual reason" : error.what();
  }
  outcome.iterations += manager->getNumIters();
}

/// These look at the left preconditioner only, and would run without one in silence.
inline bool knows_left_only(std::string const& solver) {
  for (auto name : {"PCPG", "SEED CG", "CGPOLY"})
    if (solver == name) return true;
  return false;
}

template <class MV, class OP>
SolveOutcome iterate(KrylovChoice const& choice, Teuchos::RCP<OP const> const& A,
                     Teuchos::RCP<OP const> const& M, Teuchos::RCP<MV const> const& B,
                     Teuchos::RCP<MV> const& X, bool with_history) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  SolveOutcome outcome;
  outcome.solver = choice.solver;
  std::vector<double> b_norms(static_cast<std::size_t>(Traits::GetNumberVecs(*B)));
  Traits::MvNorm(*B, b_norms);
  if (*std::max_element(b_norms.begin(), b_norms.end()) == 0.0) {
    Traits::MvInit(*X, 0.0);
    outcome.converged = true;
    return outcome;
  }
  auto const R = Traits::Clone(*B, Traits::GetNumberVecs(*B));
  double residual = relative_residual(*A, *B, *X, b_norms, *R);
  if (!std::isfinite(residual)) residual = 1;  // the solver will say what is wrong
  outcome.relative_residual = residual;
  outcome.converged = residual <= choice.tolerance;
  if (outcome.converged) return outcome;
  bool const left = choice.left_preconditioner || knows_left_only(choice.solver);
  for (;; ++outcome.restarts) {
    auto const start = std::chrono::steady_clock::now();
    // Managers compare with the residual that they start from. A restart aims at nine tenths of the target,
    // so that rounding does not spoil it again.
    double const goal = (outcome.restarts == 0 ? 1.0 : 0.9) * choice.tolerance / residual;
    auto const list = solver_list(choice, goal, choice.max_iterations - outcome.iterations);
    BelosHistory history(*list, with_history);
    int const before = outcome.iterations;
    run_manager<MV, OP>(choice, list, left, {A, M, B, R, X}, outcome);
    std::chrono::duration<double> const seconds = std::chrono::steady_clock::now() - start;
    outcome.seconds += seconds.count();
    history.append(outcome.history, before, residual);
    double const last = residual;
    residual = relative_residual(*A, *B, *X, b_norms, *R);
    outcome.relative_residual = residual;
    outcome.converged = residual <= residual_slack * choice.tolerance;
    bool const worthwhile = residual < 0.5 * last && outcome.restarts < most_restarts;  // false for NaN
    if (outcome.converged || !worthwhile || !outcome.trouble.empty() ||
        outcome.iterations >= choice.max_iterations)
      break;
  }
  if (with_history && outcome.history.empty())  // a solver that prints in a way of its own
    outcome.history = {{0, 1.0}, {outcome.iterations, outcome.relative_residual}};
  return outcome;
}

}  // namespace Tessera::belos
