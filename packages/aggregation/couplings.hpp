#pragma once
/// \file
/// The size of a coupling, free of units.
#include <cmath>

#include "sparse/csr.hpp"

namespace Tessera::aggregation {

/// Couplings up to this, relative to the diagonals, are zeros that rounding left behind.
constexpr double negligible = 1e-12;

/// 0 for a diagonal entry that is 0: nothing is coupled there.
struct ScaleBody {
  double const* diagonal;
  double* scale;
  TESSERA_HD void operator()(Index i) const {
    scale[i] = diagonal[i] > 0.0 ? 1.0 / std::sqrt(diagonal[i]) : 0.0;
  }
};

/// A matrix of nodes and 1 / sqrt(a_ii) of each of its columns, ghosts included; whatever its sign.
struct Couplings {
  sparse::CsrView<double> A;
  double const* scale;
  /// |a_ij| / sqrt(a_ii a_jj), bitwise the same from either side.
  TESSERA_HD double scaled(Index i, Offset k) const {
    return std::fabs(A.value[k] * (scale[i] * scale[A.column[k]]));
  }
};

}  // namespace Tessera::aggregation
