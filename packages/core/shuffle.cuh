#pragma once
/// \file
/// Exchange of values between the lanes of a warp.
#include <cstddef>
#include <cstring>
#include <type_traits>

namespace Tessera::core {

/// Returns move(value) for a number. For a struct, returns the struct of move(word) of each word.
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

/// Exchanges value[j] of lane l with value[l] of lane j, in each group of `lanes` neighbours of a warp.
template <int lanes, class T>
__device__ void transpose(T (&value)[lanes]) {
  int const lane = static_cast<int>(threadIdx.x) % lanes;
#pragma unroll
  for (int half = 1; half < lanes; half *= 2) {
    bool const upper = (lane & half) != 0;
#pragma unroll
    for (int j = 0; j < lanes; ++j) {
      if ((j & half) != 0) continue;
      T const received = __shfl_xor_sync(~0u, upper ? value[j] : value[j + half], half);
      value[j] = upper ? received : value[j];
      value[j + half] = upper ? value[j + half] : received;
    }
  }
}

}  // namespace Tessera::core
