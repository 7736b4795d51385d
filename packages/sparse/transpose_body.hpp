#pragma once
/// \file
/// Transposes by a stable sort of the entries by column, for any space; the host counts (transpose_host.hpp).
#include <limits>

#include "core/bisection.hpp"
#include "core/error.hpp"
#include "sparse/engine/for_each_entry.hpp"
#include "sparse/transpose.hpp"

namespace Tessera::sparse {

template <class T>
struct ListEntriesBody {
  CsrView<T> A;
  Index* column;
  Index* source;
  Index* row;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD void operator()(Index i, Offset k) const {
    column[k] = A.column[k];
    source[k] = static_cast<Index>(k);
    row[k] = i;
  }
};

/// offsets[c] = how many of the ascending columns are below c.
struct OffsetsOfSortedBody {
  Span<Index const> column;
  Offset* offsets;
  TESSERA_HD void operator()(Index c) const {
    offsets[c] = static_cast<Offset>(core::lower_bound(column, c));
  }
};

template <class T>
struct TakeBySourceBody {
  Index const* source;
  T const* from;
  T* to;
  TESSERA_HD void operator()(Index k) const { to[k] = from[source[k]]; }
};

template <class T, class Space>
void fill_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At) {
  auto const nonzeros = A.column.size();
  Array<Index, Space> column(space, nonzeros), row(space, nonzeros);
  for_each_entry(space, A.rows, nonzeros, ListEntriesBody<T>{A, column.data(), At.source.data(), row.data()});
  core::sort_by_key(space, column.span(), At.source.span());
  core::for_each(space, static_cast<std::size_t>(A.columns) + 1,
                 OffsetsOfSortedBody{column.view(), At.matrix.offsets.data()});
  core::for_each(space, nonzeros,
                 TakeBySourceBody<Index>{At.source.data(), row.data(), At.matrix.column.data()});
  refresh_transpose(space, A, At);
}

template <class T, class Space>
Transposed<T, Space> transpose(Space const& space, CsrView<T> A) {
  auto const nonzeros = A.column.size();
  TESSERA_VALIDATE(nonzeros <= static_cast<std::size_t>(std::numeric_limits<Index>::max()), nonzeros,
                   " entries on one rank to be transposed (local indices have 32 bits); use more ranks");
  Transposed<T, Space> At{
      {A.columns, A.rows, Array<Offset, Space>(space, static_cast<std::size_t>(A.columns) + 1),
       Array<Index, Space>(space, nonzeros), Array<T, Space>(space, nonzeros)},
      Array<Index, Space>(space, nonzeros)};
  fill_transpose(space, A, At);
  return At;
}

/// Entry k of row j of A^T, found in row `column[k]` of A.
template <class T>
struct FindEntriesBody {
  CsrView<T> A, At;
  Index* source;
  TESSERA_HD Offset begin(Index j) const { return At.offsets[j]; }
  TESSERA_HD Offset end(Index j) const { return At.offsets[j + 1]; }
  TESSERA_HD void operator()(Index j, Offset k) const {
    auto at = A.offsets[At.column[k]];
    while (A.column[at] != j) ++at;
    source[k] = static_cast<Index>(at);
  }
};

template <class T, class Space>
void refresh_transpose(Space const& space, CsrView<T> A, Transposed<T, Space>& At) {
  auto const nonzeros = At.matrix.column.size();
  if (At.matrix.value.empty()) At.matrix.value = Array<T, Space>(space, nonzeros);
  if (At.source.empty()) {
    At.source = Array<Index, Space>(space, nonzeros);
    for_each_entry(space, At.matrix.rows, nonzeros,
                   FindEntriesBody<T>{A, At.matrix.view(), At.source.data()});
  }
  core::for_each(space, At.source.size(),
                 TakeBySourceBody<T>{At.source.data(), A.value.data(), At.matrix.value.data()});
}

}  // namespace Tessera::sparse
