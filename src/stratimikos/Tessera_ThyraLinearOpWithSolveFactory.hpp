#pragma once
/// \file
/// Factory of Tessera's solvers with Thyra's interface; the definitions are in the library.
#include <Thyra_LinearOpWithSolveFactoryBase.hpp>

#include <Tpetra_RowMatrix.hpp>
#include <memory>

#include "Tessera_ThyraLinearOpWithSolve.hpp"
#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Tessera {
namespace Details {

/// Creates solvers for Tpetra operators that are row matrices. The list is that of Belos' factory: `Solver
/// Type` (default Pseudo Block CG, to 1e-8) and its sublist of `Solver Types`. The preconditioner has the
/// list of a ThyraPreconditionerFactory, whose `backend: type` decides where the solve runs; without
/// preconditioner it runs on the host.
///
/// Initialising a solver again, by initializeOp() or the equivalent initializeAndReuseOp(), refreshes its
/// preconditioner as far as compute() and `reuse: type` allow: for new values of the same matrix, and with
/// `reuse: type` = tP for another matrix of the same pattern. With full, the solver keeps the preconditioner,
/// but takes the new matrix.
class ThyraLinearOpWithSolveFactory : public Thyra::LinearOpWithSolveFactoryBase<double> {
 public:
  using Source = Thyra::LinearOpSourceBase<double>;
  using Target = Thyra::LinearOpWithSolveBase<double>;
  using AnyPreconditioner = Thyra::PreconditionerBase<double>;
  using AnyPreconditionerFactory = Thyra::PreconditionerFactoryBase<double>;

  ThyraLinearOpWithSolveFactory();
  ~ThyraLinearOpWithSolveFactory() override;

  bool acceptsPreconditionerFactory() const override { return true; }
  /// \throws std::invalid_argument if the factory is not a ThyraPreconditionerFactory
  void setPreconditionerFactory(Teuchos::RCP<AnyPreconditionerFactory> const& factory,
                                std::string const& name) override;
  Teuchos::RCP<AnyPreconditionerFactory> getPreconditionerFactory() const override {
    return preconditioners_;
  }
  void unsetPreconditionerFactory(Teuchos::RCP<AnyPreconditionerFactory>* factory,
                                  std::string* name) override;

  bool isCompatible(Source const& source) const override;
  Teuchos::RCP<Target> createOp() const override;
  /// \throws std::invalid_argument if the operator is not a Tpetra row matrix or lists differ between ranks;
  ///         std::logic_error for a transposed solve; Thyra::CatastrophicSolveFailure, and other exceptions
  /// of compute()
  void initializeOp(Teuchos::RCP<Source const> const& source, Target* target,
                    Thyra::ESupportSolveUse use) const override;
  /// A preconditioner of Tessera as an operator, or a matrix to build one from.
  bool supportsPreconditionerInputType(Thyra::EPreconditionerInputType type) const override;
  /// preconditioner: made by a ThyraPreconditionerFactory, for any values. On a GPU the matrix is copied in
  /// addition to the preconditioner's matrix.
  void initializePreconditionedOp(Teuchos::RCP<Source const> const& source,
                                  Teuchos::RCP<AnyPreconditioner const> const& preconditioner, Target* target,
                                  Thyra::ESupportSolveUse use) const override;
  /// The same with a preconditioner for the approximation.
  /// \throws std::invalid_argument without a preconditioner factory
  void initializeApproxPreconditionedOp(Teuchos::RCP<Source const> const& source,
                                        Teuchos::RCP<Source const> const& approximation, Target* target,
                                        Thyra::ESupportSolveUse use) const override;
  /// Keeps the data that a refresh needs.
  void uninitializeOp(Target* target, Teuchos::RCP<Source const>* source,
                      Teuchos::RCP<AnyPreconditioner const>* preconditioner,
                      Teuchos::RCP<Source const>* approximation, Thyra::ESupportSolveUse* use) const override;

  /// Checks the list at once, and the surrounding Stratimikos list if there is one.
  /// \throws core::InvalidInput (a std::invalid_argument)
  void setParameterList(Teuchos::RCP<Teuchos::ParameterList> const& list) override;
  Teuchos::RCP<Teuchos::ParameterList> getNonconstParameterList() override { return list_; }
  Teuchos::RCP<Teuchos::ParameterList> unsetParameterList() override;
  Teuchos::RCP<Teuchos::ParameterList const> getParameterList() const override { return list_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;

  std::string description() const override { return "Tessera::ThyraLinearOpWithSolveFactory"; }

 private:
  using Ours = ThyraLinearOpWithSolve;
  using OurPreconditioners = ThyraPreconditionerFactory;
  using RowMatrix = Tpetra::RowMatrix<>;

  Ours& ours(Target* target) const;
  Teuchos::RCP<RowMatrix const> matrix(Teuchos::RCP<Source const> const& source) const;
  void initialize(Ours& target, Ours::Inputs const& inputs) const;
  void set_up(Ours& target, Ours::Inputs const& inputs, Teuchos::RCP<RowMatrix const> const& A) const;

  Teuchos::RCP<Teuchos::ParameterList> list_;
  std::unique_ptr<belos::KrylovChoice> choice_;  ///< parsed from the list
  Teuchos::RCP<OurPreconditioners> preconditioners_;
  std::string preconditioners_name_;
};

}  // namespace Details

/// The same with the template arguments of other packages' factories; one choice of them is compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolveFactory : public Details::ThyraLinearOpWithSolveFactory {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
