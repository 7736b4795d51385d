#pragma once
/// \file
/// A preconditioner of Tessera with Belos' interface of solver managers, for MueLu.
#include <BelosLinearProblem.hpp>
#include <BelosSolverManager.hpp>
#include <BelosTpetraAdapter.hpp>
#include <string>
#include <vector>

#include "ifpack2/Tessera_Details_Preconditioner.hpp"

namespace Tessera::belos {

/// A preconditioner or smoother that lists of MueLu can name, such as "Tessera FSAI".
struct NamedPreconditioner {
  std::string name;      ///< as in reports
  std::string factory;   ///< the name for Tessera::Factory
  std::string smoother;  ///< the value of `smoother: type` of a single smoother; else empty
};

/// All of them, single smoothers first.
std::vector<NamedPreconditioner> const& named_preconditioners();
/// Finds a name in any case; null if there is none.
NamedPreconditioner const* find_named(std::string const& name);

/// A solver manager whose solve() computes x += M^-1 (b - A x), once. Setting a problem sets up M for its
/// operator, a Tpetra::RowMatrix. solve() does not test the residual and returns Belos::Unconverged.
class OneApplication final : public Belos::SolverManager<double, Tpetra::MultiVector<>, Tpetra::Operator<>> {
 public:
  using Manager = Belos::SolverManager<double, Tpetra::MultiVector<>, Tpetra::Operator<>>;
  using Problem = Belos::LinearProblem<double, Tpetra::MultiVector<>, Tpetra::Operator<>>;
  using List = Teuchos::RCP<Teuchos::ParameterList>;

  explicit OneApplication(NamedPreconditioner named);

  Teuchos::RCP<Manager> clone() const override;
  Problem const& getProblem() const override { return *problem_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  Teuchos::RCP<Teuchos::ParameterList const> getCurrentParameters() const override { return parameters_; }
  /// Parameters that the list lacks get their defaults; null: all defaults. \throws core::InvalidInput
  void setParameters(List const& list) override;
  /// Collective. \throws std::invalid_argument if the operator is no Tpetra::RowMatrix; exceptions of
  /// compute()
  void setProblem(Teuchos::RCP<Problem> const& problem) override;
  void reset(Belos::ResetType type) override;
  /// Collective. \throws std::logic_error if no problem is set
  Belos::ReturnType solve() override;

  int getNumIters() const override { return 1; }
  bool isLOADetected() const override { return false; }
  std::string description() const override;

 private:
  NamedPreconditioner named_;
  Teuchos::RCP<Details::Preconditioner> M_;
  Teuchos::RCP<Problem> problem_;
  List parameters_;
};

}  // namespace Tessera::belos
