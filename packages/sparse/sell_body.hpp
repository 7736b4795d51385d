#pragma once
/// \file
/// How the operations of sell.hpp are done.
#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/sell.hpp"
#include "sparse/sell_entries_host.hpp"
#include "sparse/sell_host.hpp"

namespace Tessera::sparse {

struct ListedLengthBody {
  Offset const* offsets;
  ListedRow listed;
  Index* length;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = listed(slot);
    length[slot] = i < 0 ? 0 : static_cast<Index>(offsets[i + 1] - offsets[i]);
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

struct ListRowsBody {
  ListedRow listed;
  Index* row;
  TESSERA_HD void operator()(Index slot) const { row[slot] = listed(slot); }
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

template <class T, class From, class Space>
Sell<T, Space> sell_of(Space const& space, CsrView<From> A, ListedRow listed, SellShape shape) {
  TESSERA_VALIDATE(shape.chunk >= 1, "SELL chunk size ", shape.chunk,
                   " (a chunk holds at least one row); use 32");
  TESSERA_VALIDATE(shape.sigma == 1 || (shape.sigma > 0 && shape.sigma % shape.chunk == 0), "SELL sigma ",
                   shape.sigma, " with chunk size ", shape.chunk,
                   " (windows hold whole chunks); use 1 or a multiple of the chunk size");
  Index const chunks = (listed.count + shape.chunk - 1) / shape.chunk, slots = chunks * shape.chunk;
  Sell<T, Space> S;
  S.rows = A.rows;
  S.columns = A.columns;
  S.stored_rows = listed.count;
  S.chunk = shape.chunk;
  S.ascending = listed.list == nullptr ||
                core::reduce(space, listed.count, DescentBody{listed.list}, core::Max{}, Index{0}) == 0;
  S.row = Array<Index, Space>(space, slots);
  S.row_length = Array<Index, Space>(space, slots);
  S.offsets = Array<Offset, Space>(space, static_cast<std::size_t>(chunks) + 1);
  auto const count_entries = [&] {
    core::for_each(space, chunks, ChunkEntriesBody{S.row_length.data(), shape.chunk, S.offsets.data()});
    return static_cast<std::size_t>(
        core::exclusive_scan(space, S.offsets.span().part(0, chunks), S.offsets.span()));
  };
  core::for_each(space, slots, ListRowsBody{listed, S.row.data()});
  core::for_each(space, slots, ListedLengthBody{A.offsets.data(), listed, S.row_length.data()});
  auto entries = count_entries();
  if (shape.sigma > 1) {
    auto const needed = static_cast<std::size_t>(core::sum(space, slots, LengthBody{S.row_length.data()}));
    if (entries - needed > needed / 20) {  // sorting can save no more than the padding
      auto const length = std::move(S.row_length);
      S.row_length = Array<Index, Space>(space, slots);
      sort_in_windows(space, SortInWindowBody{length.data(), listed, slots, shape.sigma, S.row.data(),
                                              S.row_length.data()});
      entries = count_entries();
      S.ascending = false;
    }
  }
  S.value = Array<T, Space>(space, entries);
  fill_entries(space, A, shape.restorable, S);
  return S;
}

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrView<From> A, SellShape shape) {
  return sell_of<T>(space, A, ListedRow{nullptr, A.rows}, shape);
}

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrView<From> A, Span<Index const> list, SellShape shape) {
  static constexpr Index none = 0;
  auto const* const first = list.empty() ? &none : list.data();
  return sell_of<T>(space, A, ListedRow{first, static_cast<Index>(list.size())}, shape);
}

template <class T, class From, class Space>
void refresh_sell(Space const& space, CsrView<From> A, Sell<T, Space>& S) {
  fill_values(space, A, S);
}

struct LengthOfRowBody {
  Index const* row;
  Index const* row_length;
  Offset* count;
  TESSERA_HD void operator()(Index slot) const {
    if (row[slot] >= 0) count[row[slot]] = row_length[slot];
  }
};

/// value may be null.
template <class T>
struct RowFromSlotBody {
  SellView<T> S;
  Offset const* offsets;
  Index* column;
  T* value;
  TESSERA_HD void operator()(Index slot) const {
    auto const i = S.row[slot];
    if (i < 0) return;
    auto const c = slot / S.chunk, lane = slot % S.chunk;
    auto const begin = offsets[i], end = offsets[i + 1];
    if (S.on_diagonals(c)) {
      Index const* const diagonal = S.diagonal.data() + S.offsets[c] / S.chunk;
      for (auto k = begin; k < end; ++k) column[k] = i + diagonal[k - begin];
    } else {
      Index const* const from = S.column.data() + S.columns_begin(c) + lane;
      for (auto k = begin; k < end; ++k) column[k] = from[(k - begin) * S.chunk];
    }
    if (value == nullptr) return;
    T const* const from = S.value.data() + S.offsets[c] + lane;
    for (auto k = begin; k < end; ++k) value[k] = from[(k - begin) * S.chunk];
  }
};

template <class T, class Space>
Csr<T, Space> to_csr(Space const& space, SellView<T> S) {
  Array<Offset, Space> offsets(space, static_cast<std::size_t>(S.rows) + 1);
  core::fill(space, offsets.span(), 0);
  core::for_each(space, S.row.size(), LengthOfRowBody{S.row.data(), S.row_length.data(), offsets.data()});
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, offsets.span().part(0, S.rows), offsets.span()));
  Csr<T, Space> A{S.rows, S.columns, std::move(offsets), Array<Index, Space>(space, nonzeros),
                  Array<T, Space>(space, nonzeros)};
  core::for_each(space, S.row.size(),
                 RowFromSlotBody<T>{S, A.offsets.data(), A.column.data(), A.value.data()});
  return A;
}

/// Columns only, for which CUDA has its own.
template <class T, class Space>
void write_columns(Space const& space, RowFromSlotBody<T> const& body) {
  core::for_each(space, body.S.row.size(), body);
}

template <class T, class Space>
Csr<double, Space> pattern_of(Space const& space, SellView<T> first, SellView<T> second,
                              std::size_t nonzeros) {
  Csr<double, Space> A{first.rows,
                       first.columns,
                       Array<Offset, Space>(space, static_cast<std::size_t>(first.rows) + 1),
                       {},
                       {}};
  if (first.stored_rows + second.stored_rows < first.rows) core::fill(space, A.offsets.span(), 0);
  for (auto const& S : {first, second}) {
    core::for_each(space, S.row.size(), LengthOfRowBody{S.row.data(), S.row_length.data(), A.offsets.data()});
  }
  core::prefix_sums(space, A.offsets.span().part(0, first.rows), A.offsets.span());
  A.column = Array<Index, Space>(space, nonzeros);
  for (auto const& S : {first, second}) {
    write_columns(space, RowFromSlotBody<T>{S, A.offsets.data(), A.column.data(), nullptr});
  }
  return A;
}

}  // namespace Tessera::sparse
