#pragma once
/// \file
/// Row products on CUDA; see row_products.hpp.
#include "core/parallel.hpp"
#include "sparse/csr_product_cuda.cuh"
#include "sparse/sell_product_cuda.cuh"

namespace Tessera::sparse {

/// Chunks of any size, one thread a row.
template <class T, class X, class Epilogue>
struct SellRowProductBody {
  SellView<T> A;
  X x;
  Epilogue epilogue;
  TESSERA_HD void operator()(Index slot) const {
    auto const c = slot / A.chunk;
    decltype(T{} * x(Index{})) sum = 0;
    auto const end = A.offsets[c + 1];
    for (Offset k = A.offsets[c] + slot % A.chunk; k < end; k += A.chunk) sum += A.value[k] * x(A.column[k]);
    auto const i = A.in_order() ? slot : A.row[slot];
    if (i >= 0 && i < A.rows) epilogue(i, sum);
  }
};

template <class T, class X, class Epilogue>
void for_each_row_product(Cuda const& space, CsrView<T> A, X x, Epilogue epilogue) {
  detail::csr_product(space, A, nullptr, A.rows, x, epilogue);
}

template <class T, class X, class Epilogue>
void for_each_row_product(Cuda const& space, CsrView<T> A, Span<Index const> list, X x, Epilogue epilogue) {
  detail::csr_product(space, A, list.data(), list.size(), x, epilogue);
}

template <class T, class X, class Epilogue>
void for_each_row_product(Cuda const& space, SellView<T> A, X x, Epilogue epilogue) {
  if (A.chunk == SellProductShape::chunk) return detail::sell_product(space, A, x, epilogue);
  core::for_each(space, A.row.size(), SellRowProductBody<T, X, Epilogue>{A, x, epilogue});
}

}  // namespace Tessera::sparse
