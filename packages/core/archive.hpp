#pragma once
/// \file
/// Saving and loading by one list of members.
#include <cmath>
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

/// Saves or loads members, in the order of the list.
///
/// A class lists its members once, for both directions, in a function that names all of them by a structured
/// binding of *this. So a new member does not compile before it is in the list:
///
///     void archive(core::Archive& file, Space const& space) {
///       auto& [size, inverse, work] = *this;  // work is recomputed
///       file(size);
///       file.array(space, inverse);
///     }
///
/// Loaded bytes may be corrupt: the list checks all properties on which the class relies.
class Archive {
 public:
  /// Writes bytes of memory to a file, or reads them from it.
  using Transfer = std::function<void(void* memory, std::size_t bytes)>;

  static Archive saving(Transfer write) { return {true, std::move(write), 0, {}}; }
  /// bytes: size of the file. name: of the file, for messages.
  static Archive loading(Transfer read, std::size_t bytes, std::string name = {}) {
    return {false, std::move(read), bytes, std::move(name)};
  }

  bool saves() const { return saves_; }
  /// When loading: bytes that have not been read.
  std::size_t bytes_left() const { return left_; }

  /// Name of the part that follows, for messages.
  void part(std::string name) { part_ = std::move(name); }
  /// When loading: throws unless `sound`. words: the defect. \throws InvalidInput
  template <class... Words>
  void require(bool sound, Words const&... words) const {
    if (saves_ || sound) return;
    throw InvalidInput(message(name_, name_.empty() ? "" : ": ", part_, part_.empty() ? "" : ": ", words...,
                               ": this is not what was saved; compute the preconditioner and save it anew"));
  }

  /// Numbers, strings, and vectors of numbers. \throws InvalidInput if bytes are missing
  template <class... Values>
  void operator()(Values&... values) {
    (one(values), ...);
  }

  /// An array of any space; loading allocates a new one. check(span) checks loaded elements on the host,
  /// before they are copied to the space. \throws like operator() and check; OutOfMemory
  template <class T, class Space, class Check>
  void array(Space const& space, Array<T, Space>& values, Check const& check) {
    auto const size = count(values.size(), sizeof(T));
    if (!saves_) values = Array<T, Space>(space, size);
    if constexpr (std::is_same_v<Space, Host>) {
      bytes(values.data(), size * sizeof(T));
      if (!saves_) check(Span<T const>(values.data(), size));
    } else {
      auto here = saves_ ? to_vector(space, values.view()) : std::vector<T>(size);
      bytes(here.data(), size * sizeof(T));
      if (saves_) return;
      check(Span<T const>(here.data(), size));
      copy(Host{}, Span<T const>(here.data(), size), space, values.span());
    }
  }

 private:
  Archive(bool saves, Transfer transfer, std::size_t left, std::string name)
      : saves_(saves), transfer_(std::move(transfer)), left_(left), name_(std::move(name)) {}

  void bytes(void* memory, std::size_t size) {
    if (!saves_) {
      require(size <= left_, "there are ", left_, " bytes where ", size, " are needed");
      left_ -= size;
    }
    if (size > 0) transfer_(memory, size);
  }
  /// Saves or loads a number of elements. Checks that so many elements are left, before they are allocated.
  std::size_t count(std::size_t saved, std::size_t element) {
    auto size = static_cast<std::uint64_t>(saved);
    one(size);
    require(size <= left_ / element, "there are ", left_, " bytes where ", size, " elements are to follow");
    return static_cast<std::size_t>(size);
  }
  template <class T>
  void one(T& value) {
    static_assert(std::is_arithmetic_v<T>, "a class lists its own members");
    bytes(&value, sizeof value);
  }
  void one(bool& value) {
    static_assert(sizeof(bool) == 1);
    unsigned char byte = value ? 1 : 0;
    bytes(&byte, 1);
    require(byte <= 1, "a Boolean value is ", int{byte});
    value = byte != 0;
  }
  void one(std::string& text) {
    text.resize(count(text.size(), 1));
    bytes(text.data(), text.size());
  }
  template <class T>
  void one(std::vector<T>& values) {
    values.resize(count(values.size(),
                        std::is_arithmetic_v<T> ? sizeof(T) : 8));  // a string or vector begins with its size
    if constexpr (std::is_arithmetic_v<T>) {
      bytes(values.data(), values.size() * sizeof(T));
    } else {
      for (auto& value : values) one(value);
    }
  }

  bool saves_;
  Transfer transfer_;
  std::size_t left_;
  std::string name_, part_;
};

/// Checks of loaded arrays. what: name of the elements, in the plural.
template <class T>
void require_size(Archive const& file, Span<T const> values, std::size_t size, char const* what) {
  file.require(values.size() == size, "there are ", values.size(), " ", what, " where there should be ",
               size);
}
template <class T>
void require_between(Archive const& file, Span<T const> values, T least, T most, char const* what) {
  for (std::size_t k = 0; k < values.size(); ++k)
    file.require(least <= values[k] && values[k] <= most, what, ": number ", k, " is ", values[k],
                 ", not from ", least, " to ", most);
}
template <class T>
void require_finite(Archive const& file, Span<T const> values, char const* what) {
  for (std::size_t k = 0; k < values.size(); ++k)
    file.require(std::isfinite(values[k]), what, ": number ", k, " is ", values[k]);
}
/// Offsets of `lists` lists.
template <class T>
void require_offsets(Archive const& file, Span<T const> offsets, std::size_t lists, char const* what) {
  require_size(file, offsets, lists + 1, what);
  file.require(offsets[0] == 0, what, ": the first is ", offsets[0]);
  for (std::size_t k = 0; k < lists; ++k)
    file.require(offsets[k] <= offsets[k + 1], what, " do not ascend: ", offsets[k + 1], " follows ",
                 offsets[k]);
}

}  // namespace Tessera::core
