#pragma once
/// \file
/// See facts.hpp.
#include <algorithm>

#include "aggregation/diagonal.hpp"
#include "core/error.hpp"
#include "krylov/lanczos.hpp"
#include "multigrid/facts.hpp"
#include "multigrid/polynomial.hpp"
#include "multigrid/row_ids.hpp"

namespace Tessera::multigrid {

/// The smallest diagonal entry that has an inverse in the cycle.
inline double smallest_diagonal(Parameters const& parameters) {
  return parameters.cycle_in_float ? comm::smallest_in_float : 0;
}

template <class Space>
void LevelFacts<Space>::find(Space const& space, LevelInput<Space> const& level, Parameters const& parameters,
                             sparse::SellView<float> const& stored) {
  auto const& A = *level.A;
  diagonal = Array<double, Space>(space, A.local.rows);
  comm::check_rows(space, A, diagonal.span(), &numbers->checks, smallest_diagonal(parameters));
  auto const ids = row_ids(space, level.ids.view(), level.equations);
  krylov::spectral_radius(space, A, diagonal.view(), ids.view(), parameters.eigenvalue_steps,
                          {parameters.cycle_in_float, stored}, &numbers->estimate);
}

template <class Space>
void LevelFacts<Space>::take(LevelNumbers const& found, int level, Parameters const& parameters) {
  checksum = comm::checksum_text(found.checks.hash);
  rho = given_radius(level, parameters);
  if (rho == 0) rho = std::min(found.estimate * estimate_safety(parameters), found.checks.bound);
}

template <class Space>
void LevelFacts<Space>::check(Space const& space, LevelInput<Space> const& level,
                              Parameters const& parameters) {
  auto const found = core::to_vector(space, Span<LevelNumbers const>(numbers, 1)).front();
  if (usable(found)) return take(found, level.level, parameters);
  auto const& comm = level.A->rows.comm();
  comm::together(comm, [&] {
    try {
      aggregation::check_diagonal(space, *level.A, diagonal.view(), smallest_diagonal(parameters));
    } catch (core::NumericalError const& error) {
      throw core::NumericalError(core::message("level ", level.level, ": ", error.what()));
    }
  });
  comm.agree();  // ranks whose rows are sound throw what the others do
  throw core::NumericalError(core::message(
      "level ", level.level, ": the spectral radius of D^-1 A cannot be ",
      "estimated (Lanczos met a number that is not finite); ", "use a symmetric positive definite matrix"));
}

}  // namespace Tessera::multigrid
