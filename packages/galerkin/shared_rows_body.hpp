#pragma once
/// \file
/// Rows of a coarse matrix with entries from several ranks, merged in rank order.
#include <cstdint>
#include <utility>

#include "comm/ghost_columns_body.hpp"
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "core/span.hpp"
#include "sparse/csr.hpp"

namespace Tessera::galerkin {

/// Row and global column in one key, which ascends with the row, then with the column.
class EntryKey {
 public:
  EntryKey(Index rows, GlobalIndex columns) : rows_(rows) {
    while (columns >> column_bits_ != 0) ++column_bits_;
    int row_bits = 0;
    while (rows >> row_bits != 0) ++row_bits;
    TESSERA_VALIDATE(row_bits + column_bits_ <= 64, "a rank has ", rows, " of ", columns,
                     " coarse unknowns (the row and the column of an entry share 64 bits); use more ranks");
  }
  TESSERA_HD std::uint64_t operator()(Index row, GlobalIndex column) const {
    return static_cast<std::uint64_t>(row) << column_bits_ | static_cast<std::uint64_t>(column);
  }
  TESSERA_HD GlobalIndex column(std::uint64_t key) const {
    return static_cast<GlobalIndex>(key & ((std::uint64_t{1} << column_bits_) - 1));
  }
  /// An upper bound on all keys.
  std::uint64_t largest() const { return (*this)(rows_, 0); }

 private:
  Index rows_;
  int column_bits_ = 0;
};

/// Entries from several ranks in shared rows, as parallel arrays.
struct ShareViews {
  Span<std::uint64_t> key;
  Span<Offset> source;  ///< as CoarseAssembly::source_
};

/// The entries of chosen rows of partial, row by row.
struct ListOwnBody {
  sparse::CsrView<double> partial;
  Span<Index const> chosen;
  Span<Offset const> start;
  Index owned;
  GlobalIndex begin;
  Span<GlobalIndex const> ghosts;
  EntryKey key;
  ShareViews shares;
  TESSERA_HD void operator()(Index i) const {
    Offset to = start[i];
    for (Offset k = partial.offsets[chosen[i]]; k < partial.offsets[chosen[i] + 1]; ++k, ++to) {
      Index const c = partial.column[k];
      shares.key[to] = key(chosen[i], c < owned ? begin + c : ghosts[c - owned]);
      shares.source[to] = -1 - k;
    }
  }
};

/// The received entries: numbered from `first` on, stored from position `to` on.
struct ListArrivedBody {
  Span<Index const> row;
  Span<Offset const> offsets;
  Span<GlobalIndex const> column;
  Offset first, to;
  EntryKey key;
  ShareViews shares;
  TESSERA_HD void operator()(Index i) const {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) {
      shares.key[to + k - first] = key(row[i], column[k]);
      shares.source[to + k - first] = k;
    }
  }
};

struct MarkBody {
  Span<Index const> rows;
  Span<unsigned char> marked;
  TESSERA_HD void operator()(Index i) const { marked[rows[i]] = 1; }
};

/// The begin of the sources of each merged entry, and its column.
struct MergedEntryBody {
  Span<Index const> first;  ///< index among all entries
  Span<std::uint64_t const> key;
  EntryKey of;
  Offset end;
  Span<Offset> source_offsets;
  Span<GlobalIndex> column;
  TESSERA_HD void operator()(Index i) const {
    bool const last = i == static_cast<Index>(first.size());
    source_offsets[i] = last ? end : first[i];
    if (!last) column[i] = of.column(key[i]);
  }
};

/// The begin of each row among the merged entries.
struct FirstOfRowBody {
  Span<Index const> row;
  Span<std::uint64_t const> key;
  EntryKey of;
  Span<Offset> first;
  TESSERA_HD void operator()(Index i) const {
    bool const last = i == static_cast<Index>(row.size());
    first[i] = static_cast<Offset>(last ? key.size() : core::lower_bound(key, of(row[i], 0)));
  }
};

struct MergedLengthBody {
  Span<Offset const> first;
  Span<Index const> row;
  Span<Index> length;
  TESSERA_HD void operator()(Index i) const { length[row[i]] = static_cast<Index>(first[i + 1] - first[i]); }
};

/// The shared rows of the sum, and the sources of each of their entries.
template <class Space>
struct MergedRows {
  Array<Index, Space> row;           ///< ascending
  Array<Offset, Space> offsets;      ///< into column, for each row
  Array<GlobalIndex, Space> column;  ///< of each merged entry, ascending in a row
  Array<Offset, Space> source_offsets, source;
};

/// Collects the parts of each entry in rank order: parts are stored in this order, and the sort is stable.
template <class Space>
MergedRows<Space> merge_rows(Space const& space, Array<Index, Space> rows, EntryKey const& of,
                             Array<std::uint64_t, Space> key, Array<Offset, Space> source) {
  auto const n = key.size();
  core::sort_by_key(space, key, source, of.largest());
  Array<Index, Space> first(space, n);
  first.shorten(core::select(space, n, core::FirstOfEqual<std::uint64_t>{key.data()}, first.span()));
  auto const entry_key = comm::gathered(space, first.view(), Span<std::uint64_t const>(key.view()));
  MergedRows<Space> result;
  result.source = std::move(source);
  result.source_offsets = Array<Offset, Space>(space, first.size() + 1);
  result.column = Array<GlobalIndex, Space>(space, first.size());
  core::for_each(space, first.size() + 1,
                 MergedEntryBody{first.view(), entry_key.view(), of, static_cast<Offset>(n),
                                 result.source_offsets.span(), result.column.span()});
  result.offsets = Array<Offset, Space>(space, rows.size() + 1);
  core::for_each(space, rows.size() + 1,
                 FirstOfRowBody{rows.view(), entry_key.view(), of, result.offsets.span()});
  result.row = std::move(rows);
  return result;
}

}  // namespace Tessera::galerkin
