#include "sparse/spgemm_hash_host.hpp"

#include <algorithm>
#include <mutex>
#include <vector>

#include "sparse/column_table_host.hpp"
#include "sparse/row_blocks_host.hpp"
#include "sparse/spgemm_body.hpp"

namespace Tessera::sparse::hash {
namespace {

/// Columns of consecutive rows from first_row on, as one thread found them.
struct Piece {
  Index first_row;
  Index const* column;
};

/// What the threads leave for the assembly of the pattern.
struct Found {
  std::mutex mutex;
  std::vector<Piece> pieces;
  std::vector<Array<Index, Host>> chunks;
};

/// One thread's part of the symbolic phase: columns go one after the other into chunks.
template <class T, class Columns>
class SymbolicWorker {
 public:
  SymbolicWorker(CsrView<T> A, CsrView<T> B, Offset* counts, Found& found)
      : A_(A), B_(B), counts_(counts), found_(found), columns_(B.columns) {}

  void operator()(Index begin, Index end) {
    bool new_piece = true;
    for (Index i = begin; i < end; ++i) {
      Offset most = 0;
      for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
        most += B_.offsets[A_.column[k] + 1] - B_.offsets[A_.column[k]];
      }
      most = std::min<Offset>(most, B_.columns);
      if (free_ < most) {
        add_chunk(most);
        new_piece = true;
      }
      if (new_piece) add_piece(i);
      new_piece = false;
      counts_[i] = collect(i, most);
    }
  }

 private:
  void add_chunk(Offset least) {
    constexpr Offset usual = Offset{1} << 16;
    free_ = std::max(usual, least);
    Array<Index, Host> chunk(Host{}, free_);
    next_ = chunk.data();
    std::lock_guard lock(found_.mutex);
    found_.chunks.push_back(std::move(chunk));
  }
  void add_piece(Index first_row) {
    std::lock_guard lock(found_.mutex);
    found_.pieces.push_back({first_row, next_});
  }
  Offset collect(Index i, Offset most) {
    columns_.start(i, most);
    Index* end = next_;
    for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
      for (Offset l = B_.offsets[A_.column[k]]; l < B_.offsets[A_.column[k] + 1]; ++l) {
        auto const c = B_.column[l];
        if (columns_.insert(c)) *end++ = c;
      }
    }
    sort_few(next_, end);
    auto const count = end - next_;
    next_ = end;
    free_ -= count;
    return count;
  }

  CsrView<T> A_, B_;
  Offset* counts_;
  Found& found_;
  Columns columns_;
  Index* next_ = nullptr;
  Offset free_ = 0;
};

template <class T, class Sums>
class NumericWorker {
 public:
  NumericWorker(CsrView<T> A, CsrView<T> B, Csr<T, Host>& C) : A_(A), B_(B), C_(C), sums_(B.columns) {}

  void operator()(Index begin, Index end) {
    for (Index i = begin; i < end; ++i) {
      auto const first = C_.offsets[i], count = C_.offsets[i + 1] - first;
      Index const* const column = C_.column.data() + first;
      T* const value = C_.value.data() + first;
      sums_.start(i, column, count);
      for (Offset k = A_.offsets[i]; k < A_.offsets[i + 1]; ++k) {
        auto const a = A_.value[k];
        for (Offset l = B_.offsets[A_.column[k]]; l < B_.offsets[A_.column[k] + 1]; ++l) {
          sums_[B_.column[l]] += a * B_.value[l];
        }
      }
      for (Offset k = 0; k < count; ++k) value[k] = sums_[column[k]];
    }
  }

 private:
  CsrView<T> A_, B_;
  Csr<T, Host>& C_;
  Sums sums_;
};

}  // namespace

template <class T>
Csr<T, Host> symbolic(Host const& space, CsrView<T> A, CsrView<T> B) {
  Array<Offset, Host> offsets(space, static_cast<std::size_t>(A.rows) + 1);
  Found found;
  if (dense_tables(B.columns)) {
    for_row_blocks(A.rows, [&] { return SymbolicWorker<T, DenseColumns>(A, B, offsets.data(), found); });
  } else {
    for_row_blocks(A.rows, [&] { return SymbolicWorker<T, HashedColumns>(A, B, offsets.data(), found); });
  }
  auto const nonzeros = core::exclusive_scan(space, offsets.span().part(0, A.rows), offsets.span());
  auto& pieces = found.pieces;
  std::sort(pieces.begin(), pieces.end(),
            [](auto const& a, auto const& b) { return a.first_row < b.first_row; });
  Array<Index, Host> column(space, static_cast<std::size_t>(nonzeros));
  core::for_each_heavy(space, pieces.size(), [&](Index p) {
    auto const begin = offsets[pieces[p].first_row];
    auto const last = static_cast<std::size_t>(p) + 1 == pieces.size();
    auto const end = offsets[last ? A.rows : pieces[p + 1].first_row];
    std::copy_n(pieces[p].column, end - begin, column.data() + begin);
  });
  found.chunks.clear();
  return {A.rows, B.columns, std::move(offsets), std::move(column),
          Array<T, Host>(space, static_cast<std::size_t>(nonzeros))};
}

template <class T>
void numeric(Host const&, CsrView<T> A, CsrView<T> B, Csr<T, Host>& C) {
  if (dense_tables(B.columns)) {
    for_row_blocks(A.rows, [&] { return NumericWorker<T, DenseSums<T>>(A, B, C); });
  } else {
    for_row_blocks(A.rows, [&] { return NumericWorker<T, HashedSums<T>>(A, B, C); });
  }
}

template Csr<double, Host> symbolic(Host const&, CsrView<double>, CsrView<double>);
template Csr<float, Host> symbolic(Host const&, CsrView<float>, CsrView<float>);
template void numeric(Host const&, CsrView<double>, CsrView<double>, Csr<double, Host>&);
template void numeric(Host const&, CsrView<float>, CsrView<float>, Csr<float, Host>&);

}  // namespace Tessera::sparse::hash
