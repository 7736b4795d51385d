#pragma once
/// \file
/// Position of a point along Hilbert's curve; neighbours on the curve are near each other in space.
#include <cstdint>

namespace Tessera::gallery {

/// cell: coordinates below 2^bits, with bits * dimensions <= 63. Skilling, "Programming the Hilbert curve",
/// AIP Conference Proceedings 707 (2004).
inline std::int64_t hilbert_key(std::uint32_t const* cell, int dimensions, int bits) {
  std::uint32_t x[3] = {};
  for (int i = 0; i < dimensions; ++i) x[i] = cell[i];
  // Undo the rotations and reflections of the cubes that contain the point, from the largest to the smallest.
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    std::uint32_t const p = q - 1;
    for (int i = 0; i < dimensions; ++i) {
      if (x[i] & q) {
        x[0] ^= p;
      } else {
        std::uint32_t const t = (x[0] ^ x[i]) & p;
        x[0] ^= t;
        x[i] ^= t;
      }
    }
  }
  // Gray code.
  for (int i = 1; i < dimensions; ++i) x[i] ^= x[i - 1];
  std::uint32_t t = 0;
  for (std::uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) {
    if (x[dimensions - 1] & q) t ^= q - 1;
  }
  for (int i = 0; i < dimensions; ++i) x[i] ^= t;
  // Interleave the bits of the coordinates.
  std::int64_t key = 0;
  for (int bit = bits - 1; bit >= 0; --bit) {
    for (int i = 0; i < dimensions; ++i) key = key << 1 | (x[i] >> bit & 1);
  }
  return key;
}

}  // namespace Tessera::gallery
