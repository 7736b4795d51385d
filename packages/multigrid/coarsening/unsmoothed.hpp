#pragma once
/// \file
/// Unsmoothed aggregation: P = T, so that an entry of the coarse matrix is a sum over a pair of aggregates.
#include "galerkin/prolongator.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

template <class Space>
class Unsmoothed {
 public:
  static constexpr bool by_aggregates = true;

  /// P = T, as it was to be.
  bool is_plain() const { return true; }
  void make_plain(double) {}
  std::string why_plain() const { return ""; }
  /// P = T has it.
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
  /// Nothing: refreshes make the plan.
  void archive(core::Archive&, Space const&, LevelFacts<Space> const&, galerkin::Tentative<Space> const&) {
    auto& [plan] = *this;
    static_cast<void>(plan);
  }

 private:
  galerkin::ProlongatorPlan<Space> plan_;
};

}  // namespace Tessera::multigrid
