#pragma once
/// \file
/// Products of a matrix' rows as the `before` of a reduction (core/reduce_into.hpp): what the reduction reads
/// of x and A x is still in a cache.
#include <cmath>

#include "core/fixed_tree.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::krylov {

template <class T, class X, class Epilogue>
struct CsrBlock {
  sparse::CsrView<T> A;
  X x;
  Epilogue epilogue;
#if defined(__CUDACC__)
  __device__ void operator()(Index i) const {
    epilogue(i, sparse::detail::row_sum<8>(A, i, x));
  }
#endif
  void range(Index begin, Index end) const {
    sparse::detail::csr_rows(A, nullptr, x, epilogue, begin, end);
  }
};

/// Slots in the order of rows (SellView::in_order), chunks of 32.
template <class T, class X, class Epilogue>
struct SellBlock {
  static constexpr int chunk = 32;
  sparse::SellView<T> A;
  X x;
  Epilogue epilogue;
#if defined(__CUDACC__)
  __device__ void operator()(Index i) const {
    constexpr int batch = sparse::SellProductShape::batch;
    auto const from = A.offsets[i / chunk];
    auto left = static_cast<int>(A.offsets[i / chunk + 1] - from) / chunk;
    T const* value = A.value.data() + from + i % chunk;
    Index const* column = A.column.data() + from + i % chunk;
    decltype(T{} * x(Index{})) sum = 0;
    auto const add = [&sum](int, auto term) { sum += term; };
    for (; left >= batch; left -= batch) {
      sparse::detail::terms<batch>(value, column, x, add);
      value += batch * chunk;
      column += batch * chunk;
    }
    sparse::detail::terms_up_to<batch - 1>(left, value, column, x, add);
    epilogue(i, sum);
  }
#endif
  void range(Index begin, Index end) const {
    sparse::detail::sell_chunks<chunk>(A, x, epilogue, begin / chunk, (end + chunk - 1) / chunk);
  }
};

/// Entries a row of CSR up to which a thread a row is as good as any way on a GPU.
inline double longest_csr_row(Host const&) {
  return HUGE_VAL;
}
inline double longest_csr_row(Cuda const&) {
  return 8;
}

/// Whether a block of the fixed tree is the rows of some whole chunks, and multiplying it here no loss.
template <class Space, class T>
bool has_blocks(Space const& space, sparse::CsrView<T> const& A) {
  return static_cast<double>(A.column.size()) <= longest_csr_row(space) * A.rows || A.rows == 0;
}
template <class Space, class T>
bool has_blocks(Space const&, sparse::SellView<T> const& A) {
  return A.in_order() && A.chunk == SellBlock<T, sparse::OneVector<T>, sparse::StoreProduct<T>>::chunk;
}

template <class T, class X, class Epilogue>
CsrBlock<T, X, Epilogue> row_block(sparse::CsrView<T> A, X x, Epilogue epilogue) {
  return {A, x, epilogue};
}
template <class T, class X, class Epilogue>
SellBlock<T, X, Epilogue> row_block(sparse::SellView<T> A, X x, Epilogue epilogue) {
  return {A, x, epilogue};
}

}  // namespace Tessera::krylov
