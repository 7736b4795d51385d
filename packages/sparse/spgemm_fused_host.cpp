#include <algorithm>
#include <atomic>
#include <cstddef>

#include "sparse/column_table_host.hpp"
#include "sparse/outer_product_host.hpp"
#include "sparse/packed_rows_host.hpp"
#include "sparse/product_lists_host.hpp"
#include "sparse/row_blocks_host.hpp"
#include "sparse/row_sort_host.hpp"
#include "sparse/row_sums_host.hpp"
#include "sparse/spgemm_hash_host.hpp"

namespace Tessera::sparse::hash {
namespace {

template <class T>
struct CsrRows {
  CsrView<T> matrix;
  Index columns;
  RowEntries<T> operator[](Index i) const {
    auto const first = matrix.offsets[i];
    return {matrix.column.data() + first, matrix.value.data() + first,
            static_cast<Index>(matrix.offsets[i + 1] - first)};
  }
  static constexpr bool numbers_behind = true;
  bool is_last(RowEntries<T> const& row) const {
    return matrix.column.end() - (row.column + row.count) < PackedWriter<T>::slack;
  }
  /// Nothing is asked for: rows of meshes follow each other here.
  void ahead(Index) const {}
};

/// Lists the products of A's entries from k to end with rows of B, as many rows as there is room for, and
/// returns how many products: value times factor. In blocks, since nobody foresees whether a row ends after
/// three entries or four: up to a block more is read and written.
template <class T, class Rows>
Index list_products(CsrView<T> A, Rows const& B, Offset& k, Offset end, Index room, Index* __restrict column,
                    T* __restrict value, T* __restrict factor) {
  Index const* __restrict const row = A.column.data();
  T const* __restrict const entry = A.value.data();
  Index listed = 0;
  for (; k < end; ++k) {
    RowEntries<T> const b = B[row[k]];
    Index const* __restrict const from = b.column;
    T const* __restrict const what = b.value;
    T const a = entry[k];
    if (listed + b.count > room) break;
    Index s = 0;
    if (B.is_last(b)) {
      for (; s < b.count; ++s) {
        column[listed + s] = from[s];
        value[listed + s] = Rows::numbers_behind ? a * what[s] : what[s];
        factor[listed + s] = a;
      }
    }
    for (; s < b.count; s += lists::block) {
      for (Index l = 0; l < lists::block; ++l) column[listed + s + l] = from[s + l];
      for (Index l = 0; l < lists::block; ++l)
        value[listed + s + l] = Rows::numbers_behind ? a * what[s + l] : what[s + l];
      if constexpr (!Rows::numbers_behind) {
        for (Index l = 0; l < lists::block; ++l) factor[listed + s + l] = a;
      }
    }
    listed += b.count;
  }
  return listed;
}

/// One thread's part of a product in one pass: a row's products are listed, then each column is summed, from
/// zero.
template <class T, class Rows, class Sums>
class ProductWorker {
 public:
  ProductWorker(CsrView<T> A, Rows const& B, bool sorted, PackedRows<T>& C)
      : A_(A), B_(B), sorted_(sorted), writer_(C, A.column.size()), sums_(B.columns) {
    constexpr Index few = 1024;  // stay in the first cache
    set_list_room(few);
    add_room(0, few);
  }

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (i + 1 < end) {
        for (Offset k = A_.offsets[i + 1]; k < A_.offsets[i + 2]; ++k) B_.ahead(A_.column[k]);
      }
      if constexpr (Sums::wants_size) sums_.start(i, std::min<Offset>(products(i), B_.columns));
      store(i, multiply(i));
    }
  }

 private:
  Offset products(Index i) const {
    Offset sum = 0;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) sum += B_[A_.column[k]].count;
    return sum;
  }
  void set_list_room(Index room) {
    list_room_ = room;
    list_ = Array<Index, Host>(Host{}, static_cast<std::size_t>(room) + lists::block);
    listed_ = Array<T, Host>(Host{}, static_cast<std::size_t>(room) + lists::block);
    factor_ = Array<T, Host>(Host{}, static_cast<std::size_t>(room) + lists::block);
  }
  void add_room(Index count, std::size_t needed) {
    room_ = needed + needed / 2;
    Array<Index, Host> column(Host{}, room_ + lists::block);
    std::fill(column.begin(), column.end(), 0);
    std::copy_n(column_.data(), count, column.data());
    column_ = std::move(column);
    sum_ = Array<T, Host>(Host{}, room_ + lists::block);
  }
  Index multiply(Index i) {
    Index count = 0;
    auto k = A_.offsets[i];
    auto const end = A_.offsets[i + 1];
    while (k < end) {  // nearly always once
      auto const listed =
          list_products(A_, B_, k, end, list_room_, list_.data(), listed_.data(), factor_.data());
      auto const needed = static_cast<std::size_t>(count) + static_cast<std::size_t>(listed);
      if (needed > room_) add_room(count, needed);
      count = add_products<Rows::numbers_behind>(listed, list_.data(), listed_.data(), factor_.data(),
                                                 sums_.row(i), count, column_.data());
      if (k < end && B_[A_.column[k]].count > list_room_) set_list_room(B_[A_.column[k]].count);
    }
    return count;
  }
  void store(Index i, Index count) {
    auto const row = writer_.add(i, count);
    if (sorted_) {
      sums_.take(count, column_.data(), sum_.data());
      sort_row(count, column_.data(), column_.data(), sum_.data(), row.column, row.value, sort_);
    } else {
      sums_.take(count, column_.data(), row.value);
      lists::copy(column_.data(), count, row.column);
    }
  }

  CsrView<T> A_;
  Rows const& B_;
  bool sorted_;
  PackedWriter<T> writer_;
  Sums sums_;
  Index list_room_ = 0;
  Array<Index, Host> list_;
  Array<T, Host> listed_, factor_;
  std::size_t room_ = 0;
  Array<Index, Host> column_;
  Array<T, Host> sum_;
  RowSort sort_;
};

