#pragma once
/// \file
/// How a solve may end.

namespace Tessera {

/// From best to worst.
enum class SolveStatus {
  converged,      ///< the true residual met the tolerance
  roundingLevel,  ///< it is as low as rounding in double lets it go for this system, above the tolerance
  notConverged,   ///< the reason says why
  breakdown       ///< matrix or preconditioner are not what the method needs, or a number was not finite
};

/// Such as "rounding level".
char const* name(SolveStatus status);

}  // namespace Tessera
