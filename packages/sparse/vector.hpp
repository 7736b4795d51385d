#pragma once
/// \file
/// The few vector operations that no row product swallows. T: double or float.
#include <type_traits>

#include "core/array.hpp"

namespace Tessera::sparse {

/// y = alpha x + beta y; beta = 0 does not read y (so NaNs in it are forgotten). x may be y.
template <class T, class Space>
void axpby(Space const& space, std::common_type_t<T> alpha, Span<T const> x, std::common_type_t<T> beta,
           Span<T> y);

/// y = alpha x, from one type to another (rounded to nearest; the product is taken in double when either is).
template <class From, class To, class Space>
void scaled_copy(Space const& space, double alpha, Span<From const> x, Span<To> y);

/// z_i = x_i y_i; z may be x or y.
template <class T, class Space>
void multiply_elements(Space const& space, Span<T const> x, Span<T const> y, Span<T> z);

/// sum_i x_i y_i of this rank, accumulated in double in core's fixed tree.
template <class T, class Space>
double dot(Space const& space, Span<T const> x, Span<T const> y);

}  // namespace Tessera::sparse
