#pragma once
/// \file
/// Rows of a coarse matrix that several ranks have a share in, merged in rank order.
#include <cstdint>
#include <utility>

#include "comm/foreign_columns_body.hpp"
#include "core/bisection.hpp"
#include "core/parallel.hpp"
#include "sparse/formats/csr.hpp"

namespace Tessera::galerkin {

/// Entries of ranks in rows that several ranks have a share in, as parallel arrays.
struct ShareViews {
  Span<Index> row;
  Span<GlobalIndex> column;
  Span<Offset> source;  ///< as CoarseAssembly::source_
};

/// The entries of chosen rows of partial, one row after the other.
struct ListOwnBody {
  sparse::CsrView<double> partial;
  Span<Index const> chosen;
  Span<Offset const> start;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  ShareViews shares;
  TESSERA_HD void operator()(Index i) const {
    Offset to = start[i];
    for (Offset k = partial.offsets[chosen[i]]; k < partial.offsets[chosen[i] + 1]; ++k, ++to) {
      Index const c = partial.column[k];
      shares.row[to] = chosen[i];
      shares.column[to] = c < owned ? begin + c : ghosts[c - owned];
      shares.source[to] = -1 - k;
    }
  }
};

/// Those that arrived; they are numbered from `first` on, and stand from place `to` on.
struct ListArrivedBody {
  Span<Index const> row;
  Span<Offset const> offsets;
  Span<GlobalIndex const> column;
  Offset first, to;
  ShareViews shares;
  TESSERA_HD void operator()(Index i) const {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      shares.row[to + k - first] = row[i];
      shares.column[to + k - first] = column[k];
      shares.source[to + k - first] = k;
    }
  }
};

struct MarkBody {
  Span<Index const> rows;
  Span<unsigned char> marked;
  TESSERA_HD void operator()(Index i) const { marked[rows[i]] = 1; }
};

struct MarkedPredicate {
  Span<unsigned char const> marked;
  TESSERA_HD bool operator()(Index i) const { return marked[i] != 0; }
};

/// The first entry of its row and column.
struct FirstOfEntryPredicate {
  Span<Index const> row;
  Span<GlobalIndex const> column;
  TESSERA_HD bool operator()(Index e) const {
    return e == 0 || row[e] != row[e - 1] || column[e] != column[e - 1];
  }
};

struct WidenBody {
  Span<Index const> from;
  Span<Offset> to;
  Offset end;
  TESSERA_HD void operator()(Index i) const {
    to[i] = i < static_cast<Index>(from.size()) ? static_cast<Offset>(from[i]) : end;
  }
};

/// Where in ascending rows each of some rows begins.
struct FirstOfRowBody {
  Span<Index const> wanted, rows;
  Span<Offset> first;
  TESSERA_HD void operator()(Index i) const {
    bool const last = i == static_cast<Index>(wanted.size());
    first[i] = static_cast<Offset>(last ? rows.size() : core::lower_bound(rows, wanted[i]));
  }
};

struct MergedLengthBody {
  Span<Offset const> first;
  Span<Index const> row;
  Span<Index> length;
  TESSERA_HD void operator()(Index i) const { length[row[i]] = static_cast<Index>(first[i + 1] - first[i]); }
};

/// The sum's shared rows, and what is added up in each of their entries.
template <class Space>
struct MergedRows {
  Array<Index, Space> row;           ///< ascending
  Array<Offset, Space> offsets;      ///< into column, for each row
  Array<GlobalIndex, Space> column;  ///< of each merged entry, ascending in a row
  Array<Offset, Space> source_offsets, source;
};

/// Adds shares of one entry side by side, in rank order: they come in that order, and sorting is stable.
template <class Space>
MergedRows<Space> merged(Space const& space, Array<Index, Space> rows, Span<Index const> row,
                         Span<GlobalIndex const> column, Span<Offset const> source) {
  auto const n = row.size();
  Array<Index, Space> order(space, n);
  core::for_each(space, n, comm::NumberBody{order.span()});
  Array<std::uint64_t, Space> key(space, n);
  core::for_each(space, n, comm::TakeKeysBody<std::uint64_t, GlobalIndex>{order.view(), column, key.span()});
  core::sort_by_key(space, key.span(), order.span());
  core::for_each(space, n, comm::TakeKeysBody<std::uint64_t, Index>{order.view(), row, key.span()});
  core::sort_by_key(space, key.span(), order.span());
  auto const sorted_row = comm::taken(space, order.view(), row);
  auto const sorted_column = comm::taken(space, order.view(), column);

  Array<Index, Space> first(space, n);
  auto const entries =
      core::select(space, n, FirstOfEntryPredicate{sorted_row.view(), sorted_column.view()}, first.span());
  auto const firsts = first.view().part(0, entries);
  MergedRows<Space> result;
  result.source = comm::taken(space, order.view(), source);
  result.source_offsets = Array<Offset, Space>(space, entries + 1);
  core::for_each(space, entries + 1, WidenBody{firsts, result.source_offsets.span(), static_cast<Offset>(n)});
  result.column = comm::taken(space, firsts, sorted_column.view());
  auto const entry_row = comm::taken(space, firsts, sorted_row.view());
  result.offsets = Array<Offset, Space>(space, rows.size() + 1);
  core::for_each(space, rows.size() + 1,
                 FirstOfRowBody{rows.view(), entry_row.view(), result.offsets.span()});
  result.row = std::move(rows);
  return result;
}

}  // namespace Tessera::galerkin
