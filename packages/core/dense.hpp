#pragma once
/// \file
/// Dense symmetric matrices in the memory of a space, n x n numbers.
///
///     Dense<Space>::multiply(space, M, b, x)
///         x = M b, vectors or blocks (interleaved.hpp); sums in double, whatever b and x are
///     Dense<Space>::negate_inverse(space, S, n, tolerance, regular)
///         S <- -S^-1, where S is positive definite with unit diagonal; waits for nothing. *regular, on the
///         space, is 1 if every pivot was above the tolerance; else 0, and S is of no use
#include "core/array.hpp"

namespace Tessera::core {

template <class Space>
struct Dense;

}  // namespace Tessera::core

#include "core/dense_host.hpp"
#if defined(__CUDACC__)
#include "core/dense_cuda.cuh"
#endif
