#pragma once
/// \file
/// The diagonal of a level's matrix, and what is known of its eigenvalues.
#include <cmath>
#include <string>

#include "comm/row_checks.hpp"
#include "multigrid/level_input.hpp"
#include "multigrid/parameters.hpp"
#include "sparse/formats/sell.hpp"

namespace Tessera::multigrid {

/// What is found out about a level's matrix, as it lies on a space.
struct LevelNumbers {
  comm::RowChecks checks;
  double estimate = 0;               ///< of rho(D^-1 A), by Lanczos
  double filtered_bound = HUGE_VAL;  ///< of rho(D_F^-1 A_F), by Gershgorin, of a level that has an A_F
  double omega = 0;                  ///< of the prolongator's smoothing
};

/// Whether they are those of a matrix that can be worked with.
inline bool usable(LevelNumbers const& numbers) {
  return std::isfinite(numbers.checks.bound) && std::isfinite(numbers.estimate);
}

template <class Space>
struct Spectrum {
  LevelNumbers* numbers = nullptr;  ///< on the space
  Array<double, Space> diagonal;
  Array<double, Space> filtered_diagonal;  ///< D_F, of a level that has an A_F
  /// The estimate times estimate_safety(), no larger than the row sums allow: smoothers diverge above rho.
  double rho = 0;
  std::string checksum;  ///< of the matrix, which is read once for all of this

  /// Reads the matrix; numbers->checks and diagonal. throws: whether it is looked at before more is done;
  /// else nothing is waited for on one rank. Collective. \throws core::NumericalError naming level and row
  /// where the diagonal is not positive, or has no inverse in a cycle in float, or a value is not finite
  void check(Space const& space, LevelInput<Space> const& level, Parameters const& parameters, bool throws);

  /// numbers->estimate, and numbers->omega = damping / rho, where rho is the estimate, no larger than the row
  /// sums of A and of A_F allow. A run of Lanczos on A_F would be half of the work again. Without its row
  /// sums a rotated anisotropy (pi/8: 2.5 for A, at most 2 for A_F) takes 48 iterations, with them 41, with a
  /// run 40; all else takes the same. stored: the rows as krylov::Entries has them. Collective; waits for
  /// nothing on one rank.
  void estimate(Space const& space, LevelInput<Space> const& level, Parameters const& parameters,
                sparse::SellView<float> const& stored = {});

  /// rho and checksum, from a copy of numbers. \throws core::NumericalError, naming the level, unless they
  /// are usable
  void take(LevelNumbers const& found, int level, Parameters const& parameters);
};

}  // namespace Tessera::multigrid
