#pragma once
/// \file
/// See spectrum.hpp.
#include <algorithm>

#include "aggregation/diagonal.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "krylov/lanczos.hpp"
#include "multigrid/polynomial.hpp"
#include "multigrid/row_ids.hpp"
#include "multigrid/spectrum.hpp"

namespace Tessera::multigrid {

/// `max_eigenvalue`, where it holds; else 0.
inline double given_radius(int level, Parameters const& parameters) {
  return level == 0 && parameters.max_eigenvalue > 0 ? parameters.max_eigenvalue : 0;
}

struct DampingBody {
  LevelNumbers* numbers;
  double given, damping;
  TESSERA_HD void operator()(Index) const {
    auto const smaller = [](double a, double b) { return b < a ? b : a; };
    double const rho = given > 0 ? given : smaller(numbers->estimate, numbers->checks.bound);
    numbers->omega = damping == 0 ? 0 : damping / smaller(rho, numbers->filtered_bound);
  }
};

template <class Space>
void Spectrum<Space>::check(Space const& space, LevelInput<Space> const& level, Parameters const& parameters,
                            bool throws) {
  auto const& A = *level.A;
  diagonal = Array<double, Space>(space, A.local.rows);
  double const smallest = parameters.cycle_in_float ? comm::smallest_in_float : 0;
  comm::check_rows(space, A, diagonal.span(), &numbers->checks, smallest);
  if (!throws) return;
  auto const found = core::to_vector(space, Span<LevelNumbers const>(numbers, 1)).front();
  comm::together(A.rows.comm(), [&] {
    try {
      if (!std::isfinite(found.checks.bound))
        aggregation::check_diagonal(space, A, diagonal.view(), smallest);
    } catch (core::NumericalError const& error) {
      throw core::NumericalError(core::message("level ", level.level, ": ", error.what()));
    }
  });
}

template <class Space>
void Spectrum<Space>::estimate(Space const& space, LevelInput<Space> const& level,
                               Parameters const& parameters, sparse::SellView<float> const& stored) {
  auto const names = row_ids(space, level.ids.view(), level.equations);
  krylov::spectral_radius(space, *level.A, diagonal.view(), names.view(), parameters.eigenvalue_steps,
                          {parameters.cycle_in_float, stored}, &numbers->estimate);
  core::for_each(space, 1,
                 DampingBody{numbers, given_radius(level.level, parameters), parameters.prolongator_damping});
}

template <class Space>
void Spectrum<Space>::take(LevelNumbers const& found, int level, Parameters const& parameters) {
  if (!usable(found))
    throw core::NumericalError(core::message("level ", level, ": the spectral radius of D^-1 A cannot be ",
                                             "estimated (Lanczos met a number that is not finite); ",
                                             "use a symmetric positive definite matrix"));
  checksum = comm::checksum_text(found.checks.hash);
  rho = given_radius(level, parameters);
  if (rho == 0) rho = std::min(found.estimate * estimate_safety(parameters), found.checks.bound);
}

}  // namespace Tessera::multigrid
