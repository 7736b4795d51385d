#pragma once
/// \file
/// Shared memory beyond the 48 KiB that every block may have.
#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/error.hpp"

namespace Tessera::core {

/// Lets blocks of `kernel` have `bytes` of dynamic shared memory.
/// \throws Unavailable where the device does not have them
template <class Kernel>
void allow_shared_memory(Kernel* kernel, std::size_t bytes) {
  constexpr std::size_t always = std::size_t{48} << 10;
  if (bytes > always) {
    int device = 0, most = 0;
    TESSERA_CUDA_CHECK(cudaGetDevice(&device));
    TESSERA_CUDA_CHECK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
    if (bytes > static_cast<std::size_t>(most))
      throw Unavailable(message("a kernel needs ", bytes,
                                " bytes of shared memory for each block, but CUDA device ", device, " has ",
                                most, " (compute capability 9.0 has 232448); use a newer ",
                                "device or the host back end"));
  }
  TESSERA_CUDA_CHECK(
      cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(bytes)));
}

}  // namespace Tessera::core
