#pragma once
/// \file
/// Diagnosis of a solve: its status, the reason of a failure, and advice.
#include <Teuchos_RCP.hpp>
#include <Tpetra_MultiVector.hpp>
#include <Tpetra_Operator.hpp>
#include <Tpetra_RowMatrix.hpp>
#include <string>
#include <utility>
#include <vector>

#include "belos/Tessera_Solve.hpp"
#include "belos/krylov_choice.hpp"
#include "belos/matrix_passes.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "krylov/rounding.hpp"

namespace Tessera::belos {

/// Of one rank: seconds are those of the rank, and bytes are not counted.
struct SolveOutcome : SolveReport {
  int restarts = 0;   ///< from the true residual, after the recursive residual had converged too early
  double energy = 1;  ///< (b, x) / (|x|, |A| |x|), minimum over the columns; small if A x cancels
  std::vector<std::pair<int, double>> history;  ///< relative residual by iteration, as Belos computes it
};

/// Rounding in the residual's recursion must not make a solve unconverged that misses by a thousandth.
constexpr double residual_slack = 1.001;

/// Dot products of one column of the residual r, with z = M^-1 r; without preconditioner z = r.
struct BreakdownSums {
  double rz = 0;          ///< (r, z), positive for a positive definite M
  double zz = 0, rw = 0;  ///< (z, z) and (r, M^-1 z), equal for a symmetric linear M
  double zAz = 0, rAr = 0;
  double z_scale = 0,
         r_scale = 0;  ///< (|z|, |A| |z|), which scales the rounding errors of (z, A z); same of r
};

/// The operator that these sums prove to be indefinite. Belos' managers report the breakdowns (p, A p) <= 0
/// and (r, z) <= 0 alike, and the first proves an indefinite A only if M is positive definite.
struct IndefiniteOperator {
  enum class Cause { unknown, matrix, preconditioner, asymmetric_preconditioner };
  Cause cause = Cause::unknown;
  BreakdownSums sums;  ///< of the column that proves the cause; if none does, of the first column
};

IndefiniteOperator indefinite_operator_of(std::vector<BreakdownSums> const& columns);

/// The reason of a breakdown, one sentence; empty for an unknown cause.
std::string text_of(IndefiniteOperator const& indefinite_operator);

/// Whether this solver of Belos needs a symmetric positive definite preconditioner.
bool needs_definite_preconditioner(std::string const& solver);
/// Whether this solver of Belos needs a symmetric positive definite matrix.
bool needs_definite_matrix(std::string const& solver);

/// Applies A four times and M^-1 twice. R: b - A x at the end of the solve. Collective.
template <class MV, class OP>
IndefiniteOperator find_indefinite_operator(OP const& A, Teuchos::RCP<OP const> const& M, MV const& R) {
  using Traits = Belos::MultiVecTraits<double, MV>;
  using Operators = Belos::OperatorTraits<double, MV, OP>;
  int const count = Traits::GetNumberVecs(R);
  auto const Z = Traits::CloneCopy(R), W = Traits::Clone(R, count);
  auto const dots = [&](MV const& X, MV const& Y) {
    std::vector<double> all(static_cast<std::size_t>(count));
    Traits::MvDot(X, Y, all);
    return all;
  };
  if (!M.is_null()) Operators::Apply(*M, R, *Z);
  auto const rz = dots(R, *Z), zz = dots(*Z, *Z);
  if (M.is_null()) {
    Traits::Assign(R, *W);
  } else {
    Operators::Apply(*M, *Z, *W);
  }
  auto const rw = dots(R, *W);
  auto const energy = [&](MV const& V) {
    Operators::Apply(A, V, *W);
    return dots(V, *W);
  };
  auto const zAz = energy(*Z), rAr = energy(R);
  auto const z_scales = rounding_scales(A, *Z, *Z), r_scales = rounding_scales(A, R, R);
  std::vector<BreakdownSums> columns;
  for (std::size_t j = 0; j < rz.size(); ++j) {
    columns.push_back({rz[j], zz[j], rw[j], zAz[j], rAr[j], 0, 0});
    if (j < z_scales.size()) columns.back().z_scale = z_scales[j].energy;
    if (j < r_scales.size()) columns.back().r_scale = r_scales[j].energy;
  }
  return indefinite_operator_of(columns);
}

/// Of one column; norms.
struct ColumnEvidence {
  double rhs = 0, residual = 0;  ///< ||b|| (1 if that is 0) and ||b - A x||
  double scale = 0;              ///< RoundingScale::norm; 0 if unknown
  double level = 0;              ///< RoundingScale::level()
  double row_error = 0;          ///< RoundingScale::row_error of b - A x
  double energy = 1;             ///< (b, x) / (|x|, |A| |x|)
  /// x: if b is out of the range of a singular A, a solver that does not detect it lets x grow along the
  /// nullspace. b: it may lie in the nullspace.
  krylov::Direction solution, rhs_direction;
};

/// Everything that is known after the solver manager has returned.
struct Evidence {
  std::vector<ColumnEvidence> columns;
  std::vector<krylov::Result> ours;  ///< of Tessera's conjugate gradients, the last run's
  std::string failure;               ///< why the manager gave up; empty if it did not
  bool nonpositive_sum = false;      ///< the manager gave up because (r, M^-1 r) / (p, A p) is not positive
  IndefiniteOperator indefinite_operator;  ///< after a breakdown
};

/// Sets status, reason, rounding level and backward error of an outcome that has relativeResidual and
/// iterations.
void conclude(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome& outcome);

/// Adds advice to the reason of a failed solve, and to the warnings of any other: parameters that would help,
/// and rows that the convergence test did not see. B: as the user gave it; X: as the solve left it.
/// Collective.
void advise(KrylovChoice const& choice, Tpetra::RowMatrix<> const& A,
            Teuchos::RCP<Tpetra::Operator<> const> const& M, Tpetra::MultiVector<> const& B,
            Tpetra::MultiVector<> const& X, SolveOutcome& outcome);

}  // namespace Tessera::belos
