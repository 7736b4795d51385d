#pragma once
/// \file
/// Smoothed aggregation: P = (I - omega D_F^-1 A_F) T.
#include <utility>

#include "core/parallel.hpp"
#include "galerkin/prolongator.hpp"
#include "multigrid/facts.hpp"

namespace Tessera::multigrid {

/// How many of the entries from 8 w on are weak.
struct WeakEntries {
  Span<unsigned char const> strong;
  TESSERA_HD Offset operator()(Index w) const {
    Offset weak = 0;
    std::size_t const begin = std::size_t{8} * w, rest = strong.size() - begin;
    for (std::size_t k = begin; k < begin + (rest < 8 ? rest : 8); ++k) weak += strong[k] == 0 ? 1 : 0;
    return weak;
  }
};

/// As they lie on a space.
struct SmoothingNumbers {
  double filtered_bound = HUGE_VAL;  ///< of rho(D_F^-1 A_F), by Gershgorin, where there is an A_F
  double omega = 0;
};

/// omega = damping / rho, where rho is Lanczos' estimate for A, no larger than the row sums of A and of A_F
/// allow. A run of Lanczos on A_F would be half of the work again. Without its row sums a rotated anisotropy
/// (pi/8: 2.5 for A, at most 2 for A_F) takes 48 iterations, with them 41, with a run 40; all else takes the
/// same.
struct FindOmega {
  LevelNumbers const* level;
  SmoothingNumbers* numbers;
  double given, damping;
  TESSERA_HD void operator()(Index) const {
    auto const smaller = [](double a, double b) { return b < a ? b : a; };
    double const rho = given > 0 ? given : smaller(level->estimate, level->checks.bound);
    numbers->omega = damping / smaller(rho, numbers->filtered_bound);
  }
};

template <class Space>
class Smoothed {
 public:
  static constexpr bool by_aggregates = false;

  /// strong: entries of A, as the strength graph has them. Collective.
  Smoothed(Space const& space, LevelFacts<Space> const& fine, Array<unsigned char, Space> strong,
           Parameters const& parameters)
      : filter_(parameters.filter),
        damping_(parameters.prolongator_damping),
        given_radius_(given_radius(fine.level, parameters)),
        numbers_(core::to_space(space, std::vector<SmoothingNumbers>(1))) {
    auto const weak = core::sum(space, (strong.size() + 7) / 8, WeakEntries{strong.view()});
    filtered_ = filter_.filtered && fine.A->rows.comm().any(weak > 0);
    if (filtered_) strong_ = std::move(strong);
  }

  /// Which rows are lumped is decided the first time.
  comm::DistCsr<double, Space> make(Space const& space, LevelFacts<Space> const& fine,
                                    galerkin::Tentative<Space> const& T, bool keep) {
    auto const D_F = find_omega(space, fine);
    return galerkin::prolongator(space, *fine.A, filtered_entries(),
                                 filtered_ ? D_F.view() : fine.diagonal.view(), T, omega(),
                                 keep ? &plan_ : nullptr);
  }
  void refresh(Space const& space, LevelFacts<Space> const& fine, galerkin::Tentative<Space> const& T,
               comm::DistCsr<double, Space>& P) {
    auto const D_F = find_omega(space, fine);
    galerkin::refresh_prolongator(space, *fine.A, filtered_entries(),
                                  filtered_ ? D_F.view() : fine.diagonal.view(), T, omega(), plan_, P);
  }
  std::size_t bytes() const { return strong_.bytes() + lumped_.bytes() + plan_.bytes(); }

 private:
  galerkin::FilteredEntries filtered_entries() const { return {strong_.view(), lumped_.view()}; }
  galerkin::Damping omega() const { return galerkin::Damping::at(&numbers_.data()->omega); }

  /// omega for the values of A as they are; returns D_F, empty where A_F = A.
  Array<double, Space> find_omega(Space const& space, LevelFacts<Space> const& fine) {
    auto const& A = *fine.A;
    bool const first = !std::exchange(decided_, true);
    if (first) lumped_ = Array<unsigned char, Space>(space, A.local.rows);
    if (first && !filtered_) core::fill(space, lumped_.span(), 0);
    Array<double, Space> D_F(space, filtered_ ? A.local.rows : 0);
    auto* const bound = &numbers_.data()->filtered_bound;
    if (filtered_ && first)
      galerkin::filtered_diagonal(space, A, strong_.view(), filter_, D_F.span(), lumped_.span(), bound);
    if (filtered_ && !first)
      galerkin::refresh_filtered_diagonal(space, A, strong_.view(), lumped_.view(), D_F.span(), bound);
    core::for_each(space, 1, FindOmega{fine.numbers, numbers_.data(), given_radius_, damping_});
    return D_F;
  }

  galerkin::FilterParameters filter_;
  double damping_, given_radius_;
  bool filtered_ = false, decided_ = false;
  Array<unsigned char, Space> strong_;  ///< only when filtered_
  Array<unsigned char, Space> lumped_;
  Array<SmoothingNumbers, Space> numbers_;
  galerkin::ProlongatorPlan<Space> plan_;
};

}  // namespace Tessera::multigrid
