#pragma once
/// \file
/// When rounding lets a residual go no lower, and when a vector is in the nullspace.
#include <algorithm>
#include <cmath>
#include <limits>

#include "krylov/conjugate_gradients.hpp"

namespace Tessera::krylov {

/// A solve at a pause or where its recurrence has stopped; norms.
struct Look {
  int iteration = 0;
  double recursive = 0;  ///< ||r|| of the recurrence
  double residual = 0;   ///< ||b - A x||
  double level = 0;      ///< RoundingScale::level()
  double target = 0;
  bool claimed = false;  ///< the recurrence says converged
  bool stalled = false;  ///< it has not halved ||r|| for long
};

/// Levels that count as the rounding level where neither replacement nor a correction comes lower: direct
/// solvers, which are backward stable, leave a few, and corrections as many where rows are long or A is
/// nearly singular to working precision, so that CG does not solve for them.
constexpr double left_by_corrections = 4;

/// What to do about it. rounding_level: rounding may be why; refinement tells.
enum class Verdict { go_on, replace, rounding_level, stagnated };

/// Judges a solve whose recurrence and true residual part, as they do near the rounding level: r goes on
/// falling, b - A x does not (Greenbaum 1997). Replacing the one by the other helps as long as it lowers
/// b - A x. Below `unattainable_ratio` levels nothing has ever come (docs/decisions/0017): such solves are
/// replaced as soon as r is at the level, and given few iterations to show for it. All others have until r
/// meets the target, and a second chance near the level or the target.
class RoundingJudge {
 public:
  static constexpr int first_look = 32, patience = 50;  ///< iterations
  static constexpr double unattainable_ratio = 0.1, worthwhile = 0.81;

  explicit RoundingJudge(int max_replacements) : left_(max_replacements) {}

  Verdict operator()(Look const& look) {
    bool const at_level = is_near_rounding_level(look.residual, look.level);
    bool const parted = look.residual > 2 * look.recursive;
    bool const no_hope = look.target < unattainable_ratio * look.level;
    while (next_ <= look.iteration) next_ *= 2;
    watched_ = no_hope ? std::min(look.level, look.recursive / 4) : 0;
    if (!calls_for_action(look, no_hope, at_level, parted)) return Verdict::go_on;
    take_chances(look, no_hope, at_level);
    bool const replace = look.claimed || parted;
    if (chances_ <= 0 || (replace && left_ == 0))
      return at_level ? Verdict::rounding_level : Verdict::stagnated;
    if (no_hope && at_level) next_ = look.iteration + std::max(8, look.iteration / 16);
    if (!replace) return Verdict::go_on;
    --left_;
    return Verdict::replace;
  }

  /// When to look again: at this iteration, or as soon as ||r|| is no larger.
  int next() const { return next_; }
  double watched() const { return watched_; }

 private:
  bool calls_for_action(Look const& look, bool no_hope, bool at_level, bool parted) const {
    bool const probed = no_hope && at_level && std::isfinite(lowest_);
    bool const low = at_level || look.recursive <= look.level;
    return look.claimed || probed || (low && parted && (no_hope || look.stalled));
  }
  void take_chances(Look const& look, bool no_hope, bool at_level) {
    bool const lower = look.residual < worthwhile * lowest_;
    lowest_ = std::min(lowest_, look.residual);
    bool const near = at_level || look.residual <= 4 * look.target;
    chances_ -= lower ? 0 : no_hope || !near ? 2 : 1;
  }

  int left_, next_ = first_look, chances_ = 2;
  double watched_ = 0;
  double lowest_ = HUGE_VAL;  ///< ||b - A x|| where it was acted upon
};

/// A vector v with the sums that say whether A v is nothing but rounding, and what b has of it.
struct Direction {
  double energy = 0;      ///< (v, A v)
  double magnitude = 0;   ///< (|v|, |A| |v|)
  double vv = 0, ww = 0;  ///< (v, v), (A v, A v)
  double bv = 0;          ///< (b, v)

  /// Whether A v = 0 to working precision. Of an indefinite A the energy alone would not say it; of a
  /// semidefinite one it says it to twice as many digits.
  bool is_null() const {
    return vv > 0 && std::abs(energy) <= 1e-13 * magnitude && std::sqrt(ww * vv) <= 1e-5 * magnitude;
  }
  /// Whether it keeps ||b - A x|| from `target`: (b, x) >= (b, v)^2 / (v, A v) for the solution x, so that
  /// its rounding level is about eps (b, v) / (v, A v) (|v|, |A| |v|) / ||v||.
  bool keeps_from(double target) const {
    double const eps = std::numeric_limits<double>::epsilon();
    return is_null() && eps * magnitude * std::abs(bv) > 4 * target * std::sqrt(vv) * std::abs(energy);
  }
  /// Of b, along v.
  double share(double b_norm) const { return std::abs(bv) / (std::sqrt(vv) * b_norm); }
};

}  // namespace Tessera::krylov
