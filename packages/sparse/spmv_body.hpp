#pragma once
/// \file
/// Plain products as row products.
#include "core/error.hpp"
#include "sparse/row_products.hpp"
#include "sparse/spmv.hpp"

namespace Tessera::sparse {

template <class T, class Space>
void spmv(Space const& space, CsrView<T> A, Span<std::common_type_t<T> const> x,
          Span<std::common_type_t<T>> y) {
  TESSERA_EXPECT(x.size() >= static_cast<std::size_t>(A.columns) &&
                 y.size() >= static_cast<std::size_t>(A.rows));
  for_each_row_product(space, A, OneVector<T>{x.data()}, StoreProduct<T>{y.data()});
}

template <class T, class Space>
void spmv(Space const& space, SellView<T> A, Span<std::common_type_t<T> const> x,
          Span<std::common_type_t<T>> y) {
  TESSERA_EXPECT(x.size() >= static_cast<std::size_t>(A.columns) &&
                 y.size() >= static_cast<std::size_t>(A.rows));
  for_each_row_product(space, A, OneVector<T>{x.data()}, StoreProduct<T>{y.data()});
}

template <class T, class Space>
void residual(Space const& space, CsrView<T> A, Span<std::common_type_t<T> const> x,
              Span<std::common_type_t<T> const> b, Span<std::common_type_t<T>> r) {
  for_each_row_product(space, A, OneVector<T>{x.data()}, StoreResidual<T>{b.data(), r.data()});
}

template <class T, class Space>
void residual(Space const& space, SellView<T> A, Span<std::common_type_t<T> const> x,
              Span<std::common_type_t<T> const> b, Span<std::common_type_t<T>> r) {
  for_each_row_product(space, A, OneVector<T>{x.data()}, StoreResidual<T>{b.data(), r.data()});
}

}  // namespace Tessera::sparse
