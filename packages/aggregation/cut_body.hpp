#pragma once
/// \file
/// The cut of a row's couplings at the first gap between their sizes.
#include "aggregation/coarse_rounding.hpp"
#include "aggregation/couplings.hpp"

namespace Tessera::aggregation {

/// With the sizes |a_ij| / sqrt(a_ii a_jj) of a row sorted, largest first, the smallest of those before the
/// first one that is below theta times the one before it, as in MueLu's `cut-drop`; infinite where nothing is
/// coupled.
///
/// Nothing is sorted. From each size the search steps to the smallest size that is at least theta times as
/// large; two such steps go down by a factor of at least theta, so there are few steps for a small theta and
/// at most one per coupling for a theta near 1. All sizes are coarsely rounded.
struct CutBody {
  Couplings couplings;
  double theta;  ///< coarsely rounded, at most 1
  double* cut;   ///< of each owned node
  TESSERA_HD double smallest_of(Index i, double least) const {
    double smallest = HUGE_VAL;
    auto const& A = couplings.A;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      double const scaled = couplings.scaled(i, k);
      if (A.column[k] == i || !(scaled > negligible)) continue;
      double const size = coarsely_rounded(scaled);
      if (size >= least && size < smallest) smallest = size;
    }
    return smallest;
  }
  TESSERA_HD void operator()(Index i) const {
    double reached = 0.0;
    auto const& A = couplings.A;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      double const scaled = couplings.scaled(i, k);
      if (A.column[k] != i && scaled > negligible && coarsely_rounded(scaled) > reached)
        reached = coarsely_rounded(scaled);
    }
    for (double before = 0.0; before != reached;) {
      before = reached;
      reached = smallest_of(i, coarsely_rounded(theta * before));
    }
    cut[i] = reached > 0.0 ? reached : HUGE_VAL;
  }
};

/// Strong where either row keeps it.
struct AboveTheCut {
  double const* cut;
  TESSERA_HD bool by_row(double, double scaled, Index i) const { return coarsely_rounded(scaled) >= cut[i]; }
  TESSERA_HD bool operator()(double a, double scaled, Index i, Index j) const {
    return by_row(a, scaled, i) | by_row(a, scaled, j);
  }
};

}  // namespace Tessera::aggregation
