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

template <class T, class From, class Space>
Sell<T, Space> to_sell(Space const& space, CsrRows<From> rows, SellShape shape) {
  TESSERA_VALIDATE(shape.chunk >= 1, "SELL chunk size ", shape.chunk,
                   " (a chunk holds at least one row); use 32");
  TESSERA_VALIDATE(shape.sigma == 1 || (shape.sigma > 0 && shape.sigma % shape.chunk == 0), "SELL sigma ",
                   shape.sigma, " with chunk size ", shape.chunk,
                   " (windows hold whole chunks); use 1 or a multiple of the chunk size");
  Sell<T, Space> S;
  Array<Index, Space> lengths;
  list_rows(space, rows, shape.chunk, S, lengths);
  S.chunk = shape.chunk;
  auto const slots = S.row.size(), chunks = slots / shape.chunk;
  S.offsets = Array<Offset, Space>(space, chunks + 1);
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
void store_rows(Space const& space, CsrRows<From> rows, StorageParameters const& parameters,
                Sell<T, Space>& S) {
  S = to_sell<T>(space, rows, {parameters.chunk_size, parameters.sigma});
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, Sell<T, Space>& S) {
  fill_entries(space, A, false, S);
}

}  // namespace Tessera::sparse
