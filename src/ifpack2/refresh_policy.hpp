#pragma once
/// \file
/// When what was made for a matrix' pattern no longer suits its values.
#include <algorithm>
#include <cstdint>

namespace Tessera::ifpack2 {

/// Counts how often M^-1 is applied between one compute() and the next: as often as solves iterate. A refresh
/// keeps aggregates and patterns, which may fit the new values less than those of the setup. A setup costs
/// about as much as `allowed` iterations, or as half of what solves take after it, where that is more.
///
/// What the first refresh after a setup takes more than that, others do, too, whenever the setup was: where
/// it is more than a setup costs, all computes should be setups. Then 1, 3, 7, up to 15 follow before another
/// refresh is tried. Where it is less, only what later refreshes take more than the first counts. Once that
/// comes to what a setup costs, all together, the next compute() is one.
class RefreshPolicy {
 public:
  /// Whether the next compute() should be a setup. applications: of M^-1, all since its setup; allowed: 0 for
  /// any number.
  bool wants_setup(std::int64_t applications, std::int64_t allowed) {
    auto const here = applications - seen_;
    seen_ = applications;
    if (allowed == 0 || here == 0) return false;
    if (rests_left_ > 0) return true;
    if (fresh_ == 0) {
      fresh_ = here;
      return false;
    }
    auto const cost = std::max(allowed, fresh_ / 2);
    if (refreshed_ == 0) {
      refreshed_ = here;
      bool const hopeless = here - fresh_ >= cost;
      rests_ = hopeless ? std::min(2 * rests_ + 1, 15) : 0;
      rests_left_ = hopeless ? rests_ + 1 : 0;
      return hopeless;
    }
    refreshed_ = std::min(refreshed_, here);
    excess_ += here - refreshed_;
    return excess_ >= cost;
  }
  /// A setup was made, worn or not.
  void renew() {
    seen_ = fresh_ = refreshed_ = excess_ = 0;
    rests_left_ = std::max(0, rests_left_ - 1);
  }

 private:
  std::int64_t seen_ = 0;
  std::int64_t fresh_ = 0,
               refreshed_ = 0;      ///< after the setup; the fewest after a refresh of it; 0: none yet
  std::int64_t excess_ = 0;         ///< over refreshed_
  int rests_ = 0, rests_left_ = 0;  ///< setups that follow another without a refresh between
};

}  // namespace Tessera::ifpack2
