#pragma once
/// \file
/// The prefilter, and the static pattern by breadth-first searches along the filtered matrix, one search for
/// each row.
#include <algorithm>
#include <vector>

#include "core/parallel.hpp"
#include "fsai/pattern.hpp"
#include "sparse/engine/column_table.hpp"
#include "sparse/engine/packed_rows_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"
#include "sparse/engine/row_merge/row_sort_host.hpp"
#include "sparse/engine/row_select.hpp"

namespace Tessera::fsai {

/// Row r has the columns that `level` steps along `filtered` reach from own(r) without leaving {j <= own(r)}.
/// If these are more than `max_size` columns, the row takes the largest number of steps that reaches at most
/// `max_size`.
struct Search {
  PatternView filtered;
  OwnRows own;
  int level;
  Index max_size;                ///< at most largest_row
  Span<unsigned char> cut = {};  ///< 1 for rows with fewer than `level` steps, else 0; may be empty
};

/// Search of a back end: run(space, search, rows); columns ascend.
template <class Space>
struct PatternSearch;

namespace detail {

/// The searches of one thread. Columns: the set of visited columns.
template <class Columns>
struct ThreadSearches {
  Search search;
  Columns visited;
  sparse::PackedWriter writer;
  std::vector<Index> found;

  void operator()(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      bool const whole = find(search.own(r));
      if (!search.cut.empty()) search.cut[r] = whole ? 0 : 1;
      sparse::hash::sort_columns(found, writer.add(r, static_cast<Index>(found.size())).column.data());
    }
  }

 private:
  /// Finds columns in the order of the search. Returns false if the row is cut.
  bool find(Index i) {
    auto const filtered = search.filtered;
    auto const max_size = static_cast<std::size_t>(search.max_size);
    visited.start(i, max_size + 1);
    visited.insert(i);
    found.assign(1, i);
    std::size_t from = 0;
    for (int step = 0; step < search.level && from < found.size(); ++step) {
      auto const to = found.size();
      for (; from < to; ++from) {
        for (auto const c : filtered.row(found[from])) {
          if (c > i) break;  // columns ascend
          if (!visited.insert(c)) continue;
          found.push_back(c);
          if (found.size() <= max_size) continue;
          found.resize(to);
          return false;
        }
      }
    }
    return true;
  }
};

}  // namespace detail

template <>
struct PatternSearch<Host> {
  static Pattern<Host> run(Host const& space, Search const& search, Index rows) {
    return sparse::hash::dense_tables(search.filtered.rows)
               ? run_with<sparse::hash::DenseColumns>(space, search, rows)
               : run_with<sparse::hash::HashedColumns>(space, search, rows);
  }

 private:
  template <class Columns>
  static Pattern<Host> run_with(Host const& space, Search const& search, Index rows) {
    sparse::PackedRows found(rows, search.filtered.rows, 0);
    sparse::for_row_blocks(rows, [&] {
      return detail::ThreadSearches<Columns>{search,
                                             Columns(search.filtered.rows),
                                             sparse::PackedWriter(found, search.filtered.column.size()),
                                             {}};
    });
    Pattern<Host> pattern{Array<Offset, Host>(space, static_cast<std::size_t>(rows) + 1), {}};
    auto const counts = pattern.offsets.span().part(0, rows);
    core::for_each(space, rows, [&](Index r) { counts[r] = found.rows[r].count; });
    pattern.column = Array<Index, Host>(space, core::exclusive_scan(space, counts, pattern.offsets.span()));
    core::for_each(space, rows, [&](Index r) {
      auto const row = found.row(r);
      std::copy_n(row.column, row.count, pattern.column.data() + pattern.offsets[r]);
    });
    return pattern;
  }
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
  auto const rows =
      own.position.empty() ? filtered.rows - own.ghosts : static_cast<Index>(own.position.size());
  return PatternSearch<Space>::run(space, Search{filtered, own, bound.level, bound.max_size, cut}, rows);
}

}  // namespace Tessera::fsai

#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/pattern_cuda.cuh"
#endif
