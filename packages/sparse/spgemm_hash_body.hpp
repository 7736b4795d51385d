#pragma once
/// \file
/// The hash product with one thread a row, for any space; the host has a faster one in spgemm_hash_host.hpp.
#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse::hash {

/// Table entries in a slice of rows.
constexpr Offset slice_work = Offset{1} << 24;

/// Fibonacci hashing: upper bits of a multiplication by 2^64 / golden ratio.
TESSERA_HD inline std::uint32_t slot_of(Index column, std::uint32_t mask) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15ull >> 32) & mask;
}

TESSERA_HD inline Offset power_of_two_from(Offset n) {
  Offset power = 1;
  while (power < n) power *= 2;
  return power;
}

/// Table size of each row: a power of two of at least twice the columns it can have.
template <class T>
struct TableSizeBody {
  CsrView<T> A, B;
  Offset* size;
  TESSERA_HD void operator()(Index i) const {
    ProductCountBody<T>{A, B, size}(i);
    auto const most = size[i] < B.columns ? size[i] : Offset{B.columns};
    size[i] = most == 0 ? 0 : power_of_two_from(2 * most);
  }
};

/// Ascending order in place, without recursion or extra memory: heap sort.
TESSERA_HD inline void sift_down(Index* heap, Index root, Index size) {
  auto const moved = heap[root];
  for (Index child; (child = 2 * root + 1) < size; root = child) {
    if (child + 1 < size && heap[child] < heap[child + 1]) ++child;
    if (heap[child] <= moved) break;
    heap[root] = heap[child];
  }
  heap[root] = moved;
}

TESSERA_HD inline void sort_columns(Index* column, Index size) {
  for (Index root = size / 2; root-- > 0;) sift_down(column, root, size);
  for (Index last = size - 1; last > 0; --last) {
    auto const largest = column[0];
    column[0] = column[last];
    column[last] = largest;
    sift_down(column, 0, last);
  }
}

/// Leaves the row's distinct columns, sorted, at the front of its table, and their number in count.
template <class T>
struct CollectColumnsBody {
  CsrView<T> A, B;
  Offset const* work;  ///< table entries before each row
  RowSlice slice;
  Index* tables;
  Offset* count;  ///< of the slice's rows
  TESSERA_HD void operator()(Index r) const {
    auto const i = slice.begin + r;
    Index* const table = tables + (work[i] - slice.work_begin);
    auto const size = static_cast<std::uint32_t>(work[i + 1] - work[i]);
    for (std::uint32_t s = 0; s < size; ++s) table[s] = -1;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l) {
        auto const c = B.column[l];
        auto s = slot_of(c, size - 1);
        while (table[s] != c && table[s] != -1) s = (s + 1) & (size - 1);
        table[s] = c;
      }
    }
    Index found = 0;
    for (std::uint32_t s = 0; s < size; ++s) {
      if (table[s] != -1) table[found++] = table[s];
    }
    sort_columns(table, found);
    count[r] = found;
  }
};

struct CopyColumnsBody {
  Offset const* work;
  RowSlice slice;
  Index const* tables;
  Offset const* offsets;  ///< of the slice's rows among their columns
  Index* column;
  TESSERA_HD void operator()(Index r) const {
    Index const* const table = tables + (work[slice.begin + r] - slice.work_begin);
    for (Offset k = offsets[r]; k < offsets[r + 1]; ++k) column[k] = table[k - offsets[r]];
  }
};

template <class T, class Space>
Csr<T, Space> symbolic(Space const& space, CsrView<T> A, CsrView<T> B) {
  Array<Offset, Space> work(space, static_cast<std::size_t>(A.rows) + 1);
  core::for_each(space, A.rows, TableSizeBody<T>{A, B, work.data()});
  core::exclusive_scan(space, work.span().part(0, A.rows), work.span());
  Array<Offset, Space> counts(space, static_cast<std::size_t>(A.rows) + 1);
  std::vector<Array<Index, Space>> pieces;
  for (auto const& slice : row_slices(space, work.view(), slice_work)) {
    Array<Index, Space> tables(space, slice.work());
    auto const count = counts.span().part(slice.begin, slice.rows());
    core::for_each(space, slice.rows(),
                   CollectColumnsBody<T>{A, B, work.data(), slice, tables.data(), count.data()});
    Array<Offset, Space> offsets(space, static_cast<std::size_t>(slice.rows()) + 1);
    auto const found = core::exclusive_scan(space, count, offsets.span());
    Array<Index, Space> column(space, static_cast<std::size_t>(found));
    core::for_each(space, slice.rows(),
                   CopyColumnsBody{work.data(), slice, tables.data(), offsets.data(), column.data()});
    pieces.push_back(std::move(column));
  }
  return assembled<T>(space, A.rows, B.columns, std::move(counts), std::move(pieces));
}

/// Products are added where they belong in C, found by bisection.
template <class T>
struct AddProductsBody {
  CsrView<T> A, B;
  Offset const* offsets;  ///< of C
  Index const* column;
  T* value;
  TESSERA_HD void operator()(Index i) const {
    auto const begin = offsets[i], end = offsets[i + 1];
    for (Offset k = begin; k < end; ++k) value[k] = T{0};
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l) {
        value[find_column(column, begin, end, B.column[l])] += A.value[k] * B.value[l];
      }
    }
  }
};

template <class T, class Space>
void numeric(Space const& space, CsrView<T> A, CsrView<T> B, Csr<T, Space>& C) {
  core::for_each(space, A.rows, AddProductsBody<T>{A, B, C.offsets.data(), C.column.data(), C.value.data()});
}

}  // namespace Tessera::sparse::hash
