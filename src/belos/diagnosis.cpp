#include "belos/diagnosis.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "parameters/messages.hpp"

namespace Tessera {

char const* name(SolveStatus status) {
  switch (status) {
    case SolveStatus::converged:
      return "converged";
    case SolveStatus::roundingLevel:
      return "rounding level";
    case SolveStatus::notConverged:
      return "not converged";
    case SolveStatus::breakdown:
      break;
  }
  return "breakdown";
}

namespace belos {
namespace {

using krylov::Stop;
using Cause = IndefiniteOperator::Cause;

/// M in single precision is symmetric to six digits, of which (r, M^-1 z) may lose some.
constexpr double asymmetry_of_float = 1e-3;

/// The energy of a singular matrix may be negative by rounding.
bool is_negative(double energy, double scale) {
  return energy < -1e-13 * scale;
}

/// Comparisons with NaN prove nothing.
Cause cause_of(BreakdownSums const& sums) {
  if (sums.rz <= 0) return Cause::preconditioner;
  if (is_negative(sums.zAz, sums.z_scale) || is_negative(sums.rAr, sums.r_scale)) return Cause::matrix;
  if (std::abs(sums.rw - sums.zz) > asymmetry_of_float * sums.zz) return Cause::asymmetric_preconditioner;
  return Cause::unknown;
}

bool is_one_of(std::string const& name, std::initializer_list<char const*> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// The reason of a breakdown by the sign of (r, M^-1 r) / (p, A p), if (r, M^-1 r) is unknown.
std::string indefinite_text() {
  return "(p, A p) or (r, M^-1 r) is not a positive number: matrix or preconditioner are not positive "
         "definite, "
         "or their numbers are too large; use GMRES or fix them";
}

krylov::Result const* find(std::vector<krylov::Result> const& results, std::initializer_list<Stop> stops) {
  for (auto const& result : results)
    if (std::find(stops.begin(), stops.end(), result.stop) != stops.end()) return &result;
  return nullptr;
}

/// The larger of both; also NaN.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

/// Whether rounding prevents a smaller residual in every column above the tolerance. Tessera's conjugate
/// gradients have determined that themselves.
bool is_at_rounding_level(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome const& outcome) {
  if (!evidence.ours.empty()) {
    return std::all_of(evidence.ours.begin(), evidence.ours.end(), [](auto const& result) {
      return result.converged || result.stop == Stop::rounding_level;
    });
  }
  bool const corrected = outcome.restarts > 0 && outcome.iterations < choice.max_iterations;
  double const levels = corrected ? krylov::levels_left_by_corrections : 1;
  return std::all_of(evidence.columns.begin(), evidence.columns.end(), [&](auto const& column) {
    return column.residual <= residual_slack * choice.tolerance * column.rhs ||
           krylov::is_rounding_level(column.residual, levels * column.level);
  });
}

/// The largest share of a right-hand side in a nullspace that a solve has detected; 0: none.
double share_in_nullspace(Evidence const& evidence, double tolerance) {
  double share = 0;
  for (auto const& result : evidence.ours) share = std::max(share, result.nullspace_share);
  for (auto const& column : evidence.columns) {
    for (auto const& direction : {column.solution, column.rhs_direction}) {
      if (direction.prevents(tolerance * column.rhs)) share = std::max(share, direction.share(column.rhs));
    }
  }
  return share;
}

/// Tessera's conjugate gradients know (r, M^-1 r), but nothing of A alone. Belos' managers know less.
std::string breakdown_reason(Evidence const& evidence, krylov::Result const* broken,
                             SolveOutcome const& outcome) {
  auto const& indefinite_operator = evidence.indefinite_operator;
  bool const proved = indefinite_operator.cause != Cause::unknown &&
                      (indefinite_operator.cause != Cause::matrix || needs_definite_matrix(outcome.solver));
  bool const blames_matrix = broken != nullptr && broken->stop == Stop::indefinite_matrix;
  if (broken != nullptr && !(proved && blames_matrix && indefinite_operator.cause != Cause::matrix))
    return broken->reason;
  auto const gave_up = core::message(outcome.solver, " gave up after ", outcome.iterations, " iterations: ");
  if (proved) return gave_up + text_of(indefinite_operator);
  if (evidence.nonpositive_sum && !(indefinite_operator.sums.rz > 0)) return gave_up + indefinite_text();
  return parameters::plain_text(evidence.failure);
}

/// FIXED POINT is the one solver of Belos that is no Krylov method.
std::string growth_text(SolveOutcome const& outcome) {
  if (parameters::upper_case(outcome.solver) == "FIXED POINT")
    return krylov::diverged_text(outcome.reduction);
  return krylov::grown_text(outcome.reduction, needs_definite_matrix(outcome.solver));
}

/// The reason of a residual above the tolerance, without breakdown.
std::string unconverged_reason(Evidence const& evidence, KrylovChoice const& choice,
                               SolveOutcome const& outcome) {
  constexpr double grown = 100;
  std::string const end =
      outcome.iterations < choice.max_iterations
          ? std::string()
          : core::message("the largest number of iterations, ", choice.max_iterations, ", was reached");
  if (outcome.reduction > grown) return core::message(end, end.empty() ? "" : "; ", growth_text(outcome));
  if (choice.test == krylov::Test::row_wise) {
    auto const* const ours = find(evidence.ours, {Stop::max_iterations, Stop::stagnated});
    if (ours != nullptr) return ours->reason;
  }
  if (!end.empty()) return end;
  return krylov::stagnated_text(outcome.relativeResidual, choice.tolerance, outcome.roundingLevel);
}

}  // namespace

IndefiniteOperator indefinite_operator_of(std::vector<BreakdownSums> const& columns) {
  for (auto const cause : {Cause::preconditioner, Cause::matrix, Cause::asymmetric_preconditioner})
    for (auto const& sums : columns)
      if (cause_of(sums) == cause) return {cause, sums};
  return {Cause::unknown, columns.empty() ? BreakdownSums() : columns.front()};
}

std::string text_of(IndefiniteOperator const& indefinite_operator) {
  auto const& sums = indefinite_operator.sums;
  switch (indefinite_operator.cause) {
    case Cause::preconditioner:
      return krylov::indefinite_preconditioner_text(sums.rz);
    case Cause::asymmetric_preconditioner:
      return core::message("(M^-1 r, M^-1 r) is ", sums.zz, " but (r, M^-1 M^-1 r) is ", sums.rw,
                           ", so the preconditioner is not symmetric", krylov::advice_on_preconditioners());
    case Cause::matrix:
      return is_negative(sums.zAz, sums.z_scale)
                 ? krylov::indefinite_matrix_text("(z, A z), z = M^-1 r,", sums.zAz)
                 : krylov::indefinite_matrix_text("(r, A r)", sums.rAr);
    case Cause::unknown:
      break;
  }
  return {};
}

bool needs_definite_matrix(std::string const& solver) {
  auto const name = parameters::upper_case(solver);
  bool const ends = name.size() >= 2 && name.compare(name.size() - 2, 2, "CG") == 0;
  return ends || is_one_of(name, {"PCPG", "CGPOLY"});
}

bool needs_definite_preconditioner(std::string const& solver) {
  return needs_definite_matrix(solver) || parameters::upper_case(solver) == "MINRES";
}

void conclude(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome& outcome) {
  for (auto const& column : evidence.columns) {
    if (column.scale == 0) continue;
    raise(outcome.backwardError, column.residual / column.scale);
    raise(outcome.rowError, column.row_error);
    outcome.energy = std::min(outcome.energy, column.energy);
    raise(outcome.roundingLevel, column.level / column.rhs);
  }
  outcome.status = SolveStatus::notConverged;
  bool const is_row_wise = choice.test == krylov::Test::row_wise;
  double const share = share_in_nullspace(evidence, choice.tolerance);
  auto const* const broken =
      find(evidence.ours, {Stop::indefinite_matrix, Stop::indefinite_preconditioner, Stop::not_finite});
  outcome.converged = is_row_wise ? outcome.rowError <= residual_slack * choice.tolerance
                                  : outcome.relativeResidual <= residual_slack * choice.tolerance;
  if (outcome.converged) {
    outcome.status = SolveStatus::converged;
  } else if (share > 0) {
    outcome.energy = 1;  // x may lie in the nullspace
    outcome.reason = krylov::singular_text(share);
  } else if (outcome.relativeResidual < 1 && is_at_rounding_level(evidence, choice, outcome)) {
    outcome.status = SolveStatus::roundingLevel;
    outcome.reason =
        krylov::rounding_level_text(outcome.relativeResidual, choice.tolerance, outcome.backwardError);
  } else if (broken != nullptr || !evidence.failure.empty()) {
    outcome.status = SolveStatus::breakdown;
    outcome.reason = breakdown_reason(evidence, broken, outcome);
  } else {
    outcome.reason = unconverged_reason(evidence, choice, outcome);
  }
}

}  // namespace belos
}  // namespace Tessera
