#pragma once
/// \file
/// Where the entries of a Sell go.
#include <algorithm>
#include <limits>

#include "sparse/formats/sell.hpp"
#include "sparse/formats/sell_runs.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// How many of the rows from row[0] on follow one another and have `width` entries each.
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
    Index last = -1, last_padding = -1;  // columns: a product reads no x behind those of entries
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
  /// Rows from i on, full_rows: each has the columns of the one before, one further.
  bool shifted(Index i, int rows, Index width, Index const* diagonal) const {
    Index const* const column = A_.column.data() + A_.offsets[i];
    Index wrong = 0;
    for (Index j = 0; j < width; ++j) wrong |= column[j] - i - diagonal[j];
    for (Index k = 0; k < (rows - 1) * width; ++k) wrong |= column[k + width] - column[k] - 1;
    return wrong == 0;
  }
  /// A row that lacks some.
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

/// Finds a chunk's diagonals, and how many columns it stores.
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

/// The entries of one chunk; column is null when only values are new.
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

/// Slot by slot where threads coalesce; else chunk by chunk, without the columns of those on diagonals.
/// columns: whether they are new, too; limit: of those that runs may reach.
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

/// Where columns are stored, and room for them.
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

}  // namespace Tessera::sparse
