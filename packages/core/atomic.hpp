#pragma once
/// \file
/// The one atomic operation that bodies may use: on integers, whose sums do not depend on the order.
#include "core/types.hpp"

namespace Tessera::core {

/// target += summand; what target was before. Orders nothing else. Which of two bodies comes first is not
/// determined: what is placed by it must be sorted afterwards.
TESSERA_HD inline Index fetch_add(Index& target, Index summand) {
#if defined(__CUDA_ARCH__)
  return atomicAdd(&target, summand);
#else
  return __atomic_fetch_add(&target, summand, __ATOMIC_RELAXED);
#endif
}

}  // namespace Tessera::core
