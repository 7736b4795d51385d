#pragma once
/// \file
/// Values of several words between the lanes of a warp.
#include <cstddef>
#include <type_traits>

namespace Tessera::core {

/// The value whose words are move(word) of value's.
template <class T, class Move>
__device__ T by_words(T const& value, Move const& move) {
  static_assert(sizeof(T) % sizeof(int) == 0 && std::is_trivially_copyable_v<T>);
  T result;
  auto const* from = reinterpret_cast<int const*>(&value);
  auto* to = reinterpret_cast<int*>(&result);
#pragma unroll
  for (std::size_t w = 0; w < sizeof(T) / sizeof(int); ++w) to[w] = move(from[w]);
  return result;
}

}  // namespace Tessera::core
