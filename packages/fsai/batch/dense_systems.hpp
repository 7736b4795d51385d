#pragma once
/// \file
/// Dense systems of mixed sizes: gathered from A, factorised, their solutions scattered.
#include "fsai/row_systems.hpp"

namespace Tessera::fsai {

/// A back end's: run(space, rows, pattern, active, value, workspace), which is solve_rows.
template <class Space>
struct DenseSystems;

}  // namespace Tessera::fsai

#include "fsai/batch/dense_systems_host.hpp"
#if defined(__CUDACC__)
#include "fsai/batch/dense_systems_cuda.cuh"
#endif
