#pragma once
/// \file
/// A transpose on CUDA: a stable sort of the entries by column.
#include "core/bisection.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/transpose_pattern.hpp"
#include "sparse/row_entries.hpp"

namespace Tessera::sparse {

/// For take_entries.
template <class T>
struct ListEntriesBody {
  CsrView<T> A;
  Index* column;
  Index* source;
  Index* row;
  TESSERA_HD Offset begin(Index i) const { return A.offsets[i]; }
  TESSERA_HD Offset end(Index i) const { return A.offsets[i + 1]; }
  TESSERA_HD bool operator()(Index, Offset) const { return true; }
  TESSERA_HD Offset start(Index i) const { return A.offsets[i]; }
  TESSERA_HD void take(Index i, Offset k, Offset) const {
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

struct RowOfSourceBody {
  Index const* source;
  Index const* row;
  Index* column;
  TESSERA_HD void operator()(Index k) const { column[k] = row[source[k]]; }
};

template <>
struct TransposePattern<Cuda> {
  template <class T>
  static void run(Cuda const& space, CsrView<T> A, Transposed<T, Cuda>& At) {
    auto const nonzeros = A.column.size();
    Array<Index, Cuda> column(space, nonzeros), row(space, nonzeros);
    take_entries(space, A.rows, nonzeros, ListEntriesBody<T>{A, column.data(), At.source.data(), row.data()});
    core::sort_by_key(space, column.span(), At.source.span());
    core::for_each(space, static_cast<std::size_t>(A.columns) + 1,
                   OffsetsOfSortedBody{column.view(), At.matrix.offsets.data()});
    core::for_each(space, nonzeros, RowOfSourceBody{At.source.data(), row.data(), At.matrix.column.data()});
  }
};

}  // namespace Tessera::sparse
