#pragma once
/// \file
/// Expand, sort, compress: Bell, Dalton, Olson 2012, section 4.3.
///
/// The products of a slice of rows are written out as ((row, column), value) in the order of Gustavson's
/// loop, sorted stably by (row, column), and runs of equal keys are added front to back: in k order.
#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse::esc {

using Key = std::uint64_t;  ///< row within the slice in the upper half, column in the lower

/// Products in a slice; the workspace is about 48 bytes for each.
constexpr Offset slice_work = Offset{1} << 22;

TESSERA_HD inline Key key(Index row, Index column) {
  return (static_cast<Key>(static_cast<std::uint32_t>(row)) << 32) | static_cast<std::uint32_t>(column);
}
TESSERA_HD inline Index row_of(Key k) {
  return static_cast<Index>(k >> 32);
}
TESSERA_HD inline Index column_of(Key k) {
  return static_cast<Index>(k & 0xffffffffu);
}

template <class T>
struct ExpandBody {
  CsrView<T> A, B;
  Offset const* work;  ///< products before each row
  RowSlice slice;
  Key* keys;
  T* products;
  TESSERA_HD void operator()(Index r) const {
    auto const i = slice.begin + r;
    auto at = work[i] - slice.work_begin;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l, ++at) {
        keys[at] = key(r, B.column[l]);
        products[at] = A.value[k] * B.value[l];
      }
    }
  }
};

/// The same without numbers; a sort needs some value to carry.
template <class T>
struct ExpandPatternBody {
  CsrView<T> A, B;
  Offset const* work;
  RowSlice slice;
  Key* keys;
  unsigned char* nothing;
  TESSERA_HD void operator()(Index r) const {
    auto const i = slice.begin + r;
    auto at = work[i] - slice.work_begin;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l, ++at) {
        keys[at] = key(r, B.column[l]);
        nothing[at] = 0;
      }
    }
  }
};

struct HeadOfRun {
  Key const* keys;
  TESSERA_HD bool operator()(Index e) const { return e == 0 || keys[e] != keys[e - 1]; }
};

struct ColumnOfHeadBody {
  Key const* keys;
  Index const* head;
  Index* column;
  TESSERA_HD void operator()(Index h) const { column[h] = column_of(keys[head[h]]); }
};

/// Number of runs that belong to a row: two searches among the heads, which ascend by row.
struct CountRunsBody {
  Key const* keys;
  Index const* head;
  Index heads;
  Offset* count;  ///< of the slice's rows
  TESSERA_HD Index first_at_or_after(Index row) const {
    Index begin = 0, end = heads;
    while (begin < end) {
      auto const middle = begin + (end - begin) / 2;
      if (row_of(keys[head[middle]]) < row) {
        begin = middle + 1;
      } else {
        end = middle;
      }
    }
    return begin;
  }
  TESSERA_HD void operator()(Index r) const { count[r] = first_at_or_after(r + 1) - first_at_or_after(r); }
};

template <class T>
struct AddRunBody {
  Key const* keys;
  T const* products;
  Index const* head;
  Index heads, work;
  Index first_row;
  Offset const* offsets;  ///< of C
  Index const* column;
  T* value;
  TESSERA_HD void operator()(Index h) const {
    auto const end = h + 1 < heads ? head[h + 1] : work;
    T sum = 0;
    for (Index e = head[h]; e < end; ++e) sum += products[e];
    auto const k = keys[head[h]];
    auto const i = first_row + row_of(k);
    value[find_column(column, offsets[i], offsets[i + 1], column_of(k))] = sum;
  }
};

template <class T>
struct ZeroRowBody {
  Offset const* offsets;
  T* value;
  TESSERA_HD void operator()(Index i) const {
    for (Offset k = offsets[i]; k < offsets[i + 1]; ++k) value[k] = T{0};
  }
};

template <class T, class Space>
Array<Offset, Space> work_offsets(Space const& space, CsrView<T> A, CsrView<T> B) {
  Array<Offset, Space> work(space, static_cast<std::size_t>(A.rows) + 1);
  core::for_each(space, A.rows, ProductCountBody<T>{A, B, work.data()});
  core::exclusive_scan(space, work.span().part(0, A.rows), work.span());
  return work;
}

template <class T, class Space>
Csr<T, Space> symbolic(Space const& space, CsrView<T> A, CsrView<T> B) {
  auto const work = work_offsets(space, A, B);
  Array<Offset, Space> counts(space, static_cast<std::size_t>(A.rows) + 1);
  std::vector<Array<Index, Space>> pieces;
  for (auto const& slice : row_slices(space, work.view(), slice_work)) {
    auto const n = slice.work();
    Array<Key, Space> keys(space, n);
    Array<unsigned char, Space> nothing(space, n);
    core::for_each(space, slice.rows(),
                   ExpandPatternBody<T>{A, B, work.data(), slice, keys.data(), nothing.data()});
    core::sort_by_key(space, keys.span(), nothing.span());
    Array<Index, Space> head(space, n);
    auto const heads = core::select(space, n, HeadOfRun{keys.data()}, head.span());
    core::for_each(
        space, slice.rows(),
        CountRunsBody{keys.data(), head.data(), static_cast<Index>(heads), counts.data() + slice.begin});
    Array<Index, Space> column(space, heads);
    core::for_each(space, heads, ColumnOfHeadBody{keys.data(), head.data(), column.data()});
    pieces.push_back(std::move(column));
  }
  return assembled<T>(space, A.rows, B.columns, std::move(counts), std::move(pieces));
}

template <class T, class Space>
void numeric(Space const& space, CsrView<T> A, CsrView<T> B, Csr<T, Space>& C) {
  auto const work = work_offsets(space, A, B);
  core::for_each(space, C.rows, ZeroRowBody<T>{C.offsets.data(), C.value.data()});
  for (auto const& slice : row_slices(space, work.view(), slice_work)) {
    auto const n = slice.work();
    Array<Key, Space> keys(space, n);
    Array<T, Space> products(space, n);
    core::for_each(space, slice.rows(),
                   ExpandBody<T>{A, B, work.data(), slice, keys.data(), products.data()});
    core::sort_by_key(space, keys.span(), products.span());
    Array<Index, Space> head(space, n);
    auto const heads = core::select(space, n, HeadOfRun{keys.data()}, head.span());
    core::for_each(
        space, heads,
        AddRunBody<T>{keys.data(), products.data(), head.data(), static_cast<Index>(heads),
                      static_cast<Index>(n), slice.begin, C.offsets.data(), C.column.data(), C.value.data()});
  }
}

}  // namespace Tessera::sparse::esc
