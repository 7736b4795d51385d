#pragma once
/// \file
/// Merges in one pass on the host, one number a column: a worker lists the products of a row, then sums them
/// by column, from zero. Each thread keeps its tables and takes blocks of rows as it comes free.
#include <algorithm>

#include "sparse/engine/column_table.hpp"
#include "sparse/engine/row_merge/blocks_host.hpp"

namespace Tessera::sparse::hash {

/// One number and one mark a column. The place of a sum depends on its column alone, not on earlier columns,
/// so that sums need not wait for each other. row().add(c, term) returns whether c is new; take(count,
/// column, value) ends the row.
class RowSums {
 public:
  /// A copy for inner loops, which keep it in registers.
  struct Row {
    Index* mark;
    double* sum;
    Index number;
    bool add(Index c, double term) const {
      bool const is_new = mark[c] != number;
      mark[c] = number;
      sum[c] += term;
      return is_new;
    }
  };
  explicit RowSums(Index columns) : mark_(Host{}, columns), sum_(Host{}, columns + std::size_t{1}) {
    std::fill(mark_.begin(), mark_.end(), Index{-1});
    std::fill(sum_.begin(), sum_.end(), 0.0);
  }
  Row row(Index i) { return {mark_.data(), sum_.data(), i}; }
  /// Moves the sums of all columns of the row to `value` and resets them to zero. With fewer than eight
  /// columns, it also uses the next places up to the eighth, which hold columns, or 0.
  void take(Index count, Index const* column, double* value) { take(count, column, sum_.data(), value); }

 private:
  static constexpr Index few = 8;
  static void take(Index count, Index const* __restrict column, double* __restrict sum,
                   double* __restrict value) {
    if (count == 0) return;
    if (count <= few) {  // loops of a constant length, whose ends are never mispredicted
      for (Index s = 0; s < few; ++s) value[s] = sum[column[s]];
      for (Index s = 0; s < few; ++s) sum[column[s]] = 0;
      return;
    }
    for (Index s = 0; s < count; ++s) {
      value[s] = sum[column[s]];
      sum[column[s]] = 0;
    }
  }
  Array<Index, Host> mark_;
  Array<double, Host> sum_;
};

}  // namespace Tessera::sparse::hash

namespace Tessera::sparse {

/// A thread's list of products: a column and a number each. If the right operand's numbers cannot be
/// multiplied while they are listed (PackedRows), the list holds their factors, too.
struct ProductList {
  Index room = 0;
  Array<Index, Host> column;
  Array<double, Host> value, factor;

  void reserve(Index products) {
    if (products <= room) return;
    room = products;
    auto const padded = static_cast<std::size_t>(products) + lists::block;
    column = Array<Index, Host>(Host{}, padded);
    value = Array<double, Host>(Host{}, padded);
    factor = Array<double, Host>(Host{}, padded);
  }
};

namespace detail {

/// Lists the products of the entries from k on of a left row with rows of B, while there is room; returns the
/// number of products. It reads and writes whole blocks, because the ends of short loops are mispredicted.
/// Sums without a list made short rows 20 % slower, blocks of sixteen 10 %; prefetching gained nothing.
template <class LeftRow, class Right>
Index list_products(LeftRow& a, Right const& B, Offset& k, Index room, Index* __restrict column,
                    double* __restrict value, double* __restrict factor) {
  constexpr Index block = lists::block;
  constexpr bool multiplies = Right::may_read_past_end;
  Index listed = 0;
  for (; k < a.end; ++k) {
    a.move(k);
    if (!a.keeps()) continue;
    RowEntries const b = B.row(a.source());
    Index const* __restrict const from = b.column;
    double const* __restrict const what = b.value;
    double const f = a.factor();
    if (listed + b.count > room) break;
    Index s = 0;
    if (B.is_last(b)) {
      for (; s < b.count; ++s) {
        column[listed + s] = from[s];
        value[listed + s] = multiplies ? f * Right::number(what, s) : what[s];
        factor[listed + s] = f;
      }
    }
    for (; s < b.count; s += block) {
      for (Index l = 0; l < block; ++l) column[listed + s + l] = from[s + l];
      for (Index l = 0; l < block; ++l)
        value[listed + s + l] = multiplies ? f * Right::number(what, s + l) : what[s + l];
      if constexpr (!multiplies) {
        for (Index l = 0; l < block; ++l) factor[listed + s + l] = f;
      }
    }
    listed += b.count;
  }
  return listed;
}

/// The same for all entries, if rows of B are single; no_empty_rows: no row of B is empty. Without branches,
/// which would be mispredicted: the next product overwrites one that is left out.
template <class LeftRow, class Right>
Index list_single_products(LeftRow& a, Right const& B, bool no_empty_rows, Index* __restrict column,
                           double* __restrict value) {
  auto const count = static_cast<Index>(a.end - a.begin);
  if (a.keeps_all && no_empty_rows) {
    for (Index p = 0; p < count; ++p) {
      a.move(a.begin + p);
      column[p] = B.column(a.source());
      value[p] = a.factor() * B.value(a.source());
    }
    return count;
  }
  Index listed = 0;
  for (Offset k = a.begin; k < a.end; ++k) {
    a.move(k);
    Index const c = B.column(a.source());
    column[listed] = c;
    value[listed] = a.factor() * B.value(a.source());
    listed += (c >= 0) & a.keeps() ? 1 : 0;
  }
  return listed;
}

/// Adds listed products to the sums of a row, and lists the row's columns in the order of their first
/// products; returns their number. `count`: columns before. Without branches: whether a column is new would
/// be mispredicted.
template <bool multiplied, class Row>
Index add_products(Index listed, Index const* __restrict list, double const* __restrict value,
                   double const* __restrict factor, Row const row, Index count, Index* __restrict column) {
  for (Index p = 0; p < listed; ++p) {
    auto const c = list[p];
    column[count] = c;
    count += row.add(c, multiplied ? value[p] : factor[p] * value[p]) ? 1 : 0;
  }
  return count;
}

}  // namespace detail

/// One thread's rows.
template <class Left, class Right, class Epilogue>
class MergeWorker {
 public:
  MergeWorker(Left const& A, Right const& B, Epilogue const& epilogue, bool ascending, bool no_empty_rows,
              PackedRows& C)
      : A_(A),
        B_(B),
        epilogue_(epilogue),
        ascending_(ascending),
        no_empty_rows_(no_empty_rows),
        writer_(C, A.entries()),
        sums_(B.columns()) {
    constexpr Index usual = 1024;  // stays in the first cache
    list_.reserve(usual);
    add_room(0, usual);
  }

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if constexpr (!Right::single) {
        if (i + 1 < end) {
          auto next = A_.row(i + 1);
          for (Offset k = next.begin; k < next.end; ++k) {
            next.move(k);
            B_.prefetch(next.source());
          }
        }
      }
      auto a = A_.row(i);

