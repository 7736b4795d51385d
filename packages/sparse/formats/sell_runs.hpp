#pragma once
/// \file
/// Rows whose columns come in runs of run_width consecutive columns, which share one stored column: rows of
/// vector problems, and of stencils such as the 27 points of a brick. An entry takes 5.3 bytes instead of 8
/// in float, 9.3 instead of 12 in double. Columns that a row lacks are zeros in its runs.
#include "sparse/formats/sell.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// Calls entry(k, column, value of k, whether a run begins there) for a row's entries begin <= k < end, in
/// order. A run also ends where columns do not ascend. value(k): further data of an entry.
template <class Value, class Entry>
TESSERA_HD void for_entries_in_runs(Index const* column, Offset begin, Offset end, Value const& value,
                                    Entry const& entry) {
  constexpr int batch = 4;  // loads in flight
  Index first = 0, before = 0;
  bool is_first = true;
  auto const take = [&](Offset k, Index c, auto v) {
    bool const begins = is_first || c <= before || c - first >= run_width;
    is_first = false;
    if (begins) first = c;
    before = c;
    entry(k, c, v, begins);
  };
  auto k = begin;
  for (; end - k >= batch; k += batch) {
    Index c[batch];
    decltype(value(k)) v[batch];
    for (int e = 0; e < batch; ++e) c[e] = column[k + e];
    for (int e = 0; e < batch; ++e) v[e] = value(k + e);
    for (int e = 0; e < batch; ++e) take(k + e, c[e], v[e]);
  }
  for (; k < end; ++k) take(k, column[k], value(k));
}

/// Rows in a chunk for columns in runs.
constexpr int run_chunk = 32;

/// Whether to search for runs: if threads read neighbouring slots, rows are long, and a warp takes a chunk
/// because there are many rows.
template <class Space>
bool should_try_runs(Index rows, std::size_t nonzeros) {
  constexpr Index many = 1 << 16;
  constexpr std::size_t entries = 9;
  return core::SpaceTraits<Space>::coalesces && rows >= many && nonzeros >= entries * rows;
}

/// Whether runs take a tenth fewer bytes than their entries.
template <class T>
bool runs_pay(std::size_t runs, std::size_t entries) {
  constexpr double much = 0.9;
  return static_cast<double>(runs) * (run_width * sizeof(T) + sizeof(Index)) <
         much * entry_bytes<T> * static_cast<double>(entries);
}

/// Entries that the runs of a slot's row take, and its largest column plus one.
template <class T>
struct RunLengthBody {
  CsrView<T> A;
  Index const* row;
  Index *length, *limit;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = row[slot];
    Index runs = 0, last = -1;
    if (i >= 0)
      for_entries_in_runs(
          A.column.data(), A.offsets[i], A.offsets[i + 1], [](Offset) { return 0; },
          [&](Offset, Index c, int, bool begins) {
            if (begins) ++runs;
            if (c > last) last = c;
          });
    length[slot] = runs * run_width;
    limit[slot] = last + 1;
  }
};

/// Writes a slot's values and columns; column: null if only values are new. No run exceeds column limit - 1.
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
    T run[run_width] = {};
    Index start = 0;
    auto const store = [&] {
      for (int q = 0; q < run_width; ++q, to += S.chunk) {
        value[to] = run[q];
        run[q] = T{0};
      }
      if (column != nullptr) column[to_column] = start;
      to_column += S.chunk;
    };
    bool any = false;
    if (i >= 0)
      for_entries_in_runs(
          A.column.data(), A.offsets[i], A.offsets[i + 1], [&](Offset k) { return A.value[k]; },
          [&](Offset, Index j, From a, bool begins) {
            if (begins) {
              if (any) store();
              any = true;
              start = column == nullptr ? S.column[to_column] : j < limit - run_width ? j : limit - run_width;
            }
            for (int q = 0; q < run_width; ++q) run[q] = j - start == q ? static_cast<T>(a) : run[q];
          });
    if (any) store();
    while (to < end) store();
  }
};

}  // namespace Tessera::sparse
