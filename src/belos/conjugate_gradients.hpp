#pragma once
/// \file
/// Tessera's conjugate gradients as solver managers of Belos.
#include <BelosLinearProblem.hpp>
#include <BelosSolverManager.hpp>
#include <string>
#include <vector>

#include "Tessera_BelosTraits.hpp"
#include "ifpack2/backend.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

/// "TESSERA CG" and "TESSERA FLEXIBLE CG": krylov/conjugate_gradients.hpp for Belos. With Tessera's own
/// vectors the problem's operator is a ResidentSystem's matrix. With Tpetra's it is a RowMatrix, and
/// everything runs where the preconditioner lies if that is Tessera's, else on the host; matrix and vectors
/// are copied once a solve. A left preconditioner and a right one come to the same; there may be one of them.
///
/// Converged means that the true residual is below the tolerance. Solving throws
/// Belos::CGIterateFailure where matrix or preconditioner prove not to be positive definite.
template <class MV, class OP>
class ConjugateGradients final : public Belos::SolverManager<double, MV, OP> {
 public:
  using Problem = Belos::LinearProblem<double, MV, OP>;

  explicit ConjugateGradients(bool flexible);

  Teuchos::RCP<Belos::SolverManager<double, MV, OP>> clone() const override;
  Problem const& getProblem() const override { return *problem_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  Teuchos::RCP<Teuchos::ParameterList const> getCurrentParameters() const override { return parameters_; }
  /// What the list does not say stays as it is. \throws Teuchos::Exceptions::InvalidParameter
  void setParameters(Teuchos::RCP<Teuchos::ParameterList> const& list) override;
  void setProblem(Teuchos::RCP<Problem> const& problem) override { problem_ = problem; }
  void reset(Belos::ResetType type) override;
  Belos::ReturnType solve() override;

  /// The most over the right-hand sides of the last solve.
  int getNumIters() const override { return iterations_; }
  /// The largest true residual, in the scaling of the convergence test.
  double achievedTol() const override { return achieved_; }
  /// Whether a recurrence said that it had converged when the true residual had not, replacement or not, or
  /// the rounding level was reached.
  bool isLOADetected() const override { return lost_accuracy_; }
  /// Of the last solve, one for each right-hand side; also where solve() has thrown.
  std::vector<krylov::Result> const& results() const { return results_; }
  std::string description() const override;

 private:
  void print() const;

  bool flexible_;
  Teuchos::RCP<Problem> problem_;
  Teuchos::RCP<Teuchos::ParameterList> parameters_;
  ifpack2::OnAnySpace<krylov::Workspace> workspace_;  ///< memory, and graphs of recorded work
  int iterations_ = 0;
  double achieved_ = 0;
  bool lost_accuracy_ = false;
  std::vector<krylov::Result> results_;
  std::vector<double> shares_;  ///< of each right-hand side, taken out
};

}  // namespace Tessera::belos
