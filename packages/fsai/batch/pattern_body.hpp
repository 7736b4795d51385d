#pragma once
/// \file
/// The prefilter, and the static pattern by searches along the filtered matrix.
#include "core/parallel.hpp"
#include "fsai/batch/pattern_search.hpp"
#include "fsai/pattern.hpp"
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
  auto const rows =
      own.position.empty() ? filtered.rows - own.ghosts : static_cast<Index>(own.position.size());
  return PatternSearch<Space>::run(space, Search{filtered, own, bound.level, bound.max_size, cut}, rows);
}

}  // namespace Tessera::fsai
