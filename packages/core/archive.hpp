#pragma once
/// \file
/// Saving and loading by one list of members for both directions.
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/error.hpp"

namespace Tessera::core {

/// Takes members away to be saved, or brings those that were saved, in the order in which it meets them.
///
/// A class lists its members once, in a function that names them all by a structured binding of *this, so
/// that a member without its place in the list does not compile:
///
///     void archive(core::Archive& file, Space const& space) {
///       auto& [size, inverse, work] = *this;  // work: made anew
///       file(size);
///       file.array(space, inverse);
///     }
class Archive {
 public:
  /// Moves bytes from memory to where they are kept, or from there to memory.
  using Move = std::function<void(void* memory, std::size_t bytes)>;

  static Archive saving(Move take) { return {true, std::move(take), 0}; }
  /// bytes: how many there are.
  static Archive loading(Move bring, std::size_t bytes) { return {false, std::move(bring), bytes}; }

  bool saves() const { return saves_; }
  /// When loading: bytes that have not been asked for yet.
  std::size_t left() const { return left_; }

  /// Numbers, strings, and vectors of numbers. \throws InvalidInput where there are no more bytes
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }

  /// An array of any space; loading makes a new one. \throws as operator(), OutOfMemory
  template <class T, class Space>
  void array(Space const& space, Array<T, Space>& values) {
    auto const size = count(values.size(), sizeof(T));
    if (!saves_) values = Array<T, Space>(space, size);
    if constexpr (std::is_same_v<Space, Host>) {
      bytes(values.data(), size * sizeof(T));
    } else {
      auto here = saves_ ? to_vector(space, values.view()) : std::vector<T>(size);
      bytes(here.data(), size * sizeof(T));
      if (!saves_) copy(Host{}, Span<T const>(here.data(), size), space, values.span());
    }
  }

 private:
  Archive(bool saves, Move move, std::size_t left) : saves_(saves), move_(std::move(move)), left_(left) {}

  void bytes(void* memory, std::size_t size) {
    if (!saves_) {
      TESSERA_VALIDATE(size <= left_, "there are ", left_, " bytes where ", size,
                       " are needed: the file is not what was saved; compute and save anew");
      left_ -= size;
    }
    if (size > 0) move_(memory, size);
  }
  /// How many elements follow, which must fit into what is left before there is memory for them.
  std::size_t count(std::size_t mine, std::size_t element) {
    auto size = static_cast<std::uint64_t>(mine);
    one(size);
    TESSERA_VALIDATE(saves_ || size <= left_ / element, "there are ", left_, " bytes where ", size,
                     " elements are to follow: the file is not what was saved; compute and save anew");
    return static_cast<std::size_t>(size);
  }
  template <class T>
  void one(T& value) {
    static_assert(std::is_arithmetic_v<T> || std::is_enum_v<T>, "what has members lists them itself");
    bytes(&value, sizeof value);
  }
  void one(std::string& text) {
    text.resize(count(text.size(), 1));
    bytes(text.data(), text.size());
  }
  template <class T>
  void one(std::vector<T>& values) {
    values.resize(count(values.size(), std::is_arithmetic_v<T> ? sizeof(T) : 8));  // others begin with a size
    if constexpr (std::is_arithmetic_v<T>) {
      bytes(values.data(), values.size() * sizeof(T));
    } else {
      for (auto& value : values) one(value);
    }
  }

  bool saves_;
  Move move_;
  std::size_t left_;
};

}  // namespace Tessera::core
