#pragma once
/// \file
/// Blocks of vectors: entry i of all columns side by side. To everything that is one pass, such a row is one
/// number, so that passes exist once and an entry of a matrix is read once for all columns. What happens to a
/// column is what happens to a vector, in the same order, so that its bits are those of a vector
/// (docs/decisions/0029). Passes are compiled for 4 and 8 columns.
#include <type_traits>
#include <utility>

#include "core/lanes.hpp"
#include "core/span.hpp"
#include "core/types.hpp"

namespace Tessera::core {

/// One row of a block: entry i of each of k columns.
template <class T, int k>
struct alignas(k * sizeof(T) < 16 ? k * sizeof(T) : 16) Interleaved {
  T column[k];

  Interleaved() = default;
  template <class U>
  explicit TESSERA_HD Interleaved(Interleaved<U, k> const& other) {
    put_lanes<k, T, U>(column, [&](auto const& at) { return at.template of<T>(other.column); });
  }
  TESSERA_HD Interleaved& operator+=(Interleaved const& other);
};

template <class T, int k>
TESSERA_HD Interleaved<T, k> operator+(Interleaved<T, k> const& x, Interleaved<T, k> const& y) {
  Interleaved<T, k> sum;
  put_lanes<k, T, T>(
      sum.column, [&](auto const& at) { return at.template of<T>(x.column) + at.template of<T>(y.column); });
  return sum;
}

template <class T, int k>
TESSERA_HD Interleaved<T, k>& Interleaved<T, k>::operator+=(Interleaved const& other) {
  return *this = *this + other;
}

template <class T, int k>
TESSERA_HD Interleaved<T, k> operator-(Interleaved<T, k> const& x, Interleaved<T, k> const& y) {
  Interleaved<T, k> difference;
  put_lanes<k, T, T>(difference.column, [&](auto const& at) {
    return at.template of<T>(x.column) - at.template of<T>(y.column);
  });
  return difference;
}

template <class S, class T, int k, class = std::enable_if_t<std::is_arithmetic_v<S>>>
TESSERA_HD auto operator*(S a, Interleaved<T, k> const& x) {
  using Product = decltype(S{} * T{});
  Interleaved<Product, k> y;
  auto const factor = static_cast<Product>(a);
  put_lanes<k, Product, T>(y.column,
                           [&](auto const& at) { return factor * at.template of<Product>(x.column); });
  return y;
}

/// What a vector or a block consists of: the type of its numbers, and how many columns it has.
template <class X>
struct RowTraits {
  using Number = X;
  static constexpr int columns = 1;
};
template <class T, int k>
struct RowTraits<Interleaved<T, k>> {
  using Number = T;
  static constexpr int columns = k;
};
template <class X>
struct RowTraits<X const> {
  using Number = typename RowTraits<X>::Number const;
  static constexpr int columns = RowTraits<X>::columns;
};
template <class X>
using NumberOf = typename RowTraits<X>::Number;
template <class X>
inline constexpr int columns_of = RowTraits<X>::columns;

/// As X, with other numbers.
template <class T, class X>
using RowOf = std::conditional_t<columns_of<X> == 1, T, Interleaved<T, columns_of<X>>>;

/// The numbers of a vector or a block, row-major.
template <class X>
Span<NumberOf<X>> numbers(Span<X> x) {
  static_assert(sizeof(X) == sizeof(NumberOf<X>) * columns_of<X>);
  return {reinterpret_cast<NumberOf<X>*>(x.data()), x.size() * columns_of<X>};
}

/// Numbers of a block, row-major, as its first rows.
template <class X>
Span<X> rows_of_block(Span<NumberOf<X>> x, std::size_t rows) {
  return {reinterpret_cast<X*>(x.data()), rows};
}

}  // namespace Tessera::core
