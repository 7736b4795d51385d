#pragma once
/// \file
/// The prefilter, and searches along what it leaves.
#include <cmath>

#include "core/parallel.hpp"
#include "fsai/batch/search.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::fsai {

/// Eq. (3.8).
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

template <class Space>
Pattern<Space> prefiltered(Space const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                           double tau, Index columns) {
  Pattern<Space> filtered;
  sparse::row_select(space, A.rows, A.column.size(), PrefilterBody{A, diagonal, tau, columns},
                     filtered.offsets, filtered.column);
  return filtered;
}

template <class Space>
Pattern<Space> prefiltered(Space const& space, LowerRows const& rows, double tau) {
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  return prefiltered(space, rows.A, diagonal.view(), tau, rows.columns);
}

template <class Space>
Pattern<Space> static_pattern(Space const& space, PatternView filtered, OwnRows const& own, RowBound bound,
                              Span<unsigned char> cut) {
  return PatternSearch<Space>::run(space, Search{filtered, own, bound.level, bound.most, cut},
                                   filtered.rows - own.others);
}

}  // namespace Tessera::fsai
