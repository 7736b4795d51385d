#pragma once
/// \file
/// The body of iterate(), instantiated once for Tpetra's vectors and once for Tessera's.
#include <BelosLinearProblem.hpp>
#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <set>
#include <typeinfo>

#include "Tessera_BelosSolvers.hpp"
#include "belos/conjugate_gradients.hpp"
#include "belos/linear_solver.hpp"
#include "belos/manager_observers.hpp"
#include "belos/matrix_passes.hpp"
#include "core/error.hpp"
#include "core/timer.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "parameters/messages.hpp"

namespace Tessera::belos {

/// The first parameter that iterate() sets and that a solver lacks; empty if it has all of them.
inline std::string missing_parameter(Teuchos::ParameterList const& valid) {
  for (auto const* needed : {"Convergence Tolerance", "Maximum Iterations"})
    if (!valid.isParameter(needed)) return needed;
  return {};
}

/// Null if there is no such solver for these vectors.
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
  std::set<std::string> names;  // the factory lists some names twice, and some without a solver
  for (auto const& one : Belos::SolverFactory<double, MV, OP>().supportedSolverNames()) {
    auto const there = find_manager<MV, OP>(one);
    if (!there.is_null() && missing_parameter(*there->getValidParameters()).empty()) names.insert(one);
  }
  std::string known;
  for (auto const& one : names) known += (known.empty() ? "" : ", ") + one;
  throw core::InvalidInput("\"Solver Type\" is \"" + name +
                           "\", which is not one of Belos' solvers here; choose one of " + known);
}

inline Teuchos::RCP<Teuchos::ParameterList> solver_list(KrylovChoice const& choice, double tolerance,
                                                        int max_iterations) {
  auto list = Teuchos::rcp(new Teuchos::ParameterList(choice.parameters));
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", max_iterations);
  if (choice.test == krylov::Test::row_wise) list->set<std::string>(stopping_test, name(choice.test));
  return list;
}

/// Whether one may replace the other.
inline bool same_shape(Tpetra::MultiVector<> const& X, Tpetra::MultiVector<> const& Y) {
  return X.getMap().getRawPtr() == Y.getMap().getRawPtr() && X.getNumVectors() == Y.getNumVectors();
}
inline bool same_shape(ResidentMultiVector const& X, ResidentMultiVector const& Y) {
  return X.residence().fits(Y.residence()) && X.columns() == Y.columns();
}

/// R = b - A x; ||r|| of every column.
template <class MV, class OP>
std::vector<double> residual_norms(OP const& A, MV const& B, MV const& X, MV& R) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  apply_matrix(A, X, R);
  Traits::MvAddMv(1.0, B, -1.0, R, R);
  std::vector<double> norms(static_cast<std::size_t>(Traits::GetNumberVecs(B)));
  Traits::MvNorm(R, norms);
  return norms;
}

/// max_j r_norms[j] / references[j]; NaN if any ratio is.
inline double largest_ratio(std::vector<double> const& r_norms, std::vector<double> const& references) {
  double largest = 0;
  for (std::size_t j = 0; j < r_norms.size(); ++j) {
    double const ratio = r_norms[j] / references[j];
    if (!(ratio <= largest)) largest = ratio;  // also for NaN
  }
  return largest;
}

/// The operators and vectors of a run. R: b - A x, so that the linear problem need not compute it again.
template <class MV, class OP>
struct System {
  Teuchos::RCP<OP const> A, M;
  Teuchos::RCP<MV const> B;
  Teuchos::RCP<MV> R, X;
};

/// Whether an operator of Tessera threw this through Belos.
inline bool is_ours(std::exception const& error) {
  return dynamic_cast<core::InvalidInput const*>(&error) ||
         dynamic_cast<core::NumericalError const*>(&error) ||
         dynamic_cast<core::Unavailable const*>(&error) || dynamic_cast<core::OutOfMemory const*>(&error);
}

inline std::string not_a_number(std::string const& solver) {
  return solver + " gave up: " + krylov::not_finite_text("its residual", std::nan("")) +
         "; or the method divided by zero, since matrix or preconditioner are not positive definite";
}

/// Belos' conjugate gradients print this of p^H*A*p if (r, M^-1 r) / (p, A p) is not positive.
inline bool is_nonpositive_sum(std::string const& text) {
  return text.find("non-positive value for ") != std::string::npos;
}

