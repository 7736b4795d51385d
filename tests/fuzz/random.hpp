#pragma once
/// \file
/// Random choices, determined by a seed and the number of a case.
#include <cstdint>
#include <string>
#include <vector>

#include "core/hash.hpp"

namespace Tessera::fuzz {

class Random {
 public:
  Random(std::uint64_t seed, std::uint64_t number) : state_(core::mix64(seed) ^ core::mix64(~number)) {}

  std::uint64_t bits() { return core::mix64(state_ += 0x9e3779b97f4a7c15ull); }
  /// 0 to n - 1; 0 if n is 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : bits() % n; }
  bool one_in(std::size_t n) { return below(n) == 0; }
  template <class T>
  T const& pick(std::vector<T> const& from) {
    return from[below(from.size())];
  }

 private:
  std::uint64_t state_;
};

/// The text with bytes changed, inserted, removed, doubled or cut off, in one place.
std::string with_bytes_mutated(std::string text, Random& random);

/// A number as text: ordinary, or near or beyond the limits of types.
std::string number(Random& random);

}  // namespace Tessera::fuzz
