#pragma once
/// \file
/// Searches on the host, with a table of the columns that were met.
#include <algorithm>
#include <vector>

#include "fsai/batch/search.hpp"
#include "sparse/engine/column_table_host.hpp"
#include "sparse/engine/packed_rows_host.hpp"
#include "sparse/engine/row_blocks_host.hpp"

namespace Tessera::fsai {
namespace detail {

/// Columns go where as many are smaller: no branch, all columns of a register at once.
template <int Padded>
void rank_columns(std::vector<Index> const& found, Index* sorted) {
  alignas(64) Index mine[Padded], rank[Padded];
  auto const count = static_cast<int>(found.size());
  for (int i = 0; i < Padded; ++i) {
    mine[i] = i < count ? found[i] : 0x7fffffff;
    rank[i] = 0;
  }
  for (int k = 0; k < count; ++k) {
    Index const c = found[k];
    for (int i = 0; i < Padded; ++i) rank[i] += c < mine[i] ? 1 : 0;
  }
  for (int i = 0; i < count; ++i) sorted[rank[i]] = found[i];
}

/// Writes the distinct columns in ascending order.
inline void sort_columns(std::vector<Index>& found, Index* sorted) {
  auto const count = found.size();
  if (count <= 16) return rank_columns<16>(found, sorted);
  if (count <= 32) return rank_columns<32>(found, sorted);
  if (count <= 64) return rank_columns<64>(found, sorted);
  std::sort(found.begin(), found.end());
  std::copy(found.begin(), found.end(), sorted);
}

/// One thread's searches. Columns: the set of those that were met.
template <class Columns>
struct Searches {
  Search search;
  Columns met;
  sparse::PackedWriter writer;
  std::vector<Index> found;

  void operator()(Index begin, Index end) {
    for (Index r = begin; r < end; ++r) {
      bool const whole = find(search.own(r));
      if (!search.cut.empty()) search.cut[r] = whole ? 0 : 1;
      sort_columns(found, writer.add(r, static_cast<Index>(found.size())).column);
    }
  }

 private:
  /// In the order in which they are met. Returns false where not all steps are taken.
  bool find(Index i) {
    auto const filtered = search.filtered;
    auto const most = static_cast<std::size_t>(search.most);
    met.start(i, most + 1);
    met.insert(i);
    found.assign(1, i);
    std::size_t from = 0;
    for (int step = 0; step < search.level && from < found.size(); ++step) {
      auto const to = found.size();
      for (; from < to; ++from) {
        for (auto const c : filtered.row(found[from])) {
          if (c > i) break;  // columns ascend
          if (!met.insert(c)) continue;
          found.push_back(c);
          if (found.size() <= most) continue;
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
      return detail::Searches<Columns>{search,
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

}  // namespace Tessera::fsai
