#pragma once
/// \file
/// Tessera's linear solvers with Thyra's interface, and their factory; the definitions are in the library.
#include <Thyra_LinearOpSourceBase.hpp>
#include <Thyra_LinearOpWithSolveBase.hpp>
#include <Thyra_LinearOpWithSolveFactoryBase.hpp>
#include <Thyra_PreconditionerBase.hpp>

#include <Tpetra_Map.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <memory>
#include <type_traits>

#include "Tessera_ThyraPreconditionerFactory.hpp"

namespace Tessera {
namespace belos {
class LinearSolver;
struct KrylovChoice;
}  // namespace belos

namespace Details {

class ThyraLinearOpWithSolveFactory;

/// Solves A x = b on the preconditioner's back end, a GPU or the host, by the Krylov method of its factory's
/// list. The initialisation by the factory transfers A; a solve transfers only b and x, of any number of
/// columns. x is the initial guess. As an operator, this object is A.
///
/// Transposed solves are not supported. For a symmetric A they are equal to solves with A; Tessera does not
/// check symmetry, so the caller has to request a solve with A.
///
/// Criteria: the norm of the true residual relative to the right-hand side (the default) or to the initial
/// residual, and "Maximum Iterations" (int) of the extra parameters.
///
/// Extra parameters of the status: "Iteration Count" (int; also as "Belos/Iteration Count"), "Status" and
/// "Reason" (see Tessera::SolveReport), "Relative Residual", "Rounding Level", "Backward Error", "Solver",
/// "Backend", "Solve Seconds", "Transfer Seconds", "Bytes To Device" and "Bytes To Host" (long long) of this
/// solve. For the initialisation: "Setup" (setup, refresh ...), "Setup Seconds", "Setup Transfer Seconds",
/// "Setup Bytes To Device" and "Setup Bytes To Host".
class ThyraLinearOpWithSolve : virtual public Thyra::LinearOpWithSolveBase<double> {
 public:
  using Operator = Thyra::LinearOpBase<double>;
  using Space = Thyra::VectorSpaceBase<double>;
  using Vectors = Thyra::MultiVectorBase<double>;
  using Criteria = Thyra::SolveCriteria<double>;
  using Status = Thyra::SolveStatus<double>;

  /// An uninitialised object, as createOp() of a factory returns.
  ThyraLinearOpWithSolve();
  ~ThyraLinearOpWithSolve() override;

  /// Null if uninitialised.
  Teuchos::RCP<Space const> range() const override;
  Teuchos::RCP<Space const> domain() const override;
  /// Null, because the object cannot be copied.
  Teuchos::RCP<Operator const> clone() const override { return Teuchos::null; }
  std::string description() const override;

 protected:
  bool opSupportedImpl(Thyra::EOpTransp transpose) const override;
  void applyImpl(Thyra::EOpTransp transpose, Vectors const& X, Teuchos::Ptr<Vectors> const& Y, double alpha,
                 double beta) const override;
  bool solveSupportsImpl(Thyra::EOpTransp transpose) const override;
  bool solveSupportsNewImpl(Thyra::EOpTransp transpose, Teuchos::Ptr<Criteria const> criteria) const override;
  bool solveSupportsSolveMeasureTypeImpl(Thyra::EOpTransp transpose,
                                         Thyra::SolveMeasureType const& measure) const override;
  /// \throws std::logic_error if uninitialised or for unsupported criteria, std::invalid_argument for vectors
  /// that do not
  ///         fit, Thyra::CatastrophicSolveFailure if a numerical error prevents a solution
  Status solveImpl(Thyra::EOpTransp transpose, Vectors const& B, Teuchos::Ptr<Vectors> const& X,
                   Teuchos::Ptr<Criteria const> criteria) const override;

 private:
  friend class ThyraLinearOpWithSolveFactory;
  using Source = Thyra::LinearOpSourceBase<double>;

  /// Arguments of the factory's initialisation.
  struct Inputs {
    Teuchos::RCP<Source const> source, approximation;
    Teuchos::RCP<Thyra::PreconditionerBase<double> const> preconditioner;
    Thyra::ESupportSolveUse use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
  };

  void require_supported(Thyra::EOpTransp transpose, Teuchos::Ptr<Criteria const> criteria) const;
  belos::KrylovChoice choice_for(Teuchos::Ptr<Criteria const> criteria) const;

  Inputs inputs_;
  Teuchos::RCP<Operator const> op_;  ///< null if uninitialised
  std::unique_ptr<belos::KrylovChoice> choice_;
  std::unique_ptr<belos::LinearSolver> solver_;
};

}  // namespace Details

/// The same with the template arguments of other packages' factories; only their defaults are compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolve : public Details::ThyraLinearOpWithSolve {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

namespace Details {

/// Creates solvers for Tpetra operators that are row matrices. The list is that of Belos' factory: `Solver
/// Type` (default Pseudo Block CG, to 1e-8) and its sublist of `Solver Types`. The preconditioner has the
/// list of a ThyraPreconditionerFactory, whose `backend: type` is the back end of the solve; without
/// preconditioner it runs on the host.
///
/// Initialising a solver again, by initializeOp() or the equivalent initializeAndReuseOp(), refreshes its
/// preconditioner as far as compute() and `reuse: type` allow: for new values of the same matrix, and with
/// `reuse: type` = tP for another matrix of the same pattern. With `reuse: type` = full, the solver keeps the
/// preconditioner, but takes the new matrix.
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
  ///         std::logic_error for a transposed solve; Thyra::CatastrophicSolveFailure and other exceptions of
  ///         compute()
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

/// The same with the template arguments of other packages' factories; only their defaults are compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolveFactory : public Details::ThyraLinearOpWithSolveFactory {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
