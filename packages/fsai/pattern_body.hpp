#pragma once
/// \file
/// The prefilter, and searches along what it leaves.
#include <cmath>
#include <vector>

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

/// How many columns row r has, however many: for a message, on the host.
template <class Space>
Offset row_size(Space const& space, Search const& search, Index r) {
  auto const offsets = core::to_vector(space, search.filtered.offsets);
  auto const column = core::to_vector(space, search.filtered.column);
  auto const& own = search.own;
  auto const i = own.place.empty() ? own(r) : core::to_vector(space, own.place.part(r, 1)).front();
  std::vector<Index> found{i};
  std::vector<bool> met(offsets.size());
  met[i] = true;
  std::size_t from = 0;
  for (int step = 0; step < search.level && from < found.size(); ++step) {
    for (auto const to = found.size(); from < to; ++from) {
      auto const v = found[from];
      for (Offset k = offsets[v]; k < offsets[v + 1] && column[k] <= i; ++k) {
        if (!met[column[k]]) found.push_back(column[k]);
        met[column[k]] = true;
      }
    }
  }
  return static_cast<Offset>(found.size());
}

/// rows - r for rows r that have more than `most` entries, else 0.
struct TooLongBody {
  PatternView pattern;
  Index most;
  TESSERA_HD Index operator()(Index r) const { return pattern.size(r) > most ? pattern.rows - r : 0; }
};

template <class Space>
Pattern<Space> static_pattern(Space const& space, PatternView filtered, OwnRows const& own,
                              Parameters const& parameters) {
  auto const rows = filtered.rows - own.others;
  Search const search{filtered, own, parameters.pattern_level, parameters.max_row_size};
  auto pattern = PatternSearch<Space>::run(space, search, rows);
  auto const left =
      core::reduce(space, rows, TooLongBody{pattern.view(), search.most}, core::Max{}, Index{0});
  if (left > 0) throw RowTooLong(rows - left, row_size(space, search, rows - left), parameters);
  return pattern;
}

}  // namespace Tessera::fsai
