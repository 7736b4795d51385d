#pragma once
/// \file
/// How the operations of sell.hpp are done.
#include "core/error.hpp"
#include "sparse/formats/formats.hpp"
#include "sparse/formats/sell_entries.hpp"

namespace Tessera::sparse {

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

/// Where the entries of a Sell will lie, with padding.
template <class T, class Space>
struct SellLayout {
  Sell<T, Space> rows;  ///< slots and offsets are there, entries are not
  Array<Index, Space> lengths;
  std::size_t entries = 0;   ///< with padding
  std::size_t occupied = 0;  ///< without what pads slots to the width of their chunk
  std::size_t nonzeros = 0;
  Index limit = 0;  ///< of columns that runs may reach

  std::size_t padding() const { return entries - occupied; }
  /// That a product will read; less on the host, where chunks lie on diagonals.
  double product_bytes() const {
    return static_cast<double>(rows.product_bytes()) +
           (sizeof(T) + static_cast<double>(sizeof(Index)) / rows.run) * static_cast<double>(entries);
  }
};

/// Lengths of slots and columns of rows in runs, as the shape wants it; the slots' rows are known.
template <class T, class From, class Space>
void count_slots(Space const& space, CsrRows<From> rows, int run, SellLayout<T, Space>& layout) {
  auto& lengths = layout.lengths;
  bool const all = rows.list == nullptr && rows.count == rows.matrix.rows;
  layout.nonzeros =
      all ? rows.matrix.column.size()
          : static_cast<std::size_t>(core::sum(space, lengths.size(), LengthBody{lengths.data()}));
  layout.occupied = layout.nonzeros;
  if (run == 0 && !may_have_runs<Space>(rows.count, layout.nonzeros)) run = 1;
  if (run == 1) return;
  Array<Index, Space> length(space, lengths.size()), limit(space, lengths.size());
  core::for_each(space, length.size(),
                 RunLengthBody<From>{rows.matrix, layout.rows.row.data(), length.data(), limit.data()});
  auto const occupied = static_cast<std::size_t>(core::sum(space, length.size(), LengthBody{length.data()}));
  auto const columns = core::reduce(space, limit.size(), LimitBody{limit.data()}, core::Max{}, Index{0});
  if (columns < run_width || (run == 0 && !pays<T>(occupied / run_width, layout.nonzeros))) return;
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

/// Its rows, with their entries.
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

/// The same; rows that are alike keep their order.
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
