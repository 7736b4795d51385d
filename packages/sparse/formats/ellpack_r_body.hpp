#pragma once
/// \file
/// ELLPACK-R from CSR.
#include "core/error.hpp"
#include "sparse/formats/formats.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// \throws core::InvalidInput where the longest row makes all of it much longer than CSR
template <class T, class From, class Space>
void store_rows(Space const& space, CsrRows<From> rows, EllpackR<T, Space>& S) {
  constexpr std::size_t most_padding = 16, always = 1 << 20;
  list_rows(space, rows, SlotWalk<Host>::block, S, S.entries);
  auto const slots = S.row.size();
  LengthBody const length{S.entries.data()};
  S.nonzeros = static_cast<std::size_t>(core::sum(space, slots, length));
  auto const longest = static_cast<std::size_t>(core::reduce(space, slots, length, core::Max{}, Offset{0}));
  TESSERA_VALIDATE(longest * slots <= most_padding * S.nonzeros + always, "ELLPACK-R stores ", longest,
                   " entries for each of ", S.stored_rows, " rows, which have ", S.nonzeros,
                   " entries in all (all rows are as long as the longest); use pJDS, SELL-C-sigma or CSR");
  S.value = Array<T, Space>(space, longest * slots);
  S.column = Array<Index, Space>(space, longest * slots);
  fill_slots(space, rows.matrix, true, S.view(), S.value, S.column);
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, EllpackR<T, Space>& S) {
  fill_slots(space, A, false, S.view(), S.value, S.column);
}

}  // namespace Tessera::sparse
