#pragma once
/// \file
/// Values between the lanes of a warp.
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Tessera::core {

/// move(value) of a number; the struct whose words are move(word) of value's.
template <class T, class Move>
__device__ T by_words(T value, Move const& move) {
  static_assert(std::is_trivially_copyable_v<T>);
  if constexpr (std::is_empty_v<T>) {
    return value;
  } else if constexpr (std::is_arithmetic_v<T>) {
    return move(value);
  } else {
    static_assert(sizeof(T) % sizeof(int) == 0);
    int words[sizeof(T) / sizeof(int)];
    memcpy(words, &value, sizeof(T));
#pragma unroll
    for (auto& word : words) word = move(word);
    memcpy(&value, words, sizeof(T));
    return value;
  }
}

}  // namespace Tessera::core
