#pragma once
/// \file
/// The prefilter, for any space.
#include <cmath>

#include "fsai/pattern.hpp"
#include "sparse/row_entries.hpp"

namespace Tessera::fsai {

/// For count_entries and take_entries: eq. (3.8).
struct PrefilterBody {
  sparse::CsrView<double> A;
  Span<double const> diagonal;
  double tau;
  Index columns;    ///< as LowerRows::columns
  Offset* offsets;  ///< counts, then where rows begin
  Index* column;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index i, Offset k) const {
    Index const j = A.column[k];
    return j == i || (j < columns && std::fabs(A.value[k]) > tau * std::sqrt(diagonal[i] * diagonal[j]));
  }
  TESSERA_HD void count(Index i, Offset count) const { offsets[i] = count; }
  TESSERA_HD Offset start(Index i) const { return offsets[i]; }
  TESSERA_HD void take(Index, Offset k, Offset place) const { column[place] = A.column[k]; }
};

/// diagonal: of all columns. columns: as LowerRows::columns.
template <class Space>
Pattern<Space> prefiltered(Space const& space, sparse::CsrView<double> A, Span<double const> diagonal,
                           double tau, Index columns) {
  auto const n = static_cast<std::size_t>(A.rows);
  Pattern<Space> filtered{Array<Offset, Space>(space, n + 1), {}};
  PrefilterBody body{A, diagonal, tau, columns, filtered.offsets.data(), nullptr};
  sparse::count_entries(space, A.rows, A.column.size(), body);
  auto const kept = core::exclusive_scan(space, filtered.offsets.span().part(0, n), filtered.offsets.span());
  filtered.column = Array<Index, Space>(space, kept);
  body.column = filtered.column.data();
  sparse::take_entries(space, A.rows, A.column.size(), body);
  return filtered;
}

template <class Space>
Pattern<Space> prefiltered(Space const& space, LowerRows const& rows, double tau) {
  Array<double, Space> diagonal(space, rows.A.rows);
  sparse::extract_diagonal(space, rows.A, diagonal.span());
  return prefiltered(space, rows.A, diagonal.view(), tau, rows.columns);
}

}  // namespace Tessera::fsai
