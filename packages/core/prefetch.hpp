#pragma once
/// \file
/// Hints to the memory system.
#include "core/types.hpp"

namespace Tessera::core {

/// Asks for a cache line that is read soon, whether or not the address exists. Nothing on CUDA, where other
/// warps fill the wait.
TESSERA_HD inline void prefetch([[maybe_unused]] void const* address) {
#if !defined(__CUDA_ARCH__)
  __builtin_prefetch(address);
#endif
}

}  // namespace Tessera::core
