#pragma once
/// \file
/// Which entries of A a pattern is searched in.
#include <cmath>

#include "fsai/lower_rows.hpp"

namespace Tessera::fsai {

/// Bernaschi et al. 2016, eq. (3.8).
struct PrefilterBody {
  sparse::CsrView<double> A;
  Span<double const> diagonal;
  double tau;
  Index columns;  ///< as LowerRows::columns
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    Index const j = A.column[k];
    return j == i || (j < columns && std::fabs(A.value[k]) > tau * std::sqrt(diagonal[i] * diagonal[j]));
  }
  TESSERA_HD void take(Index, Offset k, Index& column) const { column = A.column[k]; }
};

}  // namespace Tessera::fsai
