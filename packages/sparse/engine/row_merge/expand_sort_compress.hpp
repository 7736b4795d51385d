#pragma once
/// \file
/// Expand, sort, compress: Bell, Dalton, Olson 2012, section 3.3. The merge of row_merge.hpp for any space
/// and rows of any length, and the reference for the engine's merges.
///
/// The products of a slice of rows are written out as ((row, column), value) in the order of Gustavson's
/// loop, sorted stably by (row, column), and runs of equal keys are added front to back: in k order.
#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "sparse/engine/row_merge/operands.hpp"

namespace Tessera::sparse {

/// A row that starts in another stretch of `length` than the row before it.
struct SliceStartBody {
  Offset const* offsets;
  Offset length;
  TESSERA_HD bool operator()(Index i) const {
    return i == 0 || offsets[i] / length != offsets[i - 1] / length;
  }
};

/// Consecutive rows; work before the first and up to the last of them.
struct RowSlice {
  Index begin, end;
  Offset work_begin, work_end;
  Index rows() const { return end - begin; }
  std::size_t work() const { return static_cast<std::size_t>(work_end - work_begin); }
};

/// Cuts rows into slices of less than `length` work, except where the last row alone has more. offsets: rows
/// + 1 prefix sums of the rows' work.
template <class Space>
std::vector<RowSlice> row_slices(Space const& space, Span<Offset const> offsets, Offset length) {
  auto const rows = offsets.size() - 1;
  if (rows == 0) return {};
  auto const total = core::to_vector(space, offsets.part(rows, 1))[0];
  Array<Index, Space> first(space, static_cast<std::size_t>(std::min<Offset>(total / length + 2, rows)));
  auto const count = core::select(space, rows, SliceStartBody{offsets.data(), length}, first.span());
  Array<Offset, Space> work(space, count);
  core::gather(space, first.view().part(0, count), offsets.data(), work.data());
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

/// Concatenates the pieces and releases them.
template <class T, class Space>
Array<T, Space> joined(Space const& space, std::vector<Array<T, Space>>& pieces) {
  std::size_t size = 0, at = 0;
  for (auto const& piece : pieces) size += piece.size();
  Array<T, Space> whole(space, size);
  for (auto& piece : pieces) {
    core::copy(space, piece.view(), space, whole.span().part(at, piece.size()));
    at += piece.size();
    piece = {};
  }
  return whole;
}

}  // namespace Tessera::sparse

namespace Tessera::sparse::esc {

using Key = std::uint64_t;  ///< row within the slice in the upper half, key of the column in the lower

/// Products in a slice; the workspace is about 48 bytes for each.
constexpr Offset slice_work = Offset{1} << 22;

TESSERA_HD inline Index row_of(Key k) {
  return static_cast<Index>(k >> 32);
}
TESSERA_HD inline Index column_key_of(Key k) {
  return static_cast<Index>(k & 0xffffffffu);
}

/// Calls visit(column, product) for the products of row i, in order.
template <class Left, class Right, class Visit>
TESSERA_HD void for_products(Left const& left, Right const& right, Index i, Visit const& visit) {
  auto a = left.row(i);
  for (Offset k = a.begin; k < a.end; ++k) {
    a.move(k);
    if (!a.keeps()) continue;
    auto const j = a.source();
    double const factor = a.factor();
    for (Offset l = right.begin(j); l < right.end(j); ++l) visit(right.column(l), factor * right.value(l));
  }
}

template <class Left, class Right, class Epilogue>
struct ExpandBody {
  Left left;
  Right right;
  Epilogue epilogue;
  Offset const* work;  ///< products before each row
  RowSlice slice;
  Key* keys;
  double* products;
  struct Write {
    ExpandBody const& body;
    Key row;
    Offset& at;
    TESSERA_HD void operator()(Index column, double product) const {
      body.keys[at] = row << 32 | static_cast<std::uint32_t>(body.epilogue.key(column));
      body.products[at++] = product;
    }
  };
  TESSERA_HD void operator()(Index r) const {
    auto at = work[slice.begin + r] - slice.work_begin;
    for_products(left, right, slice.begin + r, Write{*this, static_cast<Key>(r), at});
  }
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

template <class Epilogue>
struct AddRunBody {
  Epilogue epilogue;
  Key const* keys;
  double const* products;
  Index const* head;
  Index heads, work, first_row;
  Index* column;
  double* value;
  TESSERA_HD void operator()(Index h) const {
    auto const end = h + 1 < heads ? head[h + 1] : work;
    double sum = 0;
    for (Index e = head[h]; e < end; ++e) sum += products[e];
    auto const k = keys[head[h]];
    column[h] = epilogue.block(column_key_of(k));
    value[h] = epilogue.row(first_row + row_of(k))(column[h], sum);
  }
};

template <class Space, class Left, class Right, class Epilogue = PlainSums>
Csr<double, Space> merge(Space const& space, Left const& left, Right const& right,
                         Epilogue const& epilogue = {}) {
  auto const rows = static_cast<std::size_t>(left.rows());
  Array<Offset, Space> work(space, rows + 1);
  core::for_each(space, rows, CountProductsBody<Left, Right>{left, right, work.data()});
  core::exclusive_scan(space, work.span().part(0, rows), work.span());
  Csr<double, Space> C{left.rows(), right.columns(), Array<Offset, Space>(space, rows + 1), {}, {}};
  std::vector<Array<Index, Space>> columns;
  std::vector<Array<double, Space>> values;
  for (auto const& slice : row_slices(space, work.view(), slice_work)) {
    auto const n = slice.work();
    Array<Key, Space> keys(space, n);
    Array<double, Space> products(space, n);
    core::for_each(space, slice.rows(),
                   ExpandBody<Left, Right, Epilogue>{left, right, epilogue, work.data(), slice, keys.data(),
                                                     products.data()});
    core::sort_by_key(space, keys, products);
    Array<Index, Space> head(space, n);
    auto const heads =
        static_cast<Index>(core::select(space, n, core::FirstOfEqual<Key>{keys.data()}, head.span()));
    core::for_each(space, slice.rows(),
                   CountRunsBody{keys.data(), head.data(), heads, C.offsets.data() + slice.begin});
    columns.emplace_back(space, heads);
    values.emplace_back(space, heads);
    core::for_each(space, heads,
                   AddRunBody<Epilogue>{epilogue, keys.data(), products.data(), head.data(), heads,
                                        static_cast<Index>(n), slice.begin, columns.back().data(),
                                        values.back().data()});
  }
  core::exclusive_scan(space, C.offsets.span().part(0, rows), C.offsets.span());
  C.column = joined(space, columns);
  C.value = joined(space, values);
  return C;
}

}  // namespace Tessera::sparse::esc
