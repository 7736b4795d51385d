#pragma once
/// \file
/// SELL-C-sigma from CSR: which row is in which slot, and which entry is where.
#include <algorithm>
#include <limits>

#include "core/error.hpp"
#include "sparse/formats/formats.hpp"
#include "sparse/formats/sell.hpp"
#include "sparse/formats/sell_runs.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// Number of consecutive rows from row[0] on that have `width` entries each.
inline int full_rows(Span<Offset const> offsets, Index const* row, int rows, Index width) {
  int run = 0;
  while (run < rows && row[run] == row[0] + run && offsets[row[run] + 1] - offsets[row[run]] == width) ++run;
  return run;
}

/// Whether the rows of a chunk have their entries on the diagonals of the longest one, in its order. A row
/// may lack some of them.
template <class From>
class OnDiagonals {
 public:
  explicit OnDiagonals(CsrView<From> A) : A_(A) {}

  /// diagonal: column minus row of each column of the chunk.
  bool operator()(Index const* row, int chunk, Index width, Index* diagonal) const {
    auto const* const longest =
        std::find_if(row, row + chunk, [&](Index i) { return i >= 0 && length(i) == width; });
    if (row[chunk - 1] < 0 || longest == row + chunk) return false;
    Index reach = std::numeric_limits<Index>::min();
    for (Index j = 0; j < width; ++j) {
      diagonal[j] = A_.column[A_.offsets[*longest] + j] - *longest;
      reach = std::max(reach, diagonal[j]);
    }
    Index last = -1, last_padding = -1;  // columns: padding reads no x after the last entry's
    for (int lane = 0; lane < chunk;) {
      auto const i = row[lane];
      if (auto const full = full_rows(A_.offsets, row + lane, chunk - lane, width); full > 0) {
        if (!shifted(i, full, width, diagonal)) return false;
        last = std::max(last, i + full - 1 + reach);
        lane += full;
      } else if (add(i, width, diagonal, last, last_padding)) {
        ++lane;
      } else {
        return false;
      }
    }
    return last_padding <= last;
  }

 private:
  Index length(Index i) const { return static_cast<Index>(A_.offsets[i + 1] - A_.offsets[i]); }
  /// Whether each of the full rows from i on has the columns of the row before plus one.
  bool shifted(Index i, int rows, Index width, Index const* diagonal) const {
    Index const* const column = A_.column.data() + A_.offsets[i];
    Index wrong = 0;
    for (Index j = 0; j < width; ++j) wrong |= column[j] - i - diagonal[j];
    for (Index k = 0; k < (rows - 1) * width; ++k) wrong |= column[k + width] - column[k] - 1;
    return wrong == 0;
  }
  /// A row that lacks some diagonals.
  bool add(Index i, Index width, Index const* diagonal, Index& last, Index& last_padding) const {
    Index const* const column = A_.column.data() + A_.offsets[i];
    auto const count = length(i);
    Index k = 0;
    for (Index j = 0; j < width; ++j) {
      auto const c = i + diagonal[j];
      if (k < count && column[k] == c) {
        last = std::max(last, c);
        ++k;
      } else if (c < 0) {
        return false;
      } else {
        last_padding = std::max(last_padding, c);
      }
    }
    return k == count;
  }

  CsrView<From> A_;
};

/// Finds a chunk's diagonals, and the number of columns that it stores.
template <class From>
struct ChunkColumns {
  OnDiagonals<From> on_diagonals;
  Offset const* offsets;
  Index const* row;
  int chunk;
  Index* diagonal;
  Offset* columns;
  void operator()(Index c) const {
    auto const entries = offsets[c + 1] - offsets[c];
    bool const found = on_diagonals(row + static_cast<std::ptrdiff_t>(c) * chunk, chunk,
                                    static_cast<Index>(entries / chunk), diagonal + offsets[c] / chunk);
    columns[c] = found ? 0 : entries;
  }
};

