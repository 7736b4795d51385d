#pragma once
/// \file
/// A matrix with its solver behind Thyra's interface; the bodies are in the library.
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

/// Solves A x = b where the preconditioner lies, on a GPU or on the host, by the Krylov method that the list
/// of its factory names. A lies there since the factory has initialised this object; a solve moves b and x,
/// of however many columns. x is the start. As an operator it is A.
///
/// Solves with A, not with its transpose: a transposed solve is the same where A is symmetric, which Tessera
/// does not check, so it is left to the caller to ask for it.
///
/// Criteria: the norm of the residual over that of the right-hand side (the default), or over that of the
/// start's residual; "Maximum Iterations" (int) of their extra parameters. Judged by the true residual.
///
/// The status' extra parameters: "Iteration Count" (int; the same as "Belos/Iteration Count"), "Status" and
/// "Reason" (how Tessera::SolveReport ends), "Relative Residual", "Rounding Level", "Backward Error",
/// "Solver", "Backend", "Solve Seconds", "Transfer Seconds", "Bytes To Device" and "Bytes To Host" (long
/// long) of this solve; "Setup" (what the initialisation did: setup, refresh ...), "Setup Seconds", "Setup
/// Transfer Seconds", "Setup Bytes To Device" and "Setup Bytes To Host" of what came before it.
class ThyraLinearOpWithSolve : virtual public Thyra::LinearOpWithSolveBase<double> {
 public:
  using Operator = Thyra::LinearOpBase<double>;
  using Space = Thyra::VectorSpaceBase<double>;
  using Vectors = Thyra::MultiVectorBase<double>;
  using Criteria = Thyra::SolveCriteria<double>;
  using Status = Thyra::SolveStatus<double>;

  /// Uninitialised: a factory's createOp().
  ThyraLinearOpWithSolve();
  ~ThyraLinearOpWithSolve() override;

  /// Null where uninitialised.
  Teuchos::RCP<Space const> range() const override;
  Teuchos::RCP<Space const> domain() const override;
  /// Null: there is no copy.
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
  /// \throws std::logic_error where uninitialised or the criteria are not supported, std::invalid_argument
  ///         where vectors do not fit, Thyra::CatastrophicSolveFailure where nothing was solved
  Status solveImpl(Thyra::EOpTransp transpose, Vectors const& B, Teuchos::Ptr<Vectors> const& X,
                   Teuchos::Ptr<Criteria const> criteria) const override;

 private:
  friend class ThyraLinearOpWithSolveFactory;
  using Source = Thyra::LinearOpSourceBase<double>;

  /// What the factory was given.
  struct Given {
    Teuchos::RCP<Source const> source, approximation;
    Teuchos::RCP<Thyra::PreconditionerBase<double> const> preconditioner;
    Thyra::ESupportSolveUse use = Thyra::SUPPORT_SOLVE_UNSPECIFIED;
  };

  void require_supported(Thyra::EOpTransp transpose, Teuchos::Ptr<Criteria const> criteria) const;
  belos::KrylovChoice choice_by(Teuchos::Ptr<Criteria const> criteria) const;

  Given given_;
  Teuchos::RCP<Operator const> op_;  ///< null where uninitialised
  std::unique_ptr<belos::KrylovChoice> choice_;
  std::unique_ptr<belos::LinearSolver> solver_;
};

}  // namespace Details

/// The same with the template arguments of others' factories, of which one choice is compiled.
template <class LocalOrdinal = Tpetra::Map<>::local_ordinal_type,
          class GlobalOrdinal = Tpetra::Map<>::global_ordinal_type, class Node = Tpetra::Map<>::node_type>
class ThyraLinearOpWithSolve : public Details::ThyraLinearOpWithSolve {
  static_assert(
      std::is_same<Tpetra::Map<LocalOrdinal, GlobalOrdinal, Node>, Tpetra::Map<int, long long>>::value,
      "Tessera is compiled for Tpetra::Map<int, long long> and the default node only.");
};

}  // namespace Tessera
