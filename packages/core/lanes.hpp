#pragma once
/// \file
/// Numbers side by side, as many at once as a register of the host has. Compilers keep a struct of k numbers
/// in memory as soon as loops go over them; what is read and written as registers stays there. On a GPU,
/// where a thread has one number after the other, a register is one number.
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

/// Of k numbers of the types T, so many at once: a power of two. One where k is none: a few numbers that are
/// put together one by one would be read back as pairs before they are written (filters by blocks took four
/// times as long).
template <int k, class... T>
constexpr int lane_width() {
  if ((k & (k - 1)) != 0) return 1;
  int width = 1;
  for (int next = 2; next <= k && ((next * static_cast<int>(sizeof(T)) <= detail::register_bytes) && ...);
       next *= 2)
    width = next;
  return width;
}

/// The numbers from `first` on. Values are one number, or a vector type of the compiler's: a + b, a * b, a <
/// b, and condition ? a : b, each by itself.
template <int width>
struct Lanes {
  int first;

  /// As numbers of type T.
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

/// work(Lanes) for k numbers, of all these types.
template <int k, class... T, class Work>
TESSERA_HD void for_lanes(Work const& work) {
  constexpr int width = lane_width<k, T...>();
  for (int first = 0; first < k; first += width) work(Lanes<width>{first});
}

/// numbers[j] = value, k of them of type T, from others of type U: value(Lanes) gives those of the lanes.
template <int k, class T, class U, class Value>
TESSERA_HD void put_lanes(T* numbers, Value const& value) {
  constexpr int width = lane_width<k, T, U>();
  for (int first = 0; first < k; first += width) {
    Lanes<width> const at{first};
    at.put(numbers, value(at));
  }
}

}  // namespace Tessera::core
