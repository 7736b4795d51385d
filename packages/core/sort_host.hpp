#pragma once
/// \file
/// sort_by_key on the host: a stable radix sort over the bits in which keys differ.
#include <omp.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/array.hpp"
#include "core/space.hpp"
#include "core/span.hpp"

namespace Tessera::core {
namespace radix {

constexpr int digit_bits = 11;
constexpr std::size_t digits = std::size_t{1} << digit_bits;
constexpr std::size_t serial_below = 32768;

/// The bits of an integer such that unsigned order is the integers' order.
template <class Key>
std::uint64_t ordered(Key key) {
  using Bits = std::make_unsigned_t<Key>;
  constexpr Bits sign = std::is_signed_v<Key> ? Bits(Bits{1} << (8 * sizeof(Key) - 1)) : Bits{0};
  return static_cast<std::uint64_t>(static_cast<Bits>(static_cast<Bits>(key) ^ sign));
}

struct Range {
  std::size_t begin, end;
};

inline Range range_of(std::size_t n, std::size_t part, std::size_t parts) {
  return {n * part / parts, n * (part + 1) / parts};
}

/// One stable pass by the digit at `shift`; count: parts x digits.
template <class Key, class Value>
void pass(std::size_t n, int shift, std::size_t parts, Key const* keys, Value const* values, Key* to_keys,
          Value* to_values, std::vector<std::size_t>& count) {
  auto const digit = [shift](Key key) { return ordered(key) >> shift & (digits - 1); };
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (std::size_t p = 0; p < parts; ++p) {
    auto* const mine = count.data() + p * digits;
    std::fill(mine, mine + digits, std::size_t{0});
    auto const [begin, end] = range_of(n, p, parts);
    for (auto i = begin; i < end; ++i) ++mine[digit(keys[i])];
  }
  std::size_t before = 0;
  for (std::size_t d = 0; d < digits; ++d) {
    for (std::size_t p = 0; p < parts; ++p) before += std::exchange(count[p * digits + d], before);
  }
#pragma omp parallel for schedule(static, 1) if (parts > 1)
  for (std::size_t p = 0; p < parts; ++p) {
    auto* const mine = count.data() + p * digits;
    auto const [begin, end] = range_of(n, p, parts);
    for (auto i = begin; i < end; ++i) {
      auto const to = mine[digit(keys[i])]++;
      to_keys[to] = keys[i];
      to_values[to] = values[i];
    }
  }
}

}  // namespace radix

template <class Key, class Value>
void sort_by_key(Host const& space, Array<Key, Host>& keys, Array<Value, Host>& values,
                 Key /*largest*/ = std::numeric_limits<Key>::max()) {
  static_assert(std::is_integral_v<Key>, "keys are integers: decisions are made by integers");
  auto const n = keys.size();
  if (n < 2) return;
  std::uint64_t differing = 0;
  auto const first = radix::ordered(keys[0]);
#pragma omp parallel for schedule(static) reduction(| : differing) if (n >= radix::serial_below)
  for (std::size_t i = 1; i < n; ++i) differing |= radix::ordered(keys[i]) ^ first;

  Array<Key, Host> other_keys(space, n);
  Array<Value, Host> other_values(space, n);
  auto from = std::pair(keys.data(), values.data()), to = std::pair(other_keys.data(), other_values.data());
  auto const parts =
      n < radix::serial_below ? std::size_t{1} : static_cast<std::size_t>(omp_get_max_threads());
  std::vector<std::size_t> count(parts * radix::digits);
  for (int shift = 0; differing >> shift != 0;) {
    if ((differing >> shift & 1) == 0) {  // the next digit starts at a bit that differs
      ++shift;
      continue;
    }
    radix::pass(n, shift, parts, from.first, from.second, to.first, to.second, count);
    std::swap(from, to);
    shift += radix::digit_bits;
    if (shift >= 64) break;
  }
  if (from.first == keys.data()) return;
  keys = std::move(other_keys);
  values = std::move(other_values);
}

}  // namespace Tessera::core
