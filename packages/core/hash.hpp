#pragma once
/// \file
/// Counter-based pseudo-random numbers, and checksums of bytes. A number is a function of (id, round), so
/// that it does not depend on threads, ranks or the back end.
#include <cstddef>
#include <cstdint>
#include <cstring>

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

/// A 64-bit checksum of a stream of bytes, which does not depend on the pieces of add(). Four lanes take one
/// word each in turn. Each step is a bijection of the lane for a given word, and of the word for a given
/// lane. value() is a bijection of each lane. So a change of a single word always changes the checksum. Not
/// cryptographic.
class Checksum {
 public:
  void add(void const* memory, std::size_t bytes) {
    auto const* from = static_cast<unsigned char const*>(memory);
    total_ += bytes;
    if (buffered_ > 0) {
      auto const part = bytes < block - buffered_ ? bytes : block - buffered_;
      std::memcpy(buffer_ + buffered_, from, part);
      buffered_ += part;
      from += part;
      bytes -= part;
      if (buffered_ < block) return;
      take(buffer_);
      buffered_ = 0;
    }
    for (; bytes >= block; from += block, bytes -= block) take(from);
    if (bytes > 0) std::memcpy(buffer_, from, bytes);
    buffered_ = bytes;
  }

  std::uint64_t value() const {
    Checksum last = *this;
    std::memset(last.buffer_ + buffered_, 0, block - buffered_);
    last.take(last.buffer_);
    std::uint64_t hash = mix64(total_);
    for (auto const lane : last.lane_) hash = mix64(hash ^ lane) + odd;
    return hash;
  }

 private:
  static constexpr std::size_t block = 32;
  static constexpr std::uint64_t odd = 0x9e3779b97f4a7c15;

  void take(unsigned char const* from) {
    std::uint64_t word[4];
    std::memcpy(word, from, block);
    for (int l = 0; l < 4; ++l) {
      auto const x = (lane_[l] ^ word[l]) * odd;
      lane_[l] = (x << 29) | (x >> 35);
    }
  }

  std::uint64_t lane_[4] = {1, 2, 3, 4};
  std::uint64_t total_ = 0;
  unsigned char buffer_[block] = {};
  std::size_t buffered_ = 0;
};

}  // namespace Tessera::core
