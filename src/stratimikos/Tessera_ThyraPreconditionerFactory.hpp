#pragma once
/// \file
/// Factory of Tessera's preconditioners with Thyra's interface; the definitions are in the library.
#include <Thyra_PreconditionerFactoryBase.hpp>

#include <Tpetra_Map.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <type_traits>

namespace Tessera {
namespace Details {

/// Creates preconditioners for Tpetra operators that are row matrices, of the class of `multigrid algorithm`
/// (Tessera::SmoothedAggregation without this parameter). Initialising a preconditioner again keeps as much
/// of its setup as compute() and `reuse: type` allow.
class ThyraPreconditionerFactory : public Thyra::PreconditionerFactoryBase<double> {
 public:
  using Source = Thyra::LinearOpSourceBase<double>;
  using Target = Thyra::PreconditionerBase<double>;

  bool isCompatible(Source const& source) const override;
  Teuchos::RCP<Target> createPrec() const override;
  /// \throws std::invalid_argument if the operator is not a Tpetra row matrix; all exceptions of compute()
  void initializePrec(Teuchos::RCP<Source const> const& source, Target* target,
                      Thyra::ESupportSolveUse use) const override;
  void uninitializePrec(Target* target, Teuchos::RCP<Source const>* source,
                        Thyra::ESupportSolveUse* use) const override;

  /// Checks the list at once. \throws core::InvalidInput (a std::invalid_argument), core::Unavailable
  void setParameterList(Teuchos::RCP<Teuchos::ParameterList> const& list) override;
  Teuchos::RCP<Teuchos::ParameterList> getNonconstParameterList() override { return list_; }
  Teuchos::RCP<Teuchos::ParameterList> unsetParameterList() override;
  Teuchos::RCP<Teuchos::ParameterList const> getParameterList() const override { return list_; }
  Teuchos::RCP<Teuchos::ParameterList const> getValidParameters() const override;

  std::string description() const override { return "Tessera::ThyraPreconditionerFactory"; }

  /// For Tessera's own use: the Tpetra operator in a Thyra operator if it is of this class, else null.
  template <class Class>
  static Teuchos::RCP<Class const> tpetraAs(Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op) {
    return Teuchos::rcp_dynamic_cast<Class const>(tpetraOperator(op));
  }

 private:
  using RowMatrix = Tpetra::RowMatrix<>;

  /// Null if there is none.
  static Teuchos::RCP<Tpetra::Operator<> const> tpetraOperator(
      Teuchos::RCP<Thyra::LinearOpBase<double> const> const& op);

  Teuchos::RCP<Teuchos::ParameterList> list_;
};

}  // namespace Details

/// The same with the template arguments of other packages' factories; only their defaults are compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraPreconditionerFactory : public Details::ThyraPreconditionerFactory {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