/// The same where threads coalesce: first a thread for each chunk, which takes the diagonals of its first row
/// without gaps and assumes that all rows have them.
template <class From>
struct ChunkDiagonalsBody {
  CsrView<From> A;
  Offset const* offsets;
  Index const* row;
  int chunk;
  Index* diagonal;
  Offset* columns;
  TESSERA_HD void operator()(Index c) const {
    auto const entries = offsets[c + 1] - offsets[c];
    auto const* const rows = row + static_cast<std::ptrdiff_t>(c) * chunk;
    auto const width = entries / chunk;
    int lane = 0;
    if (rows[chunk - 1] >= 0)
      while (A.offsets[rows[lane] + 1] - A.offsets[rows[lane]] < width) ++lane;
    columns[c] = rows[chunk - 1] < 0 ? entries : 0;
    for (Offset j = 0; columns[c] == 0 && j < width; ++j)
      diagonal[offsets[c] / chunk + j] = A.column[A.offsets[rows[lane]] + j] - rows[lane];
  }
};
/// Then a thread for each row, which withdraws its chunk if the row does not fit. Threads of a chunk write
/// the same number. A row lacks no diagonal beyond its last entry, where x may not be readable.
template <class From>
struct CheckDiagonalsBody {
  CsrView<From> A;
  Offset const* offsets;
  Index const* row;
  int chunk;
  Index const* diagonal;
  Offset* columns;
  TESSERA_HD void operator()(Index slot) const {
    Index const c = slot / chunk, i = row[slot];
    auto const entries = offsets[c + 1] - offsets[c];
    if (i >= 0 && !fits(i, entries / chunk, diagonal + offsets[c] / chunk)) columns[c] = entries;
  }
  TESSERA_HD bool fits(Index i, Offset width, Index const* of_chunk) const {
    auto k = A.offsets[i];
    auto const end = A.offsets[i + 1];
    for (Offset j = 0; j < width; ++j) {
      Index const column = i + of_chunk[j];
      if (k < end && A.column[k] == column) {
        ++k;
      } else if (k == end || column < 0 || column > A.column[end - 1]) {
        return false;
      }
    }
    return k == end;
  }
};

/// Where threads coalesce: in square matrices with so many rows that a warp takes a chunk.
template <class Space, class From>
bool should_try_diagonals(CsrView<From> A, int chunk, std::size_t slots) {
  constexpr std::size_t many = 1 << 16;
  bool const square = A.columns >= A.rows && A.columns <= 2 * A.rows;
  return !core::SpaceTraits<Space>::coalesces || (chunk == run_chunk && slots >= many && square);
}

/// Writes the values of a row that lacks some diagonals of its chunk into its lane.
template <class T, class From>
TESSERA_HD void fill_gaps(CsrView<From> A, Index i, Index width, Index const* diagonal, Index chunk,
                          T* value) {
  auto k = A.offsets[i];
  auto const end = A.offsets[i + 1];
  for (Index j = 0; j < width; ++j, value += chunk) {
    bool const is_there = k < end && A.column[k] == i + diagonal[j];
    *value = is_there ? static_cast<T>(A.value[k]) : T{0};
    if (is_there) ++k;
  }
}

/// Writes the entries of one chunk; columns: null if only values are new.
template <class T, class From>
struct FillChunkBody {
  CsrView<From> A;
  SellView<T> S;
  T* values;
  Index* columns;
  void operator()(Index c) const {
    auto const chunk = S.chunk;
    auto const width = static_cast<Index>((S.offsets[c + 1] - S.offsets[c]) / chunk);
    bool const diagonals = S.on_diagonals(c);
    Index const* const diagonal = S.diagonal.data() + S.offsets[c] / chunk;
    Index const* const row = S.row.data() + static_cast<std::ptrdiff_t>(c) * chunk;
    for (int lane = 0; lane < chunk; ++lane) {
      auto const i = row[lane];
      auto const begin = i < 0 ? Offset{0} : A.offsets[i];
      auto const count = i < 0 ? Index{0} : static_cast<Index>(A.offsets[i + 1] - begin);
      T* const value = values + S.offsets[c] + lane;
      if (diagonals && count < width) {
        fill_gaps(A, i, width, diagonal, chunk, value);
        continue;
      }
      spread(A.value.data() + begin, count, width, T{0}, chunk, value);
      if (diagonals || columns == nullptr) continue;
      Index const* const column = A.column.data() + begin;
      spread(column, count, width, count == 0 ? Index{0} : column[count - 1], chunk,
             columns + S.column_offsets[c] + lane);
    }
  }
  /// A row's entries and padding into its lane.
  template <class Source, class Target>
  static void spread(Source const* __restrict from, Index count, Index width, Target padding,
                     std::ptrdiff_t chunk, Target* __restrict to) {
    Index j = 0;
    for (; j < count; ++j, to += chunk) *to = static_cast<Target>(from[j]);
    for (; j < width; ++j, to += chunk) *to = padding;
  }
};

