#pragma once
/// \file
/// The prefilter, and searches along what it leaves.
#include "core/parallel.hpp"
#include "fsai/batch/search.hpp"
#include "fsai/prefilter.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::fsai {

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
  auto const rows = own.place.empty() ? filtered.rows - own.others : static_cast<Index>(own.place.size());
  return PatternSearch<Space>::run(space, Search{filtered, own, bound.level, bound.most, cut}, rows);
}

}  // namespace Tessera::fsai