/// The reason for an indefinite operator, for NaN, or for parameters that do not fit the problem. MINRES
/// throws copies of the base class, which have no text.
inline std::string failure_text(std::string const& solver, std::exception const& error) {
  std::string const text = error.what();
  if (typeid(error) == typeid(std::exception) || text.find("NaN") != std::string::npos)
    return not_a_number(solver);
  if (is_nonpositive_sum(text))
    return solver +
           " gave up: (p, A p) is not a positive number: the matrix is not positive definite, or its " +
           "numbers are too large; use GMRES or fix the matrix";
  return text;
}

/// Whether a run ended with x = 0 and without an iteration. Belos' managers of Trilinos 16 end so after NaN;
/// those of Trilinos 13 throw.
template <class MV>
bool produced_no_iterate(Belos::ReturnType returned, int iterations, MV const& X) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  if (returned == Belos::Converged || iterations > 0) return false;
  std::vector<double> norms(static_cast<std::size_t>(Traits::GetNumberVecs(X)));
  Traits::MvNorm(X, norms);
  return *std::max_element(norms.begin(), norms.end()) == 0;
}

/// The kept manager of that name, with its default parameters, or a new one.
template <class MV, class OP>
Teuchos::RCP<Belos::SolverManager<double, MV, OP>> manager_for(std::string const& solver,
                                                               Kept<MV, OP>& kept) {
  if (!kept.manager.is_null() && kept.solver == solver) {
    kept.manager->setParameters(Teuchos::rcp(new Teuchos::ParameterList(*manager_parameters())));
    return kept.manager;
  }
  auto const made = make_manager<MV, OP>(solver);
  kept.manager = Teuchos::rcp_dynamic_cast<ConjugateGradients<MV, OP>>(made);
  kept.solver = solver;
  return made;
}

/// Runs a solver manager, and records a failure in the evidence. The memory of a manager of Belos is released
/// on return.
template <class MV, class OP>
void run_manager(KrylovChoice const& choice, Teuchos::RCP<Teuchos::ParameterList> const& list, bool left,
                 System<MV, OP> const& system, SolveOutcome& outcome, Evidence& evidence,
                 Kept<MV, OP>& kept) {
  auto const manager = manager_for(choice.solver, kept);
  manager->setParameters(list);
  auto const* const ours = kept.manager.getRawPtr();
  auto const counted = Teuchos::rcp(new CountingOperator<OP>(system.A));
  auto const A =
      ours == nullptr ? Teuchos::RCP<OP const>(counted) : system.A;  // ours needs the type of the matrix
  auto const problem = Teuchos::rcp(new Belos::LinearProblem<double, MV, OP>(A, system.X, system.B));
  problem->setHermitian();
  problem->setInitResVec(system.R);
  if (!system.M.is_null()) left ? problem->setLeftPrec(system.M) : problem->setRightPrec(system.M);
  TESSERA_VALIDATE(problem->setProblem(), "Belos refuses the linear problem");
  manager->setProblem(problem);
  int iterations = 0;
  try {
    auto const returned = manager->solve();
    iterations = manager->getNumIters();
    if (ours == nullptr && produced_no_iterate(returned, manager->getNumIters(), *system.X))
      evidence.failure = not_a_number(choice.solver);
  } catch (std::bad_alloc const&) {
    throw;
  } catch (std::exception const& error) {
    if (is_ours(error)) throw;
    evidence.failure = failure_text(choice.solver, error);
    evidence.nonpositive_sum = is_nonpositive_sum(error.what());
    // Belos' managers set their count at the end only. One product per iteration, and one of the failed
    // iteration.
    iterations = std::max(manager->getNumIters(), counted->applications() - 1);
  }
  if (ours != nullptr) evidence.ours = ours->results();
  manager->setProblem(Teuchos::null);  // which has the caller's vectors
  outcome.iterations += std::max(iterations, 0);
}

/// Whether a solver ignores a right preconditioner silently. The names are one solver in Belos' factory,
/// which accepts them in any case.
inline bool needs_left_preconditioner(std::string const& solver) {
  auto const upper = parameters::upper_case(solver);
  for (auto name : {"PCPG", "SEED CG", "CGPOLY"})
    if (upper == name) return true;
  return false;
}