/// Where threads coalesce: the columns of one slot of a matrix in which some chunks lie on diagonals.
template <class T>
struct FillColumnsBody {
  struct Slots : SellSlots<T, 0> {
    TESSERA_HD Offset begin(Index slot) const {
      return this->column_offsets[slot / this->chunk] + slot % this->chunk;
    }
  };
  FillSlotBody<Slots, Index, Index> fill;
  TESSERA_HD void operator()(Index slot) const {
    if (!fill.S.on_diagonals(slot / fill.S.chunk)) fill(slot);
  }
};
/// The same for values.
template <class T, class From>
struct FillValuesBody {
  CsrView<From> A;
  FillSlotBody<SellSlots<T, 0>, From, T> fill;
  TESSERA_HD void operator()(Index slot) const {
    auto const& S = fill.S;
    Index const i = S.row[slot], c = slot / S.chunk;
    if (i < 0 || !S.on_diagonals(c) || A.offsets[i + 1] - A.offsets[i] == S.width(slot)) return fill(slot);
    fill_gaps(A, i, S.width(slot), S.diagonal.data() + S.offsets[c] / S.chunk, S.chunk,
              fill.to + S.begin(slot));
  }
};

/// Slot by slot where threads coalesce; else chunk by chunk. columns: whether columns are new, too; limit:
/// upper bound of columns in runs.
template <class T, class From, class Space>
void fill_entries(Space const& space, CsrView<From> A, bool columns, Index limit, Sell<T, Space>& S) {
  if (S.run > 1)
    return core::for_each(
        space, S.row.size(),
        FillRunsBody<T, From>{A, S.view(), limit, S.value.data(), columns ? S.column.data() : nullptr});
  if constexpr (core::SpaceTraits<Space>::coalesces) {
    SellSlots<T, 0> const slots{S.view()};
    if (S.column_offsets.empty()) return fill_slots(space, A, columns, slots, S.value, S.column);
    core::for_each(space, S.row.size(),
                   FillValuesBody<T, From>{A, {slots, A.offsets.data(), A.value.data(), S.value.data()}});
    if (columns)
      core::for_each(space, S.row.size(),
                     FillColumnsBody<T>{{{slots}, A.offsets.data(), A.column.data(), S.column.data()}});
  } else {
    auto* const column = columns ? S.column.data() : nullptr;
    core::for_each(space, S.offsets.size() - 1, FillChunkBody<T, From>{A, S.view(), S.value.data(), column});
  }
}

struct ChunkEntriesBody {
  Index const* length;
  int chunk;
  Offset* entries;
  TESSERA_HD void operator()(Index c) const {
    Index width = 0;
    for (Index s = c * chunk; s < (c + 1) * chunk; ++s) width = length[s] > width ? length[s] : width;
    entries[c] = static_cast<Offset>(width) * chunk;
  }
};

/// The layout of a Sell, with padding.
template <class T, class Space>
struct SellLayout {
  Sell<T, Space> rows;  ///< slots and offsets are set, entries are not
  Array<Index, Space> lengths;
  std::size_t entries = 0;   ///< with padding
  std::size_t occupied = 0;  ///< without the padding of slots to the width of their chunk
  std::size_t nonzeros = 0;
  std::size_t columns = 0;  ///< stored
  Index limit = 0;          ///< upper bound of columns in runs

  std::size_t padding() const { return entries - occupied; }
  /// Bytes that a product will read.
  std::size_t product_bytes() const {
    return rows.product_bytes() + sizeof(T) * entries + sizeof(Index) * columns;
  }
};

/// Finds the chunks on diagonals. Where threads coalesce, kernels without them take less time if they have
/// less than half of the entries.
template <class T, class From, class Space>
void find_diagonals(Space const& space, CsrView<From> A, SellLayout<T, Space>& layout) {
  auto& S = layout.rows;
  auto const chunks = S.offsets.size() - 1;
  Array<Index, Space> diagonal(space, layout.entries / S.chunk);
  Array<Offset, Space> columns(space, chunks + 1);
  auto const* const offsets = S.offsets.data();
  auto const* const row = S.row.data();
  if constexpr (core::SpaceTraits<Space>::coalesces) {
    core::for_each(space, chunks,
                   ChunkDiagonalsBody<From>{A, offsets, row, S.chunk, diagonal.data(), columns.data()});
    core::for_each(space, S.row.size(),
                   CheckDiagonalsBody<From>{A, offsets, row, S.chunk, diagonal.data(), columns.data()});
  } else {
    core::for_each(
        space, chunks,
        ChunkColumns<From>{OnDiagonals<From>(A), offsets, row, S.chunk, diagonal.data(), columns.data()});
  }
  auto const stored =
      static_cast<std::size_t>(core::exclusive_scan(space, columns.span().part(0, chunks), columns.span()));
  if (core::SpaceTraits<Space>::coalesces && 2 * stored >= layout.entries) return;
  S.diagonal = std::move(diagonal);
  S.column_offsets = std::move(columns);
  layout.columns = stored;
}

