#pragma once
/// \file
/// How the operations of sell.hpp are done.
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/formats/sell_entries.hpp"

namespace Tessera::sparse {

/// Slot -> row before sorting, and its length; -1 and 0 behind the last.
template <class T>
struct ListRowsBody {
  CsrRows<T> rows;
  Index* row;
  Index* length;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = slot < rows.count ? rows[slot] : -1;
    row[slot] = i;
    length[slot] = i < 0 ? 0 : static_cast<Index>(rows.matrix.offsets[i + 1] - rows.matrix.offsets[i]);
  }
};

/// 1 for each row of a list that does not come after the one before it.
struct DescentBody {
  Index const* list;
  TESSERA_HD Index operator()(Index p) const { return p > 0 && list[p] <= list[p - 1] ? 1 : 0; }
};

struct LengthBody {
  Index const* length;
  TESSERA_HD Offset operator()(Index slot) const { return length[slot]; }
};

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

/// What slots are sorted by: windows ascend, in a window lengths descend.
struct WindowKeyBody {
  Index const* length;
  Index sigma;
  Offset longest;
  Offset* key;
  Index* slot;
  TESSERA_HD void operator()(Index s) const {
    key[s] = s / sigma * (longest + 1) + longest - length[s];
    slot[s] = s;
  }
};

struct PermuteSlotsBody {
  Index const *slot, *from_row, *from_length;
  Index *row, *length;
  TESSERA_HD void operator()(Index s) const {
    row[s] = from_row[slot[s]];
    length[s] = from_length[slot[s]];
  }
};

/// Rows and their lengths; ties keep their order.
template <class Space>
void sort_in_windows(Space const& space, Index sigma, Array<Index, Space>& rows,
                     Array<Index, Space>& lengths) {
  auto const slots = rows.size();
  auto const longest = core::reduce(space, slots, LengthBody{lengths.data()}, core::Max{}, Offset{0});
  Array<Offset, Space> key(space, slots);
  Array<Index, Space> slot(space, slots), row(space, slots), length(space, slots);
  core::for_each(space, slots, WindowKeyBody{lengths.data(), sigma, longest, key.data(), slot.data()});
  auto const windows = static_cast<Offset>((slots + sigma - 1) / sigma);
  core::sort_by_key(space, key.span(), slot.span(), windows * (longest + 1));
  core::for_each(space, slots,
                 PermuteSlotsBody{slot.data(), rows.data(), lengths.data(), row.data(), length.data()});
  rows = std::move(row);
  lengths = std::move(length);
}

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrRows<From> rows, SellShape shape) {
  TESSERA_VALIDATE(shape.chunk >= 1, "SELL chunk size ", shape.chunk,
                   " (a chunk holds at least one row); use 32");
  TESSERA_VALIDATE(shape.sigma == 1 || (shape.sigma > 0 && shape.sigma % shape.chunk == 0), "SELL sigma ",
                   shape.sigma, " with chunk size ", shape.chunk,
                   " (windows hold whole chunks); use 1 or a multiple of the chunk size");
  Index const chunks = (rows.count + shape.chunk - 1) / shape.chunk, slots = chunks * shape.chunk;
  Sell<T, Space> S;
  S.rows = rows.matrix.rows;
  S.columns = rows.matrix.columns;
  S.stored_rows = rows.count;
  S.chunk = shape.chunk;
  S.ascending = rows.list == nullptr ||
                core::reduce(space, rows.count, DescentBody{rows.list}, core::Max{}, Index{0}) == 0;
  S.row = Array<Index, Space>(space, slots);
  Array<Index, Space> lengths(space, slots);
  S.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(chunks) + 1);
  core::for_each(space, slots, ListRowsBody<From>{rows, S.row.data(), lengths.data()});
  auto const count_entries = [&] {
    core::for_each(space, chunks, ChunkEntriesBody{lengths.data(), shape.chunk, S.offsets.data()});
    return static_cast<std::size_t>(
        core::exclusive_scan(space, S.offsets.span().part(0, chunks), S.offsets.span()));
  };
  auto entries = count_entries();
  if (shape.sigma > 1) {
    auto const needed = static_cast<std::size_t>(core::sum(space, slots, LengthBody{lengths.data()}));
    if (entries - needed > needed / 20) {  // sorting can save no more than the padding
      sort_in_windows(space, shape.sigma, S.row, lengths);
      S.ascending = false;
      entries = count_entries();
    }
  }
  S.value = Array<T, Space>(space, entries);
  place_columns(space, rows.matrix, S);
  fill_entries(space, rows.matrix, true, S);
  return S;
}

template <class T, class From, class Space>
void refresh_sell(Space const& space, CsrView<From> A, Sell<T, Space>& S) {
  fill_entries(space, A, false, S);
}

}  // namespace Tessera::sparse
