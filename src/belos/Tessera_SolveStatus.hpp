#pragma once
/// \file
/// The status of a finished solve.

namespace Tessera {

/// From best to worst.
enum class SolveStatus {
  converged,      ///< the true residual met the tolerance
  roundingLevel,  ///< rounding in double prevents a smaller residual; it is above the tolerance
  notConverged,   ///< SolveReport::reason tells why
  breakdown       ///< matrix or preconditioner violate the method's assumptions, or a number was not finite
};

/// Such as "rounding level".
char const* name(SolveStatus status);

}  // namespace Tessera
