#pragma once
/// \file
/// A view of contiguous numbers, wherever they lie.
#include <cstddef>
#include <type_traits>

#include "core/types.hpp"

namespace Tessera::core {

/// Pointer and length; owns nothing, is passed by value and captured in bodies. Does not know its memory
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

}  // namespace Tessera::core

namespace Tessera {
using core::Span;
}
