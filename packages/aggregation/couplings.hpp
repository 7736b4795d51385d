#pragma once
/// \file
/// The size of a coupling relative to the diagonal.
#include <cmath>

#include "sparse/csr.hpp"

namespace Tessera::aggregation {

/// A coupling of at most this size, relative to the diagonals, counts as zero to rounding.
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