/// Sets the lengths of slots, and decides whether columns come in runs; the slots' rows are known.
template <class T, class From, class Space>
void count_slots(Space const& space, CsrRows<From> rows, int run, SellLayout<T, Space>& layout) {
  auto& lengths = layout.lengths;
  bool const all = rows.list == nullptr && rows.count == rows.matrix.rows;
  layout.nonzeros = all ? rows.matrix.column.size()
                        : static_cast<std::size_t>(
                              core::sum(space, lengths.size(), core::Load<Index, Offset>{lengths.data()}));
  layout.occupied = layout.nonzeros;
  if (run == 0 && !should_try_runs<Space>(rows.count, layout.nonzeros)) run = 1;
  if (run == 1) return;
  Array<Index, Space> length(space, lengths.size()), limit(space, lengths.size());
  core::for_each(space, length.size(),
                 RunLengthBody<From>{rows.matrix, layout.rows.row.data(), length.data(), limit.data()});
  auto const occupied =
      static_cast<std::size_t>(core::sum(space, length.size(), core::Load<Index, Offset>{length.data()}));
  auto const columns =
      core::reduce(space, limit.size(), core::Load<Index>{limit.data()}, core::Max{}, Index{0});
  if (columns < run_width || (run == 0 && !runs_pay<T>(occupied / run_width, layout.nonzeros))) return;
  layout.rows.run = run_width;
  layout.limit = columns;
  layout.occupied = occupied;
  lengths = std::move(length);
}

template <class T, class From, class Space>
SellLayout<T, Space> sell_layout(Space const& space, CsrRows<From> rows, SellShape shape) {
  TESSERA_VALIDATE(shape.chunk >= 1, "SELL chunk size ", shape.chunk,
                   " (a chunk holds at least one row); use 32");
  TESSERA_VALIDATE(shape.sigma == 1 || (shape.sigma > 0 && shape.sigma % shape.chunk == 0), "SELL sigma ",
                   shape.sigma, " with chunk size ", shape.chunk,
                   " (windows hold whole chunks); use 1 or a multiple of the chunk size");
  bool const runs = shape.run == 0 || shape.run == run_width;
  TESSERA_VALIDATE(shape.run == 1 || (runs && (shape.run == 0 || shape.chunk == run_chunk)),
                   "SELL with runs of ", shape.run, " columns in chunks of ", shape.chunk,
                   " rows (kernels know runs of ", run_width, " in chunks of ", run_chunk, "); use these");
  SellLayout<T, Space> layout;
  auto& S = layout.rows;
  auto& lengths = layout.lengths;
  list_rows(space, rows, shape.chunk, S, lengths);
  S.chunk = shape.chunk;
  count_slots(space, rows, shape.chunk == run_chunk ? shape.run : 1, layout);
  auto const slots = S.row.size(), chunks = slots / shape.chunk;
  S.offsets = Array<Offset, Space>(space, chunks + 1);
  auto const count_entries = [&] {
    core::for_each(space, chunks, ChunkEntriesBody{lengths.data(), shape.chunk, S.offsets.data()});
    return static_cast<std::size_t>(
        core::exclusive_scan(space, S.offsets.span().part(0, chunks), S.offsets.span()));
  };
  layout.entries = count_entries();
  if (shape.sigma > 1 && !shape.tolerates(layout.padding(), layout.occupied)) {
    sort_in_windows(space, shape.sigma, S.row, lengths);
    S.ascending = false;
    layout.entries = count_entries();
  }
  layout.columns = layout.entries / S.run;
  if (S.run == 1 && should_try_diagonals<Space>(rows.matrix, shape.chunk, slots))
    find_diagonals(space, rows.matrix, layout);
  return layout;
}

/// The rows of a layout with their entries.
template <class T, class From, class Space>
Sell<T, Space> filled(Space const& space, CsrView<From> A, SellLayout<T, Space> layout) {
  auto& S = layout.rows;
  layout.lengths = {};
  S.value = Array<T, Space>(space, layout.entries);
  S.column = Array<Index, Space>(space, layout.columns);
  fill_entries(space, A, true, layout.limit, S);
  return std::move(S);
}

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrRows<From> rows, SellShape shape) {
  return filled(space, rows.matrix, sell_layout<T>(space, rows, shape));
}

/// The same as pJDS; rows of equal length keep their order.
template <class T, class From, class Space>
Sell<T, Space> to_pjds(Space const& space, CsrRows<From> rows) {
  auto S = to_sell<T>(space, rows, pjds_shape);
  S.ascending = S.ascending || ascends(space, S.row.data(), S.stored_rows);
  return S;
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, Sell<T, Space>& S) {
  fill_entries(space, A, false, 0, S);
}

}  // namespace Tessera::sparse
