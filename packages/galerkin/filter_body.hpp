#pragma once
/// \file
/// How the filtered diagonal is made.
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "galerkin/filter.hpp"

namespace Tessera::galerkin {

/// Diagonal entry and dropped entries of one row.
struct FilteredRow {
  Index row;
  bool filtered;
  double a_ii = 0, dropped = 0;
  bool any = false;
  /// Without branches, since nobody foresees which entries are weak; nothing changes by adding 0.
  TESSERA_HD void add(double value, Index column, bool strong) {
    bool const is_diagonal = column == row;
    bool const drops = filtered & !is_diagonal & !strong;
    a_ii = is_diagonal ? value : a_ii;
    dropped += drops ? value : 0.0;
    any |= drops;
  }
};

/// Entries of A with their flags.
struct FlaggedEntries {
  sparse::CsrView<double> A;
  Span<unsigned char const> strong;
  TESSERA_HD bool is_strong(Offset k) const { return strong.empty() || strong[k] != 0; }
  TESSERA_HD FilteredRow row(Index i, bool filtered) const {
    FilteredRow row{i, filtered};
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) row.add(A.value[k], A.column[k], is_strong(k));
    return row;
  }
};

struct FilteredDiagonalBody {
  FlaggedEntries entries;
  FilterParameters parameters;
  Span<double> diagonal;
  Span<unsigned char> lumped;
  TESSERA_HD bool filters(Index) const { return parameters.filtered; }
  TESSERA_HD void finish(FilteredRow const& row) const {
    double const sum = row.a_ii + row.dropped;
    bool const lump = row.any && sum > 0 && sum > parameters.keep_above * row.a_ii;
    diagonal[row.row] = lump ? sum : row.a_ii;
    lumped[row.row] = lump ? 1 : 0;
  }
  TESSERA_HD void operator()(Index i) const { finish(entries.row(i, filters(i))); }
};

struct RefreshFilteredDiagonalBody {
  FlaggedEntries entries;
  Span<unsigned char const> lumped;
  Span<double> diagonal;
  TESSERA_HD bool filters(Index i) const { return lumped[i] != 0; }
  TESSERA_HD void finish(FilteredRow const& row) const {
    double const sum = row.a_ii + row.dropped;
    diagonal[row.row] = row.any && sum > 0 ? sum : row.a_ii;
  }
  TESSERA_HD void operator()(Index i) const { finish(entries.row(i, filters(i))); }
};

/// CUDA has its own.
template <class Space, class Body>
void filter_rows(Space const& space, Index rows, Body const& body) {
  core::for_each(space, rows, body);
}

template <class Space>
void filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                       Span<unsigned char const> strong, FilterParameters const& parameters,
                       Span<double> diagonal, Span<unsigned char> lumped) {
  TESSERA_EXPECT(!parameters.filtered || strong.size() == A.local.column.size());
  filter_rows(space, A.local.rows,
              FilteredDiagonalBody{{A.local.view(), strong}, parameters, diagonal, lumped});
}

template <class Space>
void refresh_filtered_diagonal(Space const& space, comm::DistCsr<double, Space> const& A,
                               Span<unsigned char const> strong, Span<unsigned char const> lumped,
                               Span<double> diagonal) {
  filter_rows(space, A.local.rows, RefreshFilteredDiagonalBody{{A.local.view(), strong}, lumped, diagonal});
}

}  // namespace Tessera::galerkin
