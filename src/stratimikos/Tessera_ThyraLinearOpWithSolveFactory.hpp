#pragma once
/// \file
/// Whole solves by Tessera behind Thyra's interface; the bodies are in the library.
#include <Thyra_LinearOpWithSolveFactoryBase.hpp>

#include <Tpetra_RowMatrix.hpp>
#include <memory>

#include "Tessera_ThyraLinearOpWithSolve.hpp"
#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Tessera {
namespace Details {

/// Makes solvers of Tpetra operators that are row matrices. The list is that of Belos' factory: `Solver Type`
/// (default Pseudo Block CG, to 1e-8) and its sublist of `Solver Types`. The preconditioner's list is that of
/// a ThyraPreconditionerFactory, and says where everything runs (`backend: type`); without preconditioner
/// that is the host.
///
/// A solver that is initialised again, by initializeOp() or initializeAndReuseOp(), which are the same,
/// refreshes its preconditioner as far as compute() and `reuse: type` allow: for new values in the same
/// matrix, and for another matrix of the same pattern with `reuse: type` = tP. full keeps the preconditioner,
/// not the matrix.
class ThyraLinearOpWithSolveFactory : public Thyra::LinearOpWithSolveFactoryBase<double> {
 public:
  using Source = Thyra::LinearOpSourceBase<double>;
  using Target = Thyra::LinearOpWithSolveBase<double>;
  using AnyPreconditioner = Thyra::PreconditionerBase<double>;
  using AnyPreconditionerFactory = Thyra::PreconditionerFactoryBase<double>;

  ThyraLinearOpWithSolveFactory();
  ~ThyraLinearOpWithSolveFactory() override;

  bool acceptsPreconditionerFactory() const override { return true; }
  /// \throws std::invalid_argument where it is no ThyraPreconditionerFactory
  void setPreconditionerFactory(Teuchos::RCP<AnyPreconditionerFactory> const& factory,
                                std::string const& name) override;
  Teuchos::RCP<AnyPreconditionerFactory> getPreconditionerFactory() const override {
    return preconditioners_;
  }
  void unsetPreconditionerFactory(Teuchos::RCP<AnyPreconditionerFactory>* factory,
                                  std::string* name) override;

  bool isCompatible(Source const& source) const override;
  Teuchos::RCP<Target> createOp() const override;
  /// \throws std::invalid_argument where the operator is no Tpetra row matrix or ranks have other lists;
  ///         Thyra::CatastrophicSolveFailure, and what else compute() throws; std::logic_error where the use
  ///         is a transposed solve
  void initializeOp(Teuchos::RCP<Source const> const& source, Target* target,
                    Thyra::ESupportSolveUse use) const override;
  /// An operator that is one of Tessera's preconditioners, or a matrix to make one of.
  bool supportsPreconditionerInputType(Thyra::EPreconditionerInputType type) const override;
  /// preconditioner: made by a ThyraPreconditionerFactory, of whatever values. On a GPU the matrix is copied
  /// there beside the one that the preconditioner has.
  void initializePreconditionedOp(Teuchos::RCP<Source const> const& source,
                                  Teuchos::RCP<AnyPreconditioner const> const& preconditioner, Target* target,
                                  Thyra::ESupportSolveUse use) const override;
  /// The same with a preconditioner that is made of the approximation. \throws std::invalid_argument without
  /// preconditioner factory
  void initializeApproxPreconditionedOp(Teuchos::RCP<Source const> const& source,
                                        Teuchos::RCP<Source const> const& approximation, Target* target,
                                        Thyra::ESupportSolveUse use) const override;
  /// What a refresh needs is kept.
  void uninitializeOp(Target* target, Teuchos::RCP<Source const>* source,
                      Teuchos::RCP<AnyPreconditioner const>* preconditioner,
                      Teuchos::RCP<Source const>* approximation, Thyra::ESupportSolveUse* use) const override;

  /// Checks the list at once, and the Stratimikos list around it where there is one.
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
  void initialize(Ours& target, Ours::Given const& given) const;
  void make(Ours& target, Ours::Given const& given, Teuchos::RCP<RowMatrix const> const& A) const;

  Teuchos::RCP<Teuchos::ParameterList> list_;
  std::unique_ptr<belos::KrylovChoice> choice_;  ///< by the list
  Teuchos::RCP<OurPreconditioners> preconditioners_;
  std::string preconditioners_name_;
};

}  // namespace Details

/// The same with the template arguments of others' factories, of which one choice is compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolveFactory : public Details::ThyraLinearOpWithSolveFactory {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
