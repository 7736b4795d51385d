#pragma once
/// \file
/// pJDS from CSR.
#include "sparse/formats/formats.hpp"
#include "sparse/formats/slots_body.hpp"

namespace Tessera::sparse {

/// How many slots have an entry j, with padding; lengths descend.
struct DiagonalEntriesBody {
  Index const* length;
  Index slots, block;
  Offset* entries;
  TESSERA_HD void operator()(Index j) const {
    Index first = 0, last = slots / block;  // the first block without lies between
    while (first < last) {
      Index const middle = first + (last - first) / 2;
      if (length[middle * block] > j) {
        first = middle + 1;
      } else {
        last = middle;
      }
    }
    entries[j] = Offset{first} * block;
  }
};

template <class T, class From, class Space>
void store_rows(Space const& space, CsrRows<From> rows, StorageParameters const&, Pjds<T, Space>& S) {
  constexpr Index block = PjdsView<T>::block;
  list_rows(space, rows, block, S, S.entries);
  auto const slots = static_cast<Index>(S.row.size());
  LengthBody const length{S.entries.data()};
  S.nonzeros = static_cast<std::size_t>(core::sum(space, slots, length));
  auto const longest = static_cast<std::size_t>(core::reduce(space, slots, length, core::Max{}, Offset{0}));
  if (slots > 0) sort_in_windows(space, slots, S.row, S.entries);
  S.ascending = ascends(space, S.row.data(), S.stored_rows);
  S.start = Array<Offset, Space>(space, longest + 1);
  core::for_each(space, longest, DiagonalEntriesBody{S.entries.data(), slots, block, S.start.data()});
  auto const entries = core::exclusive_scan(space, S.start.span().part(0, longest), S.start.span());
  S.value = Array<T, Space>(space, static_cast<std::size_t>(entries));
  S.column = Array<Index, Space>(space, static_cast<std::size_t>(entries));
  fill_slots(space, rows.matrix, true, S.view(), S.value, S.column);
}

template <class T, class From, class Space>
void refresh_rows(Space const& space, CsrView<From> A, Pjds<T, Space>& S) {
  fill_slots(space, A, false, S.view(), S.value, S.column);
}

}  // namespace Tessera::sparse
