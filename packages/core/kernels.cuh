#pragma once
/// \file
/// Loading of kernels, and shared memory beyond the 48 KiB of every block.
#include <cuda_runtime.h>

#include <cstddef>

#include "core/cuda_check.cuh"
#include "core/error.hpp"

namespace Tessera::core {

/// Registers the unit of a kernel. Every unit with kernels is a module of CUDA, which loads each kernel at
/// its first launch. The first setup would then take several times as long as the next. So each unit
/// registers itself, and the choice of a device loads all kernels at once.
struct Module {
  explicit Module(void const* kernel);
};

/// Loads the kernels of all registered units into the chosen device. With a driver before CUDA 12.5, which
/// lacks the necessary functions, each kernel is still loaded at its first launch.
void load_modules();

namespace {
__global__ void module_mark() {}
Module const this_module(reinterpret_cast<void const*>(&module_mark));
}  // namespace

/// Permits `bytes` of dynamic shared memory for each block of `kernel`.
/// \throws Unavailable if the device has less
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
