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
        fill_gaps(i, width, diagonal, value);
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
  void fill_gaps(Index i, Index width, Index const* diagonal, T* value) const {
    auto k = A.offsets[i];
    auto const end = A.offsets[i + 1];
    for (Index j = 0; j < width; ++j) {
      bool const is_there = k < end && A.column[k] == i + diagonal[j];
      value[j * S.chunk] = is_there ? static_cast<T>(A.value[k]) : T{0};
      if (is_there) ++k;
    }
  }
};

/// Slot by slot where threads coalesce; else chunk by chunk, without columns of chunks on diagonals. columns:
/// whether columns are new, too; limit: upper bound of columns in runs.
template <class T, class From, class Space>
void fill_entries(Space const& space, CsrView<From> A, bool columns, Index limit, Sell<T, Space>& S) {
  if (S.run > 1)
    return core::for_each(
        space, S.row.size(),
        FillRunsBody<T, From>{A, S.view(), limit, S.value.data(), columns ? S.column.data() : nullptr});
  if constexpr (core::SpaceTraits<Space>::coalesces) {
    fill_slots(space, A, columns, SellSlots<T, 0>{S.view()}, S.value, S.column);
  } else {
    auto* const column = columns ? S.column.data() : nullptr;
    core::for_each(space, S.offsets.size() - 1, FillChunkBody<T, From>{A, S.view(), S.value.data(), column});
  }
}

/// Sets the offsets of columns and allocates them.
template <class T, class From, class Space>
void place_columns(Space const& space, CsrView<From> A, Sell<T, Space>& S) {
  if (core::SpaceTraits<Space>::coalesces || S.run > 1) {
    S.column = Array<Index, Space>(space, S.value.size() / S.run);
    return;
  }
  if constexpr (!core::SpaceTraits<Space>::coalesces) {
    auto const chunks = S.offsets.size() - 1;
    S.diagonal = Array<Index, Space>(space, S.value.size() / S.chunk);
    S.column_offsets = Array<Offset, Space>(space, chunks + 1);
    core::for_each(space, chunks,
                   ChunkColumns<From>{OnDiagonals<From>(A), S.offsets.data(), S.row.data(), S.chunk,
                                      S.diagonal.data(), S.column_offsets.data()});
    auto const columns =
        core::exclusive_scan(space, S.column_offsets.span().part(0, chunks), S.column_offsets.span());
    S.column = Array<Index, Space>(space, static_cast<std::size_t>(columns));
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
  Index limit = 0;  ///< upper bound of columns in runs

  std::size_t padding() const { return entries - occupied; }
  /// Bytes that a product will read; fewer on the host if chunks lie on diagonals.
  double product_bytes() const {
    return static_cast<double>(rows.product_bytes()) +
           (sizeof(T) + static_cast<double>(sizeof(Index)) / rows.run) * static_cast<double>(entries);
  }
};

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
  return layout;
}

/// The rows of a layout with their entries.
template <class T, class From, class Space>
Sell<T, Space> filled(Space const& space, CsrView<From> A, SellLayout<T, Space> layout) {
  auto& S = layout.rows;
  layout.lengths = {};
  S.value = Array<T, Space>(space, layout.entries);
  place_columns(space, A, S);
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