/// Sums into a pattern that is there.
template <class T, class Rows, class Sums>
class RefreshWorker {
 public:
  RefreshWorker(CsrView<T> A, Rows const& B, Csr<T, Host>& C) : A_(A), B_(B), C_(C), sums_(B.columns) {}

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      if (i + 1 < end) {
        for (Offset k = A_.offsets[i + 1]; k < A_.offsets[i + 2]; ++k) B_.ahead(A_.column[k]);
      }
      auto const first = C_.offsets[i], count = C_.offsets[i + 1] - first;
      Index const* const column = C_.column.data() + first;
      T* const value = C_.value.data() + first;
      sums_.start(i, column, count);
      for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
        auto const a = A_.value[k];
        RowEntries<T> const b = B_[A_.column[k]];
        for (Index l = 0; l < b.count; ++l) sums_[b.column[l]] += a * b.value[l];
      }
      for (Offset k = 0; k < count; ++k) value[k] = sums_[column[k]];
    }
  }

 private:
  CsrView<T> A_;
  Rows const& B_;
  Csr<T, Host>& C_;
  Sums sums_;
};

template <class T, class Rows>
void multiply(CsrView<T> A, Rows const& B, bool sorted, PackedRows<T>& C) {
  C.reset(A.rows, B.columns);
  if (dense_tables(B.columns)) {
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, DenseRowSums<T>>(A, B, sorted, C); });
  } else {
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, HashedRowSums<T>>(A, B, sorted, C); });
  }
}

}  // namespace

template <class T>
Csr<T, Host> product(Host const& space, CsrView<T> A, CsrView<T> B) {
  PackedRows<T> C;
  multiply(A, CsrRows<T>{B, B.columns}, true, C);
  return to_csr(space, C);
}

namespace {

template <class T>
void find_places(Host const& space, CsrView<T> P, Transposed<T, Host> const& R, CsrView<T> A, CsrView<T> B,
                 CsrView<T> C, ChainPlan<T, Host>& plan) {
  plan.places = outer::places(space, P, R, A, B, C);
  plan.decided = true;
}

}  // namespace

/// The sums of R (A B) run over rows of A B, in which the order of the columns does not matter: so A B is
/// neither sorted nor brought together; a refresh that cannot go without it makes it anew, which costs no
/// more than its values alone would in a pattern that is kept.
template <class T>
ChainProduct<T, Host> chain(Host const& space, CsrView<T> P, Transposed<T, Host> const& R, CsrView<T> A,
                            CsrView<T> B, RefreshPreparation preparation) {
  auto const matrix = R.matrix.view();
  ChainProduct<T, Host> result;
  {
    PackedRows<T> C;
    {
      PackedRows<T> AB;
      multiply(A, CsrRows<T>{B, B.columns}, false, AB);
      multiply(matrix, AB, true, C);
    }
    result.product = to_csr(space, C);
  }
  if (preparation == RefreshPreparation::all && !outer::parts(matrix).empty())
    find_places(space, P, R, A, B, result.product.view(), result.plan);
  return result;
}

template <class T>
void refresh_chain(Host const& space, CsrView<T> P, Transposed<T, Host>& R, CsrView<T> A, CsrView<T> B,
                   ChainPlan<T, Host>& plan, Csr<T, Host>& C) {
  refresh_transpose(space, P, R);
  auto const matrix = R.matrix.view();
  auto const parts = outer::parts(matrix);
  if (!parts.empty() && !plan.decided) find_places(space, P, R, A, B, C.view(), plan);
  if (!parts.empty() && !plan.places.empty()) return outer::multiply(parts, P, A, B, plan.places, C);
  PackedRows<T> AB;
  multiply(A, CsrRows<T>{B, B.columns}, false, AB);
  if (dense_tables(B.columns)) {
    for_row_blocks(R.matrix.rows,
                   [&] { return RefreshWorker<T, PackedRows<T>, DenseSums<T>>(matrix, AB, C); });
  } else {
    for_row_blocks(R.matrix.rows,
                   [&] { return RefreshWorker<T, PackedRows<T>, HashedSums<T>>(matrix, AB, C); });
  }
}

#define TESSERA_INSTANTIATE(T)                                                                          \
  template Csr<T, Host> product(Host const&, CsrView<T>, CsrView<T>);                                   \
  template ChainProduct<T, Host> chain(Host const&, CsrView<T>, Transposed<T, Host> const&, CsrView<T>, \
                                       CsrView<T>, RefreshPreparation);                                 \
  template void refresh_chain(Host const&, CsrView<T>, Transposed<T, Host>&, CsrView<T>, CsrView<T>,    \
                              ChainPlan<T, Host>&, Csr<T, Host>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse::hash