      store(i, add_up(i, a));
    }
  }

 private:
  static constexpr Index few = 8;  ///< row length up to which loops have this constant length

  void add_room(Index count, std::size_t needed) {
    room_ = needed + needed / 2;
    Array<Index, Host> column(Host{}, room_ + lists::block);
    std::fill(column.begin(), column.end(), 0);
    std::copy_n(column_.data(), count, column.data());
    column_ = std::move(column);
    sum_ = Array<double, Host>(Host{}, room_ + lists::block);
    if constexpr (!Epilogue::plain) key_ = Array<Index, Host>(Host{}, room_ + lists::block);
  }
  template <class LeftRow>
  Index add_up(Index i, LeftRow& a) {
    if constexpr (Right::single) {
      auto const most = a.end - a.begin;
      list_.reserve(static_cast<Index>(most));
      auto const listed =
          detail::list_single_products(a, B_, no_empty_rows_, list_.column.data(), list_.value.data());
      return add_listed<true>(i, listed, 0);
    } else {
      Index count = 0;
      for (auto k = a.begin; k < a.end;) {  // nearly always one iteration
        auto const listed = detail::list_products(a, B_, k, list_.room, list_.column.data(),
                                                  list_.value.data(), list_.factor.data());
        count = add_listed<Right::may_read_past_end>(i, listed, count);
        if (k < a.end) list_.reserve(B_.row(a.source()).count);
      }
      return count;
    }
  }
  template <bool multiplied>
  Index add_listed(Index i, Index listed, Index count) {
    auto const needed = static_cast<std::size_t>(count) + static_cast<std::size_t>(listed);
    if (needed > room_) add_room(count, needed);
    return detail::add_products<multiplied>(listed, list_.column.data(), list_.value.data(),
                                            list_.factor.data(), sums_.row(i), count, column_.data());
  }

  void store(Index i, Index count) {
    auto const row = writer_.add(i, count);
    if (count == 0) return;
    if (!ascending_) {
      sums_.take(count, column_.data(), row.value);
      return row.column.set_blocks(column_.data(), count);
    }
    if (count < few) return store_few(i, count, row);
    sums_.take(count, column_.data(), sum_.data());
    Index const* key = column_.data();
    if constexpr (!Epilogue::plain) {
      finish(count, epilogue_.row(i), epilogue_, column_.data(), key_.data(), sum_.data());
      key = key_.data();
    }
    hash::sort_row(count, key, column_.data(), sum_.data(), row.column.data(), row.value, sort_);
  }
  /// Loops of a constant length, whose ends are never mispredicted.
  void store_few(Index i, Index count, PackedWriter::Place const& row) {
    Index const* const column = column_.data();
    alignas(64) Index key[few];
    alignas(64) double sum[few];
    sums_.take(count, column, sum);
    finish(few, epilogue_.row(i), epilogue_, column, key, sum);
    auto const rank = hash::ranks_of<few, true>(count, key);
    for (Index s = 0; s < few; ++s) row.value[rank.of[s]] = sum[s];
    for (Index s = 0; s < few; ++s) row.column.set(rank.of[s], column[s]);
  }
  template <class Row>
  static void finish(Index count, Row const of_row, Epilogue const epilogue, Index const* __restrict column,
                     Index* __restrict key, double* __restrict sum) {
    for (Index s = 0; s < count; ++s) key[s] = epilogue.key(column[s]);
    for (Index s = 0; s < count; ++s) sum[s] = of_row(column[s], sum[s]);
  }

  Left A_;
  Right const& B_;
  Epilogue epilogue_;
  bool ascending_, no_empty_rows_;
  PackedWriter writer_;
  hash::RowSums sums_;
  ProductList list_;
  std::size_t room_ = 0;
  Array<Index, Host> column_, key_;
  Array<double, Host> sum_;
  hash::RowSort sort_;
};

/// The rows of C; columns ascend, or are in the order of their first products.
template <class Left, class Right, class Epilogue>
void merge_rows(Left const& A, Right const& B, Epilogue const& epilogue, bool ascending, PackedRows& C) {
  if (!hash::dense_tables(B.columns())) return merge_block_rows<1>(A, B, epilogue, 1, 1, ascending, C);
  bool no_empty_rows = false;
  if constexpr (Right::single)
    no_empty_rows = core::sum(Host{}, B.size(), [&](Index j) { return B.column(j) < 0 ? 1 : 0; }) == 0;
  for_row_blocks(A.rows(), [&] {
    return MergeWorker<Left, Right, Epilogue>(A, B, epilogue, ascending, no_empty_rows, C);
  });
}

}  // namespace Tessera::sparse
