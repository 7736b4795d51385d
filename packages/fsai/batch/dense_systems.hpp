#pragma once
/// \file
/// Dense systems of mixed sizes: gathered from A, factorised, their solutions scattered.
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// A back end's: run(space, rows, pattern, active, value, workspace, failed), which is solve_rows without
/// what that does where pivots are zero to rounding: failed, of zeros, gets 1 for rows with a pivot that is
/// not a positive finite number, whose values are any. Returns the bytes that the systems took at a time.
template <class Space>
struct DenseSystems;

}  // namespace Tessera::fsai

#include "fsai/batch/dense_systems_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/dense_systems_cuda.cuh"
#endif