/// Whether the breakdown may come from an indefinite matrix or preconditioner.
inline bool may_be_indefinite(KrylovChoice const& choice, Evidence const& evidence) {
  bool const ours = std::any_of(evidence.ours.begin(), evidence.ours.end(), [](auto const& result) {
    return result.stop == krylov::Stop::indefinite_matrix;
  });
  return ours ||
         (evidence.ours.empty() && !evidence.failure.empty() && needs_definite_preconditioner(choice.solver));
}

/// Computes norms, rounding scales and nullspace directions of the final x, in passes of its own.
template <class MV, class OP>
void examine(System<MV, OP> const& system, std::vector<double> const& references,
             std::vector<double> const& r_norms, bool converged, Evidence& evidence, Kept<MV, OP>& kept) {
  auto const& A = *system.A;
  auto const &B = *system.B, &X = *system.X;
  for (std::size_t j = 0; j < references.size(); ++j)
    evidence.columns.push_back({references[j], r_norms[j], 0, 0, 0, 1, {}, {}});
  auto const of_x = rounding_scales(A, B, X, system.R.getRawPtr(),
                                    kept.manager.is_null() ? nullptr : &kept.manager->workspace());
  std::vector<double> bx(references.size());
  Belos::MultiVecTraits<double, MV>::MvDot(B, X, bx);
  for (std::size_t j = 0; j < of_x.size(); ++j) {
    evidence.columns[j].scale = of_x[j].norm;
    evidence.columns[j].level = of_x[j].level();
    evidence.columns[j].row_error = of_x[j].row_error;
    if (of_x[j].energy > 0) evidence.columns[j].energy = std::abs(bx[j]) / of_x[j].energy;
  }
  if (converged || of_x.empty()) return;
  auto const along_x = directions<MV, OP>(A, X, of_x, B);
  auto const along_b = directions<MV, OP>(A, B, rounding_scales(A, B, B), B);
  for (std::size_t j = 0; j < of_x.size(); ++j) {
    evidence.columns[j].solution = along_x[j];
    evidence.columns[j].rhs_direction = along_b[j];
  }
}

/// Whether Tessera's conjugate gradients have shown that a restart cannot help.
inline bool is_final(Evidence const& evidence) {
  return std::any_of(evidence.ours.begin(), evidence.ours.end(), [](auto const& result) {
    return result.stop == krylov::Stop::rounding_level || result.stop == krylov::Stop::stagnated ||
           result.stop == krylov::Stop::singular;
  });
}

/// Whether every row must meet the tolerance. Tessera's conjugate gradients test this themselves.
inline bool is_row_wise(KrylovChoice const& choice) {
  return choice.test == krylov::Test::row_wise;
}

/// The first run starts from X; a later run computes a correction, which X takes if it helps. Returns the
/// residual norms of all columns.
template <class MV, class OP>
std::vector<double> run_or_correct(KrylovChoice const& choice,
                                   Teuchos::RCP<Teuchos::ParameterList> const& list, bool left,
                                   System<MV, OP> const& system, std::vector<double> const& before,
                                   SolveOutcome& outcome, Evidence& evidence, Kept<MV, OP>& kept) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  if (outcome.restarts == 0) {
    run_manager<MV, OP>(choice, list, left, system, outcome, evidence, kept);
    return residual_norms(*system.A, *system.B, *system.X, *system.R);
  }
  auto const D = Traits::Clone(*system.X, Traits::GetNumberVecs(*system.X));
  Traits::MvInit(*D, 0.0);
  Teuchos::RCP<MV const> const rest = Traits::CloneCopy(*system.R);
  run_manager<MV, OP>(choice, list, left, {system.A, system.M, rest, system.R, D}, outcome, evidence, kept);
  Traits::MvAddMv(1.0, *system.X, 1.0, *D, *D);
  auto norms = residual_norms(*system.A, *system.B, *D, *system.R);
  bool helps = true;  // false for NaN
  for (std::size_t j = 0; j < norms.size(); ++j) helps = helps && norms[j] <= 2 * before[j];
  if (helps) {
    Traits::Assign(*D, *system.X);
    return norms;
  }
  return residual_norms(*system.A, *system.B, *system.X, *system.R);
}

