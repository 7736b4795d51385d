#include <algorithm>
#include <mutex>
#include <vector>

#include "sparse/column_table_host.hpp"
#include "sparse/row_blocks_host.hpp"
#include "sparse/spgemm_hash_host.hpp"

namespace Tessera::sparse::hash {
namespace {

/// A row that lies somewhere.
template <class T>
struct RowEntries {
  Index const* column;
  T const* value;
  Index count;
};

/// A matrix whose rows lie in the chunks of the threads that made them.
template <class T>
struct ChunkedRows {
  Index columns = 0;
  Array<RowEntries<T>, Host> rows;
  std::mutex mutex;
  std::vector<Array<Index, Host>> column_chunks;
  std::vector<Array<T, Host>> value_chunks;

  RowEntries<T> const& operator[](Index i) const { return rows[i]; }
};

template <class T>
struct CsrRows {
  CsrView<T> matrix;
  Index columns;
  RowEntries<T> operator[](Index i) const {
    auto const first = matrix.offsets[i];
    return {matrix.column.data() + first, matrix.value.data() + first,
            static_cast<Index>(matrix.offsets[i + 1] - first)};
  }
};

/// One thread's part of a product in one pass: each entry is summed, from zero, where it was first met.
template <class T, class Rows, class Places>
class ProductWorker {
 public:
  ProductWorker(CsrView<T> A, Rows const& B, bool sorted, ChunkedRows<T>& C)
      : A_(A), B_(B), sorted_(sorted), C_(C), places_(B.columns) {}

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      Offset most = 0;
      for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) most += B_[A_.column[k]].count;
      most = std::min<Offset>(most, B_.columns);
      if (free_ < most) add_chunk(most);
      places_.start(i, most);
      auto const count = multiply(i);
      if (sorted_) sort(count);
      C_.rows[i] = {column_, value_, count};
      column_ += count;
      value_ += count;
      free_ -= count;
    }
  }

 private:
  void add_chunk(Offset least) {
    // Big enough for huge pages with big matrices.
    auto const share = static_cast<Offset>(A_.column.size()) / (4 * omp_get_max_threads());
    free_ = std::max(std::clamp(share, Offset{1} << 12, Offset{1} << 20), least);
    Array<Index, Host> columns(Host{}, free_);
    Array<T, Host> values(Host{}, free_);
    column_ = columns.data();
    value_ = values.data();
    std::lock_guard lock(C_.mutex);
    C_.column_chunks.push_back(std::move(columns));
    C_.value_chunks.push_back(std::move(values));
  }
  Index multiply(Index i) {
    Index* const column = column_;
    T* const value = value_;
    Index count = 0;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
      auto const a = A_.value[k];
      RowEntries<T> const b = B_[A_.column[k]];
      for (Index l = 0; l < b.count; ++l) {
        auto const place = places_.place(b.column[l], count);
        if (place == count) {
          column[count] = b.column[l];
          value[count++] = T{0};
        }
        value[place] += a * b.value[l];
      }
    }
    return count;
  }
  void sort(Index count) {
    if (sums_.size() < static_cast<std::size_t>(count)) {
      sums_ = Array<T, Host>(Host{}, 2 * static_cast<std::size_t>(count));
    }
    std::copy_n(value_, count, sums_.data());
    sort_few(column_, column_ + count);
    for (Index k = 0; k < count; ++k) value_[k] = sums_[places_.place(column_[k], count)];
  }

  CsrView<T> A_;
  Rows const& B_;
  bool sorted_;
  ChunkedRows<T>& C_;
  Places places_;
  Array<T, Host> sums_;
  Index* column_ = nullptr;
  T* value_ = nullptr;
  Offset free_ = 0;
};

template <class T, class Rows>
void multiply(CsrView<T> A, Rows const& B, bool sorted, ChunkedRows<T>& C) {
  C.columns = B.columns;
  C.rows = Array<RowEntries<T>, Host>(Host{}, A.rows);
  if (dense_tables(B.columns)) {
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, DensePlaces>(A, B, sorted, C); });
  } else {
    for_row_blocks(A.rows, [&] { return ProductWorker<T, Rows, HashedPlaces>(A, B, sorted, C); });
  }
}

/// The columns of the rows, one row after the other; no values.
template <class T>
Csr<T, Host> pattern_of(Host const& space, ChunkedRows<T> const& C) {
  auto const n = static_cast<Index>(C.rows.size());
  Array<Offset, Host> offsets(space, static_cast<std::size_t>(n) + 1);
  core::for_each(space, n, [&](Index i) { offsets[i] = C.rows[i].count; });
  auto const nonzeros = core::exclusive_scan(space, offsets.span().part(0, n), offsets.span());
  Array<Index, Host> column(space, static_cast<std::size_t>(nonzeros));
  core::for_each(
      space, n, [&](Index i) { std::copy_n(C.rows[i].column, C.rows[i].count, column.data() + offsets[i]); });
  return {n, C.columns, std::move(offsets), std::move(column), {}};
}

/// Columns are given back before the values are copied, so that less is held twice.
template <class T>
Csr<T, Host> moved(Host const& space, ChunkedRows<T>& rows) {
  auto C = pattern_of(space, rows);
  rows.column_chunks.clear();
  C.value = Array<T, Host>(space, C.column.size());
  core::for_each(space, C.rows, [&](Index i) {
    std::copy_n(rows.rows[i].value, rows.rows[i].count, C.value.data() + C.offsets[i]);
  });
  return C;
}

}  // namespace

template <class T>
Csr<T, Host> product(Host const& space, CsrView<T> A, CsrView<T> B) {
  ChunkedRows<T> C;
  multiply(A, CsrRows<T>{B, B.columns}, true, C);
  return moved(space, C);
}

/// The sums of R (A B) run over rows of A B, in which the order of the columns does not matter: so A B is
/// neither sorted nor brought together.
template <class T>
ChainProduct<T, Host> chain(Host const& space, CsrView<T> R, CsrView<T> A, CsrView<T> B, bool keep_inner) {
  ChainProduct<T, Host> result;
  ChunkedRows<T> C;
  {
    ChunkedRows<T> AB;
    multiply(A, CsrRows<T>{B, B.columns}, false, AB);
    multiply(R, AB, true, C);
    AB.value_chunks.clear();
    if (keep_inner) result.inner = pattern_of(space, AB);
  }
  result.product = moved(space, C);
  return result;
}

#define TESSERA_INSTANTIATE(T)                                        \
  template Csr<T, Host> product(Host const&, CsrView<T>, CsrView<T>); \
  template ChainProduct<T, Host> chain(Host const&, CsrView<T>, CsrView<T>, CsrView<T>, bool);
TESSERA_INSTANTIATE(double)
TESSERA_INSTANTIATE(float)

}  // namespace Tessera::sparse::hash
