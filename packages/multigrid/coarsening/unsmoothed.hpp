#pragma once
/// \file
/// Unsmoothed aggregation: P = T, so that an entry of the coarse matrix is a sum over a pair of aggregates.
/// Other coarsenings use P = T, too, where their own P would have too many entries.
#include <cmath>
#include <string>

#include "core/archive.hpp"
#include "core/error.hpp"
#include "galerkin/prolongator.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

/// Why P = T although P should be smoothed. A setup decides, refreshes keep the decision.
struct PlainReason {
  double reached = 0;  ///< aggregates in a row of P, if these are too many
  double entries = 0;  ///< of R A P, if these are too many

  bool given() const { return reached > 0 || entries > 0; }
  std::string text() const {
    if (!given()) return "";
    auto const what = reached > 0 ? core::message("a row of P would reach ", std::round(reached),
                                                  " aggregates on average, and R A P fill in")
                                  : core::message("R A P would have about ", std::round(entries),
                                                  " entries, for which the hierarchy has no room");
    return what + "; P is plain there (`multigrid algorithm` = unsmoothed makes all levels so, a larger " +
           "`aggregation: drop tol` shorter rows)";
  }
  void archive(core::Archive& file) {
    auto& [aggregates, nonzeros] = *this;
    file(aggregates, nonzeros);
  }
};

template <class Space>
class Unsmoothed {
 public:
  static constexpr bool by_aggregates = true;

  /// P = T by definition, which needs no reason.
  bool is_plain() const { return true; }
  void make_plain(double) {}
  std::string plain_reason() const { return ""; }
  /// T has the near-nullspace.
  void take_nullspace(Space const&, LevelFacts<Space> const&, Array<double, Space>) {}

  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    return galerkin::prolongator(space, *fine.A, {}, {}, T, 0.0, keep ? &plan_ : nullptr);
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const& T,
               comm::DistCsr<double, Space>& P) {
    galerkin::refresh_prolongator(space, *fine.A, {}, {}, T, 0.0, plan_, P);
  }
  std::size_t bytes() const { return plan_.bytes(); }
  /// Stores nothing, because refreshes make the plan.
  void archive(core::Archive&, Space const&, LevelFacts<Space> const&, galerkin::Tentative<Space> const&) {
    auto& [plan] = *this;
    static_cast<void>(plan);
  }

 private:
  galerkin::ProlongatorPlan<Space> plan_;
};

}  // namespace Tessera::multigrid
