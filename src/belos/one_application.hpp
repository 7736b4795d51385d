#pragma once
/// \file
/// A preconditioner of Tessera's where Belos' interface of solver managers is asked for.
#include <BelosLinearProblem.hpp>
#include <BelosSolverManager.hpp>
#include <BelosTpetraAdapter.hpp>
#include <string>
#include <vector>

#include "ifpack2/Tessera_Details_Preconditioner.hpp"

namespace Tessera::belos {

/// What a name such as "Tessera FSAI" stands for.
struct Part {
  std::string name;      ///< as reports say it
  std::string factory;   ///< the name for Tessera::Factory
  std::string smoother;  ///< the value of `smoother: type`, where it is that smoother alone; else empty
};

/// Those with a smoother first.
std::vector<Part> const& parts();
/// By its name, in any case; null where there is none.
Part const* find_part(std::string const& name);

/// A solver manager whose solve() is x += M^-1 (b - A x), once. Setting a problem makes M for its operator, a
/// Tpetra::RowMatrix. How small the residual gets is not looked at: solve() returns Belos::Unconverged.
class OneApplication final : public Belos::SolverManager<double, Tpetra::MultiVector<>, Tpetra::Operator<>> {
 public:
  using Manager = Belos::SolverManager<double, Tpetra::MultiVector<>, Tpetra::Operator<>>;
  using Problem = Belos::LinearProblem<double, Tpetra::MultiVector<>, Tpetra::Operator<>>;
  using List = Teuchos::RCP<Teuchos::ParameterList>;

  explicit OneApplication(Part part);

  Teuchos::RCP<Manager> clone() const override;
  Problem const& getProblem() const override { return *problem_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;
  Teuchos::RCP<Teuchos::ParameterList const> getCurrentParameters() const override { return parameters_; }
  /// The list is a complete snapshot; null: all defaults. \throws core::InvalidInput
  void setParameters(List const& list) override;
  /// Collective. \throws std::invalid_argument where the operator is no Tpetra::RowMatrix, and as compute()
  void setProblem(Teuchos::RCP<Problem> const& problem) override;
  void reset(Belos::ResetType type) override;
  /// Collective. \throws std::logic_error where no problem is set
  Belos::ReturnType solve() override;

  int getNumIters() const override { return 1; }
  bool isLOADetected() const override { return false; }
  std::string description() const override;

 private:
  Part part_;
  Teuchos::RCP<Details::Preconditioner> M_;
  Teuchos::RCP<Problem> problem_;
  List parameters_;
};

}  // namespace Tessera::belos
