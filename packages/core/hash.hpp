#pragma once
/// \file
/// Counter-based pseudo-random numbers: a function of (id, round, seed), so that no thread, rank or back end
/// matters.
#include <cstdint>

#include "core/types.hpp"

namespace Tessera::core {

/// SplitMix64's finaliser (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014): a
/// bijection.
TESSERA_HD inline std::uint64_t mix64(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
  return x ^ (x >> 31);
}

/// A bijection of the numbers below 2^bits for each round: distinct ids never tie, so keys need no second
/// word.
template <int bits>
TESSERA_HD std::uint64_t mix_below(VertexId id, std::uint64_t round) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  constexpr int half = bits / 2;
  std::uint64_t x = (static_cast<std::uint64_t>(id) ^ mix64(round)) & mask;
  x = (x ^ (x >> half)) * 0xbf58476d1ce4e5b9ull & mask;
  x = (x ^ (x >> (half - 4))) * 0x94d049bb133111ebull & mask;
  return x ^ (x >> half);
}
TESSERA_HD inline std::uint64_t mix62(VertexId id, std::uint64_t round) {
  return mix_below<62>(id, round);
}

/// Uniform in [-1, 1), a multiple of 2^-52: the start vectors of eigenvalue estimates.
TESSERA_HD inline double uniform(VertexId id, std::uint64_t round) {
  auto const bits = mix64(static_cast<std::uint64_t>(id) ^ mix64(round + 0x9e3779b97f4a7c15ull));
  return static_cast<double>(bits >> 11) * (1.0 / 4503599627370496.0) - 1.0;
}

}  // namespace Tessera::core
