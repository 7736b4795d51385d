#pragma once
/// \file
/// Rows that lose entries, and what is left of them for g^T A g = 1.
#include "fsai/postfilter.hpp"

namespace Tessera::fsai {

/// A back end's: run(space, rows, pattern, keep, value), which is rescale.
template <class Space>
struct Rescaling;

}  // namespace Tessera::fsai

#include "fsai/batch/rescaling_host.hpp"
#if defined(TESSERA_CUDA_UNIT)
#include "fsai/batch/rescaling_cuda.cuh"
#endif