/// A tolerance relative to ||b|| that implies the requested test for each column.
inline double tolerance_for_rhs(KrylovChoice const& choice, std::vector<double> const& starts,
                                std::vector<double> const& references) {
  using krylov::Test;
  if (choice.test == Test::absolute || choice.test == Test::either) {
    double const absolute =
        choice.absolute_tolerance / *std::max_element(references.begin(), references.end());
    KrylovChoice relative = choice;
    relative.test = Test::relative;
    return choice.test == Test::absolute
               ? absolute
               : std::max(absolute, tolerance_for_rhs(relative, starts, references));
  }
  if (!choice.relative_to_start) return choice.tolerance;
  double smallest = std::numeric_limits<double>::infinity();
  for (std::size_t j = 0; j < starts.size(); ++j)
    if (starts[j] > 0) smallest = std::min(smallest, starts[j] / references[j]);
  return std::isfinite(smallest) ? choice.tolerance * smallest : choice.tolerance;
}

template <class MV, class OP>
SolveOutcome iterate(KrylovChoice const& given, Teuchos::RCP<OP const> const& A,
                     Teuchos::RCP<OP const> const& M, Teuchos::RCP<MV const> const& B,
                     Teuchos::RCP<MV> const& X, bool with_history, Kept<MV, OP>& kept) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  SolveOutcome outcome;
  outcome.solver = given.solver;
  std::vector<double> references(static_cast<std::size_t>(Traits::GetNumberVecs(*B)));
  Traits::MvNorm(*B, references);
  if (*std::max_element(references.begin(), references.end()) == 0.0) {
    Traits::MvInit(*X, 0.0);
    outcome.converged = true;
    outcome.status = SolveStatus::converged;
    return outcome;
  }
  std::replace(references.begin(), references.end(), 0.0, 1.0);
  if (kept.residual.is_null() || !same_shape(*kept.residual, *B))
    kept.residual = Traits::Clone(*B, Traits::GetNumberVecs(*B));
  auto const R = kept.residual;
  System<MV, OP> const system{A, M, B, R, X};
  auto r_norms = residual_norms(*A, *B, *X, *R);
  auto choice = given;
  choice.tolerance = tolerance_for_rhs(given, r_norms, references);
  auto starts = r_norms;
  std::replace(starts.begin(), starts.end(), 0.0, 1.0);
  double residual = largest_ratio(r_norms, references);
  if (!std::isfinite(residual)) residual = 1;  // the solver will report the reason
  bool converged = residual <= choice.tolerance && !is_row_wise(choice);
  Evidence evidence;
  bool const left = choice.left_preconditioner || needs_left_preconditioner(choice.solver);
  while (!converged) {
    core::Stopwatch const watch{};
    // Managers compare with their initial residual. A restart aims at half the tolerance, as a margin for
    // rounding.
    double const part = outcome.restarts == 0 ? 1.0 : 0.5;
    double const goal = is_row_wise(choice) ? choice.tolerance : part * choice.tolerance / residual;
    auto const list = solver_list(choice, goal, choice.max_iterations - outcome.iterations);
    BelosHistory history(*list, with_history);
    int const before = outcome.iterations;
    r_norms = run_or_correct<MV, OP>(choice, list, left, system, r_norms, outcome, evidence, kept);
    outcome.solveSeconds += watch.seconds();
    history.append(outcome.history, before, residual);
    double const last = residual;
    residual = largest_ratio(r_norms, references);
    converged = residual <= residual_slack * choice.tolerance;
    if (!std::isfinite(residual) && evidence.failure.empty()) evidence.failure = not_a_number(choice.solver);
    bool const worthwhile = residual < 0.8 * last && outcome.restarts < most_restarts;  // false for NaN
    if (converged || is_row_wise(choice) || !worthwhile || !evidence.failure.empty() || is_final(evidence) ||
        outcome.iterations >= choice.max_iterations)
      break;
    ++outcome.restarts;
  }
  outcome.relativeResidual = residual;
  outcome.reduction = largest_ratio(r_norms, starts);
  examine(system, references, r_norms, converged, evidence, kept);
  if (!converged && may_be_indefinite(choice, evidence))
    evidence.indefinite_operator = find_indefinite_operator<MV, OP>(*A, M, *R);
  conclude(evidence, choice, outcome);
  if (with_history && outcome.history.empty())  // the solver prints in another format
    outcome.history = {{0, 1.0}, {outcome.iterations, outcome.relativeResidual}};
  return outcome;
}

}  // namespace Tessera::belos
