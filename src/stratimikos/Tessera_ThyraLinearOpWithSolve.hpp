#pragma once
/// \file
/// A matrix and its solver with Thyra's interface; the definitions are in the library.
#include <Thyra_LinearOpSourceBase.hpp>
#include <Thyra_LinearOpWithSolveBase.hpp>
#include <Thyra_PreconditionerBase.hpp>

#include <Tpetra_Map.hpp>
#include <memory>
#include <type_traits>

namespace Tessera {
namespace belos {
class LinearSolver;
struct KrylovChoice;
}  // namespace belos

namespace Details {

class ThyraLinearOpWithSolveFactory;

/// Solves A x = b where the preconditioner is, on a GPU or on the host, by the Krylov method of its factory's
/// list. The initialisation by the factory brings A there; a solve moves only b and x, of any number of
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

/// The same with the template arguments of other packages' factories; one choice of them is compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolve : public Details::ThyraLinearOpWithSolve {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
