#pragma once
/// \file
/// Where hash tables of columns put their entries.
#include <cstdint>

#include "core/types.hpp"

namespace Tessera::sparse::hash {

/// Fibonacci hashing: upper bits of a multiplication by 2^64 / golden ratio.
TESSERA_HD inline std::uint32_t slot_of(Index column, std::uint32_t mask) {
  return static_cast<std::uint32_t>(static_cast<std::uint64_t>(column) * 0x9e3779b97f4a7c15ull >> 32) & mask;
}

TESSERA_HD inline Offset power_of_two_from(Offset n) {
  Offset power = 1;
  while (power < n) power *= 2;
  return power;
}

}  // namespace Tessera::sparse::hash
