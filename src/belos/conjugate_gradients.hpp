#pragma once
/// \file
/// Tessera's conjugate gradients as solver managers of Belos.
#include <BelosLinearProblem.hpp>
#include <BelosSolverManager.hpp>
#include <memory>
#include <string>
#include <vector>

#include "Tessera_BelosTraits.hpp"
#include "ifpack2/backend.hpp"
#include "krylov/conjugate_gradients.hpp"

namespace Tessera::belos {

struct KeptSystem;

/// "TESSERA CG" and "TESSERA FLEXIBLE CG": krylov/conjugate_gradients.hpp for Belos. For Tessera's vectors,
/// the problem's operator is the matrix of a ResidentSystem. For Tpetra's vectors, it is a RowMatrix; the
/// solve runs on the back end of a preconditioner of Tessera, else on the host. A solve copies vectors that
/// are not in that memory, and a matrix that is not the preconditioner's. Repeated solves with a
/// preconditioner of Tessera for its own matrix reuse all memory. A left and a right preconditioner have the
/// same effect; only one may be set.
///
/// The true residual decides on convergence. solve() throws Belos::CGIterateFailure if matrix or
/// preconditioner prove to be indefinite.
template <class MV, class OP>
class ConjugateGradients final : public Belos::SolverManager<double, MV, OP> {
 public:
  using Problem = Belos::LinearProblem<double, MV, OP>;

  explicit ConjugateGradients(bool flexible);

  Teuchos::RCP<Belos::SolverManager<double, MV, OP>> clone() const override;
  Problem const& getProblem() const override { return *problem_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  Teuchos::RCP<Teuchos::ParameterList const> getCurrentParameters() const override { return parameters_; }
  /// Parameters that the list lacks keep their values. \throws Teuchos::Exceptions::InvalidParameter
  void setParameters(Teuchos::RCP<Teuchos::ParameterList> const& list) override;
  void setProblem(Teuchos::RCP<Problem> const& problem) override { problem_ = problem; }
  void reset(Belos::ResetType type) override;
  Belos::ReturnType solve() override;

  /// The maximum over the right-hand sides of the last solve.
  int getNumIters() const override { return iterations_; }
  /// The largest true residual, in the scaling of the convergence test.
  double achievedTol() const override { return achieved_; }
  /// Whether the recursive residual converged but the true residual did not, also after its replacements, or
  /// whether the rounding level was reached.
  bool isLOADetected() const override { return lost_accuracy_; }
  /// One for each right-hand side of the last solve, also after solve() has thrown.
  std::vector<krylov::Result> const& results() const { return results_; }
  std::string description() const override;
  /// Memory of solves, for further passes over their vectors.
  ifpack2::OnAnySpace<krylov::Workspace>& workspace() { return workspace_; }

 private:
  void print() const;

  bool flexible_;
  Teuchos::RCP<Problem> problem_;
  Teuchos::RCP<Teuchos::ParameterList> parameters_;
  ifpack2::OnAnySpace<krylov::Workspace> workspace_;  ///< memory, and graphs of recorded work
  std::shared_ptr<KeptSystem> system_;                ///< for Tpetra's vectors
  int iterations_ = 0;
  double achieved_ = 0;
  bool lost_accuracy_ = false;
  std::vector<krylov::Result> results_;
  std::vector<double> shares_;  ///< projected out of each right-hand side
};

}  // namespace Tessera::belos
