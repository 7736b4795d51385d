#include "belos/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "krylov/explain.hpp"
#include "parameters/suggestion.hpp"
#include "parameters/teuchos_text.hpp"

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

krylov::Result const* find(std::vector<krylov::Result> const& results, std::initializer_list<Stop> stops) {
  for (auto const& result : results)
    if (std::find(stops.begin(), stops.end(), result.stop) != stops.end()) return &result;
  return nullptr;
}

/// To the larger of both; NaN stays.
void raise(double& largest, double value) {
  if (!(value <= largest)) largest = value;
}

/// Whether every column that is above the tolerance is as low as rounding lets it go. Tessera's conjugate
/// gradients have looked closer. An x that is worse than none is no solution, however large its rounding.
bool is_at_rounding_level(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome const& outcome) {
  if (!evidence.ours.empty()) {
    return std::all_of(evidence.ours.begin(), evidence.ours.end(), [](auto const& result) {
      return result.converged || result.stop == Stop::rounding_level;
    });
  }
  bool const corrected = outcome.restarts > 0 && outcome.iterations < choice.max_iterations;
  double const levels = corrected ? krylov::left_by_corrections : 1;
  return std::all_of(evidence.columns.begin(), evidence.columns.end(), [&](auto const& column) {
    return column.residual <= residual_slack * choice.tolerance * column.rhs ||
           krylov::is_rounding_level(column.residual, levels * column.level);
  });
}

/// The largest share of a right-hand side along a nullspace that was met; 0: none was.
double share_in_nullspace(Evidence const& evidence, double tolerance) {
  double share = 0;
  for (auto const& result : evidence.ours) share = std::max(share, result.nullspace_share);
  for (auto const& column : evidence.columns) {
    for (auto const& direction : {column.solution, column.rhs_direction}) {
      if (direction.keeps_from(tolerance * column.rhs)) share = std::max(share, direction.share(column.rhs));
    }
  }
  return share;
}

/// Tessera's conjugate gradients have seen (r, M^-1 r), but not A alone. Belos' managers tell less.
std::string why_it_broke(Evidence const& evidence, krylov::Result const* broken,
                         SolveOutcome const& outcome) {
  auto const& indefinite_operator = evidence.indefinite_operator;
  bool const proved =
      indefinite_operator.who != IndefiniteOperator::Who::unknown &&
      (indefinite_operator.who != IndefiniteOperator::Who::matrix || needs_definite_matrix(outcome.solver));
  bool const blames_matrix = broken != nullptr && broken->stop == Stop::indefinite_matrix;
  if (broken != nullptr &&
      !(proved && blames_matrix && indefinite_operator.who != IndefiniteOperator::Who::matrix))
    return broken->reason;
  auto const gave_up = core::message(outcome.solver, " gave up after ", outcome.iterations, " iterations: ");
  if (proved) return gave_up + text_of(indefinite_operator);
  if (evidence.by_sign && !(indefinite_operator.sums.rz > 0)) return gave_up + text_of_either();
  return parameters::plain_text(evidence.failure);
}

/// Belos has one solver that is no Krylov method.
std::string growth_text(SolveOutcome const& outcome) {
  if (parameters::upper_case(outcome.solver) == "FIXED POINT")
    return krylov::diverged_text(outcome.reduction);
  return krylov::grown_text(outcome.reduction, needs_definite_matrix(outcome.solver));
}

/// Above the tolerance, and not broken down.
std::string why_not(Evidence const& evidence, KrylovChoice const& choice, SolveOutcome const& outcome) {
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
    outcome.energy = 1;  // x may be all nullspace
    outcome.reason = krylov::singular_text(share);
  } else if (outcome.relativeResidual < 1 && is_at_rounding_level(evidence, choice, outcome)) {
    outcome.status = SolveStatus::roundingLevel;
    outcome.reason =
        krylov::rounding_level_text(outcome.relativeResidual, choice.tolerance, outcome.backwardError);
  } else if (broken != nullptr || !evidence.failure.empty()) {
    outcome.status = SolveStatus::breakdown;
    outcome.reason = why_it_broke(evidence, broken, outcome);
  } else {
    outcome.reason = why_not(evidence, choice, outcome);
  }
}

}  // namespace belos
}  // namespace Tessera
