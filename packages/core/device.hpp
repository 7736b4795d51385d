#pragma once
/// \file
/// The NVIDIA GPUs of this process, the choice of one, and the memory that pointers refer to.
#include <cstddef>
#include <string>
#include <vector>

#include "core/space.hpp"

namespace Tessera::core {

struct DeviceInfo {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory = 0;    ///< total bytes
};

/// Whether this build has the CUDA back end.
bool cuda_compiled();

/// The devices that are visible to this process; empty without CUDA, a driver or a device.
std::vector<DeviceInfo> cuda_devices();

/// The reason why make_cuda(0) would fail: a build without CUDA, no driver, no device. Empty if there is
/// none.
std::string cuda_unavailable_reason();

/// Versions of the driver and of the runtime, such as "13.0"; empty without CUDA.
std::string cuda_driver_version();
std::string cuda_runtime_version();

/// Chooses the device of this process, and the stream that orders all of Tessera's work on it. A process uses
/// one device; its stream is created once, and lives as long as the process.
/// \throws Unavailable with the reason; InvalidInput if there is no device with this number
Cuda make_cuda(int device = 0);

/// Where memory lies, such as "in the memory of the host", if that is not the memory of the space; otherwise
/// empty. A null pointer fits every space. Page-locked host memory belongs to the host, because a GPU would
/// read it over the bus. Managed memory fits every space.
std::string memory_space_mismatch(Host const& space, void const* memory);
std::string memory_space_mismatch(Cuda const& space, void const* memory);

/// The number of the GPU that owns this memory, if cudaMalloc allocated it; otherwise -1.
int device_of(void const* memory);

}  // namespace Tessera::core
