#pragma once
/// \file
/// Interleaved blocks of vectors: entry i of all columns is contiguous. A pass over vectors treats such a row
/// as one number; so each pass exists once, and reads an entry of a matrix once for all columns. Each column
/// has the operations of a vector in the same order, hence bitwise the result of a vector
/// (docs/decisions/0029). Passes are compiled for 4 and 8 columns.
///
/// Compilers keep a struct of k numbers in memory as soon as loops run over it. Numbers that are read and
/// written as registers (Lanes) stay in registers. On a GPU, where a thread has one number at a time, a
/// register is one number.
#include <type_traits>
#include <utility>

#include "core/span.hpp"
#include "core/types.hpp"

namespace Tessera::core {
namespace detail {

#if defined(__GNUC__) && !defined(__CUDACC__)
#if defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif
template <class T, int width>
struct RegisterOf {
  using Type __attribute__((vector_size(width * sizeof(T)))) = T;
};
#else
inline constexpr int register_bytes = 1;
#endif

}  // namespace detail

/// Width of the registers for k numbers of each of the types T: a power of two, and 1 unless k is a power of
/// two. With wider registers for other k, compilers read numbers back as pairs before they are written: block
/// filters took four times as long.
template <int k, class... T>
constexpr int lane_width() {
  if ((k & (k - 1)) != 0) return 1;
  int width = 1;
  for (int next = 2; next <= k && ((next * static_cast<int>(sizeof(T)) <= detail::register_bytes) && ...);
       next *= 2)
    width = next;
  return width;
}

/// `width` numbers from index `first` on. Values are one number, or a vector type of the compiler with
/// element-wise a + b, a * b, a < b and condition ? a : b.
template <int width>
struct Lanes {
  int first;

  /// Loads these numbers, and converts them to T.
  template <class T, class U>
  TESSERA_HD auto of(U const* numbers) const {
    if constexpr (width == 1) {
      return static_cast<T>(numbers[first]);
    } else {
#if defined(__GNUC__) && !defined(__CUDACC__)
      typename detail::RegisterOf<U, width>::Type values;
      __builtin_memcpy(&values, numbers + first, sizeof values);
      return __builtin_convertvector(values, typename detail::RegisterOf<T, width>::Type);
#endif
    }
  }

  template <class T, class V>
  TESSERA_HD void put(T* numbers, V const& values) const {
    if constexpr (width == 1) {
      numbers[first] = values;
    } else {
#if defined(__GNUC__) && !defined(__CUDACC__)
      static_assert(sizeof values == width * sizeof(T));
      __builtin_memcpy(numbers + first, &values, sizeof values);
#endif
    }
  }
};

/// Calls work(Lanes) for k numbers of each of these types.
template <int k, class... T, class Work>
TESSERA_HD void for_lanes(Work const& work) {
  constexpr int width = lane_width<k, T...>();
  for (int first = 0; first < k; first += width) work(Lanes<width>{first});
}

/// Sets k numbers of type T to value(Lanes), which is computed from numbers of type U.
template <int k, class T, class U, class Value>
TESSERA_HD void put_lanes(T* numbers, Value const& value) {
  constexpr int width = lane_width<k, T, U>();
  for (int first = 0; first < k; first += width) {
    Lanes<width> const at{first};
    at.put(numbers, value(at));
  }
}

/// n sums at once. Reductions on a GPU fold them one after the other, in the memory of one number.
template <int n>
struct SumPack {
  double of[n];
  TESSERA_HD SumPack operator+(SumPack const& other) const {
    SumPack sum;
    put_lanes<n, double, double>(sum.of, [&](auto const& at) {
      return at.template of<double>(of) + at.template of<double>(other.of);
    });
    return sum;
  }
};

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

template <class S, class T, int k, class = std::enable_if_t<std::is_convertible_v<S, T>>>
TESSERA_HD auto operator*(S a, Interleaved<T, k> const& x) {
  using Product = decltype(S{} * T{});
  Interleaved<Product, k> y;
  auto const factor = static_cast<Product>(a);
  put_lanes<k, Product, T>(y.column,
                           [&](auto const& at) { return factor * at.template of<Product>(x.column); });
  return y;
}

/// Type of the numbers of a vector or a block, and number of its columns.
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

/// The type X with numbers of type T.
template <class T, class X>
using RowOf = std::conditional_t<columns_of<X> == 1, T, Interleaved<T, columns_of<X>>>;

/// The numbers of a vector or a block, row-major.
template <class X>
Span<NumberOf<X>> numbers(Span<X> x) {
  static_assert(sizeof(X) == sizeof(NumberOf<X>) * columns_of<X>);
  return {reinterpret_cast<NumberOf<X>*>(x.data()), x.size() * columns_of<X>};
}

/// The first rows of a block of row-major numbers.
template <class X>
Span<X> rows_of_block(Span<NumberOf<X>> x, std::size_t rows) {
  return {reinterpret_cast<X*>(x.data()), rows};
}

}  // namespace Tessera::core
