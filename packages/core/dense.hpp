#pragma once
/// \file
/// Dense symmetric matrices in the memory of a space, n x n numbers, column-major. All spaces give the same
/// bits.
///
///     Dense<Space>::multiply(space, M, b, x)
///         x = M b, vectors or blocks (interleaved.hpp); sums in double, whatever b and x are: that of a row
///         is made of `product_lanes`, of which lane l adds up every product_lanes-th term from l on; lanes
///         are folded in halves
///     Dense<Space>::negate_inverse(space, S, n, tolerance, regular)
///         the lower part of S <- that of -S^-1, where S is positive definite with unit diagonal; waits for
///         nothing. *regular, on the space, is 1 if every pivot was above the tolerance; else 0, and S is of
///         no use
///
/// Sweeping a symmetric matrix on the rows and columns K (Goodnight 1979), with P = S_KK^-1, turns S_ij into
/// S_ij - S_iK P S_Kj, S_iK into S_iK P, S_Kj into P S_Kj and S_KK into -P; after all sweeps the matrix is
/// -S^-1. K are `sweep_width` at a time, in order and without interchanges, as in Cholesky's factorization.
#include "core/array.hpp"

namespace Tessera::core {

constexpr int product_lanes = 32;
constexpr int sweep_width = 32;

template <class Space>
struct Dense;

}  // namespace Tessera::core

#include "core/dense_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "core/dense_cuda.cuh"
#endif
