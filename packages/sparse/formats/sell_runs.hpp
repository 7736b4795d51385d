#pragma once
/// \file
/// Rows whose columns come in runs of run_width consecutive ones, which share one stored column: those of
/// vector problems, which have blocks, and of stencils like the 27 points of a brick. An entry takes 5.3
/// bytes instead of 8 in float, 9.3 instead of 12 in double. Columns that a row lacks are zeros in its runs.
#include <algorithm>

#include "sparse/formats/sell.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// visit(first, last, column) for the runs of a row's entries begin <= k < end, in order: its entries
/// first <= k < last, and where it begins, so that no run reaches behind column limit - 1. A run ends, too,
/// where columns do not ascend.
template <class Visit>
TESSERA_HD void for_runs(Index const* column, Offset begin, Offset end, Index limit, Visit const& visit) {
  Index const last_start = limit - run_width;
  for (auto k = begin; k < end;) {
    Index const c = column[k];
    auto last = k + 1;
    while (last < end && column[last] > column[last - 1] && column[last] - c < run_width) ++last;
    visit(k, last, c < last_start ? c : last_start);
    k = last;
  }
}

/// Runs of some rows, their entries, and one more than the largest of their columns.
struct RunCount {
  Offset runs = 0, entries = 0;
  Index limit = 0;
};
struct JoinRuns {
  TESSERA_HD RunCount operator()(RunCount a, RunCount const& b) const {
    return {a.runs + b.runs, a.entries + b.entries, a.limit > b.limit ? a.limit : b.limit};
  }
};
template <class T>
struct CountRunsOfRow {
  CsrRows<T> rows;
  TESSERA_HD RunCount operator()(Index p) const {
    auto const& A = rows.matrix;
    auto const i = rows[p];
    RunCount count;
    count.entries = A.offsets[i + 1] - A.offsets[i];
    for_runs(A.column.data(), A.offsets[i], A.offsets[i + 1], A.columns, [&](Offset, Offset last, Index) {
      ++count.runs;
      auto const end = A.column[last - 1] + 1;
      if (end > count.limit) count.limit = end;
    });
    return count;
  }
};

template <class T, class Space>
RunCount count_runs(Space const& space, CsrRows<T> rows) {
  return core::reduce(space, rows.count, CountRunsOfRow<T>{rows}, JoinRuns{}, RunCount{});
}

/// Rows in a chunk where columns come in runs.
constexpr int run_chunk = 32;

/// Whether runs are looked for: where threads read neighbouring slots, rows are long, and there are so many
/// that a warp takes a chunk.
template <class Space>
bool may_have_runs(Index rows, std::size_t nonzeros) {
  constexpr Index many = 1 << 16;
  constexpr std::size_t entries = 9;
  return core::SpaceTraits<Space>::coalesces && rows >= many && nonzeros >= entries * rows;
}

/// Whether runs take a tenth less than entries.
template <class T>
bool pays(RunCount const& count) {
  constexpr double much = 0.9;
  auto const runs = static_cast<double>(count.runs), entries = static_cast<double>(count.entries);
  return runs * (run_width * sizeof(T) + sizeof(Index)) < much * entry_bytes<T> * entries;
}

/// What the runs of a slot's row take, in entries.
template <class T>
struct RunLengthBody {
  CsrView<T> A;
  Index const* row;
  Index* length;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = row[slot];
    Index runs = 0;
    if (i >= 0)
      for_runs(A.column.data(), A.offsets[i], A.offsets[i + 1], A.columns,
               [&](Offset, Offset, Index) { ++runs; });
    length[slot] = runs * run_width;
  }
};

/// A slot's values and, unless `column` is null and only those are new, its columns.
template <class T, class From>
struct FillRunsBody {
  CsrView<From> A;
  SellView<T> S;
  Index limit;
  T* value;
  Index* column;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = S.row[slot];
    Index const c = slot / S.chunk, lane = slot % S.chunk;
    auto to = S.offsets[c] + lane;
    auto const end = S.offsets[c + 1] + lane;
    auto to_column = S.columns_begin(c) + lane;
    Index start = 0;
    auto const store = [&](Offset k, Offset last) {
      if (column == nullptr) start = S.column[to_column];
      for (int q = 0; q < run_width; ++q, to += S.chunk) {
        bool const is_there = k < last && A.column[k] == start + q;
        value[to] = is_there ? static_cast<T>(A.value[k]) : T{0};
        if (is_there) ++k;
      }
      if (column != nullptr) column[to_column] = start;
      to_column += S.chunk;
    };
    if (i >= 0)
      for_runs(A.column.data(), A.offsets[i], A.offsets[i + 1], limit,
               [&](Offset k, Offset last, Index first) {
                 start = first;
                 store(k, last);
               });
    while (to < end) store(0, 0);
  }
};

}  // namespace Tessera::sparse
