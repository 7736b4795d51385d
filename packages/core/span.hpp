#pragma once
/// \file
/// A view of contiguous numbers in any memory, bisection, and prefetches.
#include <cstddef>
#include <type_traits>

#include "core/types.hpp"

namespace Tessera::core {

/// Pointer and length; owns nothing, is passed by value and captured in bodies. It does not record its memory
/// space.
template <class T>
class Span {
 public:
  constexpr Span() = default;
  TESSERA_HD constexpr Span(T* data, std::size_t size) : data_(data), size_(size) {}
  /// A span of T is also a span of T const.
  template <class U, class = std::enable_if_t<std::is_same_v<U const, T>>>
  TESSERA_HD constexpr Span(Span<U> other) : data_(other.data()), size_(other.size()) {}

  TESSERA_HD constexpr T* data() const { return data_; }
  TESSERA_HD constexpr std::size_t size() const { return size_; }
  TESSERA_HD constexpr bool empty() const { return size_ == 0; }
  TESSERA_HD constexpr T& operator[](std::size_t i) const { return data_[i]; }
  TESSERA_HD constexpr T* begin() const { return data_; }
  TESSERA_HD constexpr T* end() const { return data_ + size_; }
  TESSERA_HD constexpr Span part(std::size_t from, std::size_t count) const { return {data_ + from, count}; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Returns the number of elements of an ascending list that are less than `value`.
template <class T>
TESSERA_HD std::size_t lower_bound(Span<T const> ascending, T value) {
  std::size_t begin = 0, end = ascending.size();
  while (begin < end) {
    auto const middle = begin + (end - begin) / 2;
    if (ascending[middle] < value) {
      begin = middle + 1;
    } else {
      end = middle;
    }
  }
  return begin;
}

/// Prefetches the cache line of an address, which need not be valid. Does nothing on CUDA, where other warps
/// run during the wait.
TESSERA_HD inline void prefetch([[maybe_unused]] void const* address) {
#if !defined(__CUDA_ARCH__)
  __builtin_prefetch(address);
#endif
}

}  // namespace Tessera::core

namespace Tessera {
using core::Span;
}
