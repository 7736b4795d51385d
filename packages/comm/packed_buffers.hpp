#pragma once
/// \file
/// Packing of numbers into the byte buffers of an exchange, and unpacking.
#include <cstring>
#include <vector>

#include "core/error.hpp"
#include "core/types.hpp"

namespace Tessera::comm {

/// Appends count numbers to a buffer.
template <class T>
void write(std::vector<char>& buffer, T const* numbers, std::size_t count) {
  auto const* bytes = reinterpret_cast<char const*>(numbers);
  buffer.insert(buffer.end(), bytes, bytes + count * sizeof(T));
}

template <class T>
void write(std::vector<char>& buffer, std::vector<T> const& numbers) {
  write(buffer, numbers.data(), numbers.size());
}

/// Reads numbers from a buffer in the order in which they were written.
class BufferReader {
 public:
  explicit BufferReader(std::vector<char> const& buffer) : buffer_(buffer) {}
  std::size_t bytes_left() const { return buffer_.size() - at_; }

  /// Appends count numbers to target.
  template <class T>
  void read(std::vector<T>& target, std::size_t count) {
    TESSERA_EXPECT(count * sizeof(T) <= bytes_left());
    if (count == 0) return;
    auto const old = target.size();
    target.resize(old + count);
    std::memcpy(target.data() + old, buffer_.data() + at_, count * sizeof(T));
    at_ += count * sizeof(T);
  }

  template <class T>
  T read() {
    std::vector<T> one;
    read(one, 1);
    return one[0];
  }

 private:
  std::vector<char> const& buffer_;
  std::size_t at_ = 0;
};

/// The numbers of a buffer that has only numbers of one type.
template <class T>
std::vector<T> numbers_of(std::vector<char> const& buffer) {
  std::vector<T> numbers;
  BufferReader(buffer).read(numbers, buffer.size() / sizeof(T));
  return numbers;
}

}  // namespace Tessera::comm
