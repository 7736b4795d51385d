#include <algorithm>
#include <cstddef>

#include "sparse/column_table_host.hpp"
#include "sparse/packed_rows_host.hpp"
#include "sparse/row_blocks_host.hpp"
#include "sparse/row_sort_host.hpp"
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
  /// The length of row i. Nothing is asked for: rows of meshes follow each other here.
  Index ahead(Index i) const { return static_cast<Index>(matrix.offsets[i + 1] - matrix.offsets[i]); }
};

/// One thread's part of a product in one pass: each entry is summed, from zero, where it was first met.
template <class T, class Rows, class Places>
class ProductWorker {
 public:
  ProductWorker(CsrView<T> A, Rows const& B, bool sorted, PackedRows<T>& C)
      : A_(A), B_(B), sorted_(sorted), writer_(C, A.column.size()), places_(B.columns) {}

  void operator()(Index begin, Index end) {
    auto next = ahead(begin);
    for (Index i = begin; i < end; ++i) {
      auto const products = next;
      auto const most = std::min<Offset>(products, B_.columns);
      if (i + 1 < end) next = ahead(i + 1);
      if (static_cast<std::size_t>(products) >= room_) add_room(products);
      places_.start(i, most);
      auto const count = multiply(i);
      places_.finish(count);
      store(i, count);
    }
  }

 private:
  /// How many products row i takes; its rows of B come into the cache while the row before is worked on.
  Offset ahead(Index i) const {
    Offset products = 0;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) products += B_.ahead(A_.column[k]);
    return products;
  }
  /// More than the slacks of all copies.
  void add_room(Offset products) {
    room_ = static_cast<std::size_t>(products) + products / 2 + 64;  // more than the slack of a copy
    auto const most = std::min(room_, static_cast<std::size_t>(B_.columns) + 64);
    column_ = Array<Index, Host>(Host{}, most);
    value_ = Array<T, Host>(Host{}, most);
  }
  /// Without branches: whether a column is new cannot be foreseen.
  Index multiply(Index i) {
    Index* const column = column_.data();
    T* const value = value_.data();
    auto& places = places_;
    Index count = 0;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
      auto const a = A_.value[k];
      RowEntries<T> const b = B_[A_.column[k]];
      for (Index l = 0; l < b.count; ++l) {
        auto const c = b.column[l];
        auto const place = places.place(c, count);
        column[place] = c;
        value[place] = sum_so_far(value[place], place, count) + a * b.value[l];
        count += place == count ? 1 : 0;
      }
    }
    return count;
  }
  void store(Index i, Index count) {
    auto const row = writer_.add(i, count);
    if (sorted_) {
      sort_row(count, column_.data(), value_.data(), row.column, row.value, sort_);
    } else {
      copy_in_blocks(value_.data(), count, row.value);
      copy_in_blocks(column_.data(), count, row.column);
    }
  }

  /// Rows are too short for the library's copy; what is too much is written over.
  template <class Element>
  static void copy_in_blocks(Element const* from, Index count, Element* to) {
    constexpr Index block = PackedWriter<T>::slack;
    for (Index s = 0; s < count; s += block) std::copy_n(from + s, block, to + s);
  }

  CsrView<T> A_;
  Rows const& B_;
  bool sorted_;
  PackedWriter<T> writer_;
  Places places_;
  std::size_t room_ = 0;
  Array<Index, Host> column_;
  Array<T, Host> value_;
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
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, DensePlaces>(A, B, sorted, C); });
  } else {
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, HashedPlaces>(A, B, sorted, C); });
  }
}

}  // namespace

template <class T>
Csr<T, Host> product(Host const& space, CsrView<T> A, CsrView<T> B) {
  PackedRows<T> C;
  multiply(A, CsrRows<T>{B, B.columns}, true, C);
  return to_csr(space, C);
}

/// The sums of R (A B) run over rows of A B, in which the order of the columns does not matter: so A B is
/// neither sorted nor brought together, and a refresh makes it anew, which costs no more than its values
/// alone would in a pattern that is kept.
template <class T>
ChainProduct<T, Host> chain(Host const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B,
                            bool /*keep_inner*/) {
  PackedRows<T> C;
  {
    PackedRows<T> AB;
    multiply(A, CsrRows<T>{B, B.columns}, false, AB);
    multiply(R, AB, true, C);
  }
  return {to_csr(space, C), {}};
}

template <class T>
void refresh_chain(Host const&, CsrView<T> R, CsrView<T> A, CsrView<T> B, Csr<T, Host>& /*inner*/,
                   Csr<T, Host>& C) {
  PackedRows<T> AB;
  multiply(A, CsrRows<T>{B, B.columns}, false, AB);
  if (dense_tables(B.columns)) {
    for_row_blocks(R.rows, [&] { return RefreshWorker<T, PackedRows<T>, DenseSums<T>>(R, AB, C); });
  } else {
    for_row_blocks(R.rows, [&] { return RefreshWorker<T, PackedRows<T>, HashedSums<T>>(R, AB, C); });
  }
}

#define TESSERA_INSTANTIATE(T)                                                                 \
  template Csr<T, Host> product(Host const&, CsrView<T>, CsrView<T>);                          \
  template ChainProduct<T, Host> chain(Host const&, CsrView<T>, CsrView<T>, CsrView<T>, bool); \
  template void refresh_chain(Host const&, CsrView<T>, CsrView<T>, CsrView<T>, Csr<T, Host>&, Csr<T, Host>&);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse::hash
