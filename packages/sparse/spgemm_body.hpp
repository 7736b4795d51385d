#pragma once
/// \file
/// What both methods of spgemm.hpp share: slices of rows with bounded work, and columns from pieces.
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/spgemm.hpp"

namespace Tessera::sparse {

/// Products that row i of A B needs.
template <class T>
TESSERA_HD Offset products_of_row(CsrView<T> const& A, CsrView<T> const& B, Index i) {
  Offset products = 0;
  for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
    products += B.offsets[A.column[k] + 1] - B.offsets[A.column[k]];
  }
  return products;
}

template <class T>
struct ProductCountBody {
  CsrView<T> A, B;
  Offset* count;
  TESSERA_HD void operator()(Index i) const { count[i] = products_of_row(A, B, i); }
};

/// A row that starts in another stretch of `length` than the row before it.
struct SliceStartBody {
  Offset const* offsets;
  Offset length;
  TESSERA_HD bool operator()(Index i) const {
    return i == 0 || offsets[i] / length != offsets[i - 1] / length;
  }
};

/// Consecutive rows and the work before the first of them.
struct RowSlice {
  Index begin, end;
  Offset work_begin, work_end;
  Index rows() const { return end - begin; }
  std::size_t work() const { return static_cast<std::size_t>(work_end - work_begin); }
};

template <class T>
struct GatherBody {
  T const* source;
  Index const* index;
  T* target;
  TESSERA_HD void operator()(Index i) const { target[i] = source[index[i]]; }
};

/// Cuts rows into slices of less than `length` work, but for slices whose last row alone has more.
/// offsets: rows + 1 prefix sums of the rows' work.
template <class Space>
std::vector<RowSlice> row_slices(Space const& space, Span<Offset const> offsets, Offset length) {
  auto const rows = offsets.size() - 1;
  if (rows == 0) return {};
  auto const total = core::to_vector(space, offsets.part(rows, 1))[0];
  Array<Index, Space> first(space, static_cast<std::size_t>(std::min<Offset>(total / length + 2, rows)));
  auto const count = core::select(space, rows, SliceStartBody{offsets.data(), length}, first.span());
  Array<Offset, Space> work(space, count);
  core::for_each(space, count, GatherBody<Offset>{offsets.data(), first.data(), work.data()});
  auto const begin = core::to_vector(space, first.view().part(0, count));
  auto const work_begin = core::to_vector(space, work.view());
  std::vector<RowSlice> slices(count);
  for (std::size_t s = 0; s < count; ++s) {
    bool const last = s + 1 == count;
    slices[s] = {begin[s], last ? static_cast<Index>(rows) : begin[s + 1], work_begin[s],
                 last ? total : work_begin[s + 1]};
    TESSERA_VALIDATE(slices[s].work() < std::size_t{1} << 31, "rows ", slices[s].begin, " to ", slices[s].end,
                     " of a matrix product need ", slices[s].work(),
                     " multiplications (at most 2^31 - 1 are supported at a time); remove dense rows");
  }
  return slices;
}

/// The matrix whose rows have counts[i] entries (turned into offsets in place) and whose columns are the
/// pieces one after the other; values are allocated, not set.
template <class T, class Space>
Csr<T, Space> assembled(Space const& space, Index rows, Index columns, Array<Offset, Space> counts,
                        std::vector<Array<Index, Space>> pieces) {
  auto const nonzeros =
      static_cast<std::size_t>(core::exclusive_scan(space, counts.span().part(0, rows), counts.span()));
  Csr<T, Space> C{rows, columns, std::move(counts), Array<Index, Space>(space, nonzeros), {}};
  std::size_t at = 0;
  for (auto const& piece : pieces) {
    core::copy(space, piece.view(), space, C.column.span().part(at, piece.size()));
    at += piece.size();
  }
  pieces.clear();
  C.value = Array<T, Space>(space, nonzeros);
  return C;
}

/// Where column c stands among the ascending columns [begin, end) of a row that has it.
TESSERA_HD inline Offset find_column(Index const* column, Offset begin, Offset end, Index c) {
  while (end - begin > 1) {
    auto const middle = begin + (end - begin) / 2;
    if (column[middle] <= c) {
      begin = middle;
    } else {
      end = middle;
    }
  }
  return begin;
}

}  // namespace Tessera::sparse
