#pragma once
/// \file
/// Bodies of ConjugateGradients, instantiated once for each kind of vectors.
#include <BelosCGIteration.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <algorithm>
#include <ostream>

#include "belos/conjugate_gradients.hpp"
#include "belos/manager_parameters.hpp"

namespace Tessera::belos {

/// The preconditioner of a problem; null where there is none. Left or right: the algorithm is the same.
template <class Problem>
auto preconditioner_of(Problem const& problem) {
  auto const left = problem.getLeftPrec(), right = problem.getRightPrec();
  TEUCHOS_TEST_FOR_EXCEPTION(!left.is_null() && !right.is_null(), std::invalid_argument,
                             "Tessera's conjugate gradients: the problem has a left and a right "
                             "preconditioner; set one of them.");
  return left.is_null() ? right : left;
}

template <class MV, class OP>
ConjugateGradients<MV, OP>::ConjugateGradients(bool flexible)
    : flexible_(flexible), parameters_(Teuchos::rcp(new Teuchos::ParameterList(*manager_parameters()))) {}

template <class MV, class OP>
Teuchos::RCP<Belos::SolverManager<double, MV, OP>> ConjugateGradients<MV, OP>::clone() const {
  return Teuchos::rcp(new ConjugateGradients(flexible_));
}

template <class MV, class OP>
Teuchos::RCP<Teuchos::ParameterList const> ConjugateGradients<MV, OP>::getValidParameters() const {
  return manager_parameters();
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::setParameters(Teuchos::RCP<Teuchos::ParameterList> const& list) {
  if (list.is_null()) return;
  Teuchos::ParameterList types(*parameters_);  // Teuchos' validators of numbers would read strings
  for (auto const& one : *parameters_) types.getEntry(one.first).setValidator(Teuchos::null);
  list->validateParameters(types);
  list->validateParametersAndSetDefaults(*parameters_);
  parameters_ = Teuchos::rcp(new Teuchos::ParameterList(*list));
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::reset(Belos::ResetType type) {
  if ((type & Belos::Problem) && !problem_.is_null()) problem_->setProblem();
}

template <class MV, class OP>
std::string ConjugateGradients<MV, OP>::description() const {
  return flexible_ ? "\"Tessera::FlexibleConjugateGradients\"" : "\"Tessera::ConjugateGradients\"";
}

template <class MV, class OP>
Belos::ReturnType ConjugateGradients<MV, OP>::solve() {
  TEUCHOS_TEST_FOR_EXCEPTION(problem_.is_null() || !problem_->isProblemSet(), std::logic_error,
                             "Tessera's conjugate gradients: no problem is set; call its setProblem(), then "
                             "that of the solver manager.");
  auto const timer = Teuchos::TimeMonitor::getNewCounter(parameters_->get<std::string>("Timer Label") +
                                                         ": Tessera CG total solve time");
  results_.clear();
  {
    Teuchos::TimeMonitor const monitor(*timer);
    results_ = run(*problem_, solver_parameters(*parameters_, flexible_), workspaces_);
  }
  iterations_ = 0;
  achieved_ = 0;
  lost_accuracy_ = false;
  bool converged = true;
  for (auto const& result : results_) {
    iterations_ = std::max(iterations_, result.iterations);
    // NaN stays, and is no convergence.
    if (!(result.relative_residual <= achieved_)) achieved_ = result.relative_residual;
    lost_accuracy_ = lost_accuracy_ || (!result.converged && result.replacements > 0) ||
                     result.stop == krylov::Stop::stagnated || result.stop == krylov::Stop::rounding_level;
    converged = converged && result.converged;
  }
  print();
  for (auto const& result : results_) {
    bool const indefinite = result.stop == krylov::Stop::indefinite_matrix ||
                            result.stop == krylov::Stop::indefinite_preconditioner;
    TEUCHOS_TEST_FOR_EXCEPTION(indefinite, Belos::CGIterateFailure, result.reason);
  }
  return converged ? Belos::Converged : Belos::Unconverged;
}

template <class MV, class OP>
void ConjugateGradients<MV, OP>::print() const {
  auto const how = printing(*parameters_);
  if (how.stream.is_null() || !(how.warnings || how.final_summary || how.iterations) || !prints(*problem_))
    return;
  auto& out = *how.stream;
  for (std::size_t j = 0; j < results_.size(); ++j) {
    auto const& result = results_[j];
    for (std::size_t i = 0; how.iterations && i < result.history.size(); ++i) {
      if (static_cast<int>(i) % how.every != 0 && i + 1 != result.history.size()) continue;
      out << "Iter " << i << ", [" << j + 1 << "] : " << result.history[i] << "\n";
    }
    if (how.warnings && !result.converged) out << "Tessera: warning: " << result.reason << "\n";
    if (how.final_summary) {
      out << "Tessera: right-hand side " << j + 1 << ": "
          << (result.converged ? "converged" : "not converged") << " in " << result.iterations
          << " iterations, true relative residual " << result.relative_residual << "\n";
    }
  }
  out << std::flush;
}

}  // namespace Tessera::belos
