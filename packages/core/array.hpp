#pragma once
/// \file
/// Owning arrays, copies between them, and counts of the bytes that copies move.
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/memory.hpp"
#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::core {

/// An owning, uninitialised, move-only array of n trivially copyable elements in the memory of Space. An
/// array that borrowed() returns owns nothing.
template <class T, class Space>
class Array {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  Array() = default;
  /// \throws OutOfMemory
  Array(Space const& space, std::size_t size)
      : space_(space), data_(static_cast<T*>(allocate(space, bytes_of(size)))), size_(size), room_(size) {}
  /// A read-only array in the memory of another owner, who keeps it alive.
  static Array borrowed(Space const& space, Span<T const> memory) {
    Array array;
    array.space_ = space;
    array.data_ = const_cast<T*>(memory.data());
    array.size_ = memory.size();
    array.is_borrowed_ = true;
    return array;
  }
  Array(Array&& other) noexcept
      : space_(other.space_),
        data_(std::exchange(other.data_, nullptr)),
        size_(std::exchange(other.size_, 0)),
        room_(std::exchange(other.room_, 0)),
        is_borrowed_(std::exchange(other.is_borrowed_, false)) {}
  Array& operator=(Array&& other) noexcept {
    std::swap(space_, other.space_);
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(room_, other.room_);
    std::swap(is_borrowed_, other.is_borrowed_);
    return *this;
  }
  ~Array() {
    if (!is_borrowed_) release(space_, data_, room_ * sizeof(T));
  }

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  bool is_borrowed() const { return is_borrowed_; }
  /// Bytes of memory that it owns.
  std::size_t bytes() const { return room_ * sizeof(T); }
  /// Keeps the first `size` elements, and all memory.
  void shorten(std::size_t size) { size_ = size; }
  T* data() { return data_; }
  T const* data() const { return data_; }
  Span<T> span() { return {data_, size_}; }
  Span<T const> span() const { return {data_, size_}; }
  Span<T const> view() const { return {data_, size_}; }
  Space const& space() const { return space_; }

  /// Element access, for arrays of the host only.
  T& operator[](std::size_t i) {
    static_assert(std::is_same_v<Space, Host>, "copy() reads elements of device arrays");
    return data_[i];
  }
  T const& operator[](std::size_t i) const {
    static_assert(std::is_same_v<Space, Host>, "copy() reads elements of device arrays");
    return data_[i];
  }
  T* begin() { return data_; }
  T* end() { return data_ + size_; }
  T const* begin() const { return data_; }
  T const* end() const { return data_ + size_; }

 private:
  /// A size whose bytes overflow stays too large to allocate.
  static constexpr std::size_t bytes_of(std::size_t size) {
    constexpr auto most = static_cast<std::size_t>(-1);
    return size > most / sizeof(T) ? most : size * sizeof(T);
  }

  Space space_{};
  T* data_ = nullptr;
  std::size_t size_ = 0;
  std::size_t room_ = 0;  ///< elements of owned memory
  bool is_borrowed_ = false;
};

/// Copies bytes between or within spaces. Copies to the host are complete on return. Copies from or to CUDA
/// run in the order of its stream.
void copy_bytes(Host const& from, void const* source, Host const& to, void* target, std::size_t bytes);
void copy_bytes(Host const& from, void const* source, Cuda const& to, void* target, std::size_t bytes);
void copy_bytes(Cuda const& from, void const* source, Host const& to, void* target, std::size_t bytes);
void copy_bytes(Cuda const& from, void const* source, Cuda const& to, void* target, std::size_t bytes);

/// Copies source.size() elements to the front of target.
template <class From, class To, class T>
void copy(From const& from, Span<T const> source, To const& to, Span<T> target) {
  copy_bytes(from, source.data(), to, target.data(), source.size() * sizeof(T));
}

/// A copy of elements in the space `from`, as a new array in the space `to`.
template <class From, class To, class T>
Array<std::remove_const_t<T>, To> copied(From const& from, Span<T> source, To const& to) {
  Array<std::remove_const_t<T>, To> result(to, source.size());
  copy_bytes(from, source.data(), to, result.data(), source.size() * sizeof(T));
  return result;
}

template <class T, class Space>
Array<T, Space> to_space(Space const& space, std::vector<T> const& source) {
  return copied(Host{}, Span<T const>(source.data(), source.size()), space);
}

template <class T, class Space>
std::vector<std::remove_const_t<T>> to_vector(Space const& space, Span<T> source) {
  std::vector<std::remove_const_t<T>> result(source.size());
  copy_bytes(space, source.data(), Host{}, result.data(), source.size() * sizeof(T));
  return result;
}

/// Bytes of the arrays that this process has copied between host and device, halos through pinned memory
/// included. Single numbers (sums, counts) that kernels write to pinned memory are not included. Zero without
/// a device.
struct TransferBytes {
  std::uint64_t to_device = 0, to_host = 0;
};

/// Bytes copied between two calls of transferred_bytes().
inline TransferBytes operator-(TransferBytes const& now, TransferBytes const& before) {
  return {now.to_device - before.to_device, now.to_host - before.to_host};
}

TransferBytes transferred_bytes();

void count_to_device(std::size_t bytes);
void count_to_host(std::size_t bytes);

}  // namespace Tessera::core

namespace Tessera {
using core::Array;
}
