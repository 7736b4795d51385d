#pragma once
/// \file
/// Decides when a residual has reached the rounding level, and whether a vector is in the nullspace.
#include <algorithm>
#include <cmath>
#include <limits>

#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// The recurrence compared with the true residual, at a pause or after the recurrence has stopped; norms.
struct Comparison {
  int iteration = 0;
  double recursive = 0;  ///< ||r|| of the recurrence
  double residual = 0;   ///< ||b - A x||
  double level = 0;      ///< RoundingScale::level()
  double target = 0;
  bool claimed = false;  ///< the recurrence has converged
  bool stalled = false;  ///< the recurrence has not halved ||r|| within Pause::patience
};

/// A residual of at most this number of levels counts as the rounding level if neither replacement nor a
/// correction lowers it. Direct solvers, which are backward stable, leave a few levels. Corrections leave as
/// many if rows are long, or if A is nearly singular to working precision, so that CG does not solve for
/// them.
constexpr double levels_left_by_corrections = 4;

/// How the solve proceeds. rounding_level: rounding may be the cause; refinement decides.
enum class Verdict { continue_unchanged, replace, rounding_level, stagnated };

/// Judges a solve whose recurrence and true residual separate. Near the rounding level r continues to fall, b
/// - A x does not (Greenbaum 1997). Replacing r by b - A x helps as long as it lowers b - A x. No residual
/// has ever fallen below `unattainable_ratio` levels (docs/decisions/0017). If the target is lower, r is
/// replaced as soon as it is at the level, and few iterations follow. Otherwise r is replaced when it meets
/// the target, with a second attempt near the level or the target.
class RoundingJudge {
 public:
  static constexpr int first_check = 32, patience = 50;  ///< iterations
  static constexpr double unattainable_ratio = 0.1, required_reduction = 0.81;

  explicit RoundingJudge(int max_replacements) : replacements_left_(max_replacements) {}

  Verdict operator()(Comparison const& found) {
    bool const at_level = is_near_rounding_level(found.residual, found.level);
    bool const separated = found.residual > 2 * found.recursive;
    bool const unattainable = found.target < unattainable_ratio * found.level;
    while (next_ <= found.iteration) next_ *= 2;
    watched_residual_ = unattainable ? std::min(found.level, found.recursive / 4) : 0;
    if (!needs_action(found, unattainable, at_level, separated)) return Verdict::continue_unchanged;
    count_attempt(found, unattainable, at_level);
    bool const replace = found.claimed || separated;
    if (attempts_ <= 0 || (replace && replacements_left_ == 0))
      return at_level ? Verdict::rounding_level : Verdict::stagnated;
    if (unattainable && at_level) next_ = found.iteration + std::max(8, found.iteration / 16);
    if (!replace) return Verdict::continue_unchanged;
    --replacements_left_;
    return Verdict::replace;
  }

  /// The iteration of the next comparison.
  int next() const { return next_; }
  /// A comparison is due, too, when ||r|| is at most this.
  double watched_residual() const { return watched_residual_; }

 private:
  bool needs_action(Comparison const& found, bool unattainable, bool at_level, bool separated) const {
    bool const probed = unattainable && at_level && std::isfinite(lowest_);
    bool const low = at_level || found.recursive <= found.level;
    return found.claimed || probed || (low && separated && (unattainable || found.stalled));
  }
  void count_attempt(Comparison const& found, bool unattainable, bool at_level) {
    bool const lower = found.residual < required_reduction * lowest_;
    lowest_ = std::min(lowest_, found.residual);
    bool const near = at_level || found.residual <= 4 * found.target;
    attempts_ -= lower ? 0 : unattainable || !near ? 2 : 1;
  }

  int replacements_left_, next_ = first_check, attempts_ = 2;
  double watched_residual_ = 0;
  double lowest_ = HUGE_VAL;  ///< least ||b - A x|| at an earlier attempt
};

/// Sums of a vector v that show whether A v is only rounding errors, and the share of b along v.
struct Direction {
  double energy = 0;      ///< (v, A v)
  double magnitude = 0;   ///< (|v|, |A| |v|)
  double vv = 0, ww = 0;  ///< (v, v), (A v, A v)
  double bv = 0;          ///< (b, v)

  /// Whether A v = 0 to working precision. For an indefinite A a small energy does not imply A v = 0. For a
  /// semidefinite A it implies A v = 0 to twice as many digits.
  bool is_null() const {
    return vv > 0 && std::abs(energy) <= 1e-13 * magnitude && std::sqrt(ww * vv) <= 1e-5 * magnitude;
  }
  /// Whether it prevents ||b - A x|| <= target. For the solution x, (b, x) >= (b, v)^2 / (v, A v), so the
  /// rounding level of x is about eps (b, v) / (v, A v) (|v|, |A| |v|) / ||v||.
  bool prevents(double target) const {
    double const eps = std::numeric_limits<double>::epsilon();
    return is_null() && eps * magnitude * std::abs(bv) > 4 * target * std::sqrt(vv) * std::abs(energy);
  }
  /// The share of b along v.
  double share(double b_norm) const { return std::abs(bv) / (std::sqrt(vv) * b_norm); }
};

}  // namespace Tessera::krylov
