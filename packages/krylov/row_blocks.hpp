#pragma once
/// \file
/// Products of a matrix' rows as the `before` of a reduction (core/reduce_into.hpp): what the reduction reads
/// of x and A x is still in a cache.
#include "core/fixed_tree.hpp"
#include "sparse/row_products.hpp"

namespace Tessera::krylov {

template <class T, class X, class Epilogue>
struct CsrBlock {
  sparse::CsrView<T> A;
  X x;
  Epilogue epilogue;
  TESSERA_HD void operator()(Index i) const {
    decltype(T{} * x(Index{})) sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += A.value[k] * x(A.column[k]);
    epilogue(i, sum);
  }
  void range(Index begin, Index end) const { sparse::detail::csr_rows(A, nullptr, x, epilogue, begin, end); }
};

/// Slots in the order of rows (SellView::in_order), chunks of 32.
template <class T, class X, class Epilogue>
struct SellBlock {
  static constexpr int chunk = 32;
  sparse::SellView<T> A;
  X x;
  Epilogue epilogue;
  TESSERA_HD void operator()(Index i) const {
    auto const c = i / chunk;
    decltype(T{} * x(Index{})) sum = 0;
    auto const end = A.offsets[c + 1];
    for (Offset k = A.offsets[c] + i % chunk; k < end; k += chunk) sum += A.value[k] * x(A.column[k]);
    epilogue(i, sum);
  }
  void range(Index begin, Index end) const {
    sparse::detail::sell_chunks<chunk>(A, x, epilogue, begin / chunk, (end + chunk - 1) / chunk);
  }
};

/// Whether a block of the fixed tree is the rows of some whole chunks.
template <class T>
bool has_blocks(sparse::CsrView<T> const&) {
  return true;
}
template <class T>
bool has_blocks(sparse::SellView<T> const& A) {
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
