#pragma once
/// \file
/// Matrix times vector. Fused forms are written with row_products.hpp.
#include <type_traits>

#include "sparse/csr.hpp"
#include "sparse/sell.hpp"

namespace Tessera::sparse {

/// y_i = (A x)_i for the rows that A stores. x: columns, y: rows; x and y do not overlap.
template <class T, class Space>
void spmv(Space const& space, CsrView<T> A, Span<std::common_type_t<T> const> x,
          Span<std::common_type_t<T>> y);
template <class T, class Space>
void spmv(Space const& space, SellView<T> A, Span<std::common_type_t<T> const> x,
          Span<std::common_type_t<T>> y);

/// r_i = b_i - (A x)_i for the rows that A stores; r may be b.
template <class T, class Space>
void residual(Space const& space, CsrView<T> A, Span<std::common_type_t<T> const> x,
              Span<std::common_type_t<T> const> b, Span<std::common_type_t<T>> r);
template <class T, class Space>
void residual(Space const& space, SellView<T> A, Span<std::common_type_t<T> const> x,
              Span<std::common_type_t<T> const> b, Span<std::common_type_t<T>> r);

}  // namespace Tessera::sparse
