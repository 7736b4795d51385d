#pragma once
/// \file
/// Row products on CUDA, one thread a row; see row_products.hpp.
#include "core/parallel.hpp"
#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

template <class T, class X, class Epilogue>
struct CsrRowProductBody {
  CsrView<T> A;
  Index const* list;  ///< null: all rows
  X x;
  Epilogue epilogue;
  TESSERA_HD void operator()(Index p) const {
    auto const i = list == nullptr ? p : list[p];
    decltype(T{} * x(Index{})) sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += A.value[k] * x(A.column[k]);
    epilogue(i, sum);
  }
};

/// A warp's lanes are the rows of a chunk (of 32), so that its loads are consecutive.
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
  core::for_each(space, A.rows, CsrRowProductBody<T, X, Epilogue>{A, nullptr, x, epilogue});
}

template <class T, class X, class Epilogue>
void for_each_row_product(Cuda const& space, CsrView<T> A, Span<Index const> list, X x, Epilogue epilogue) {
  core::for_each(space, list.size(), CsrRowProductBody<T, X, Epilogue>{A, list.data(), x, epilogue});
}

template <class T, class X, class Epilogue>
void for_each_row_product(Cuda const& space, SellView<T> A, X x, Epilogue epilogue) {
  core::for_each(space, A.row.size(), SellRowProductBody<T, X, Epilogue>{A, x, epilogue});
}

}  // namespace Tessera::sparse
