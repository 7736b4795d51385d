#pragma once
/// \file
/// Every unit with kernels is a module of CUDA's, of which each kernel is loaded when it is first launched.
/// That makes a first setup several times as long as the next, so units are noted here, and all is loaded at
/// once when a device is chosen.
#include <cuda_runtime.h>

namespace Tessera::core {

/// Notes the unit that this kernel is in.
struct Module {
  explicit Module(void const* kernel);
};

/// Loads the kernels of all units that have been noted, into the device that is chosen. A driver that is too
/// old to be asked for it, before CUDA 12.5, goes on to load each kernel at its first launch.
void load_modules();

namespace {
__global__ void module_mark() {}
Module const this_module(reinterpret_cast<void const*>(&module_mark));
}  // namespace

}  // namespace Tessera::core
