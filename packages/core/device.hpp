#pragma once
/// \file
/// Which NVIDIA GPUs there are, and how one of them is taken.
#include <cstddef>
#include <string>
#include <vector>

#include "core/space.hpp"

namespace Tessera::core {

struct DeviceInfo {
  std::string name;
  int major = 0, minor = 0;  ///< compute capability
  std::size_t memory = 0;    ///< bytes in all
};

/// Whether this build has the CUDA back end.
bool cuda_compiled();

/// The devices that this process sees; none without CUDA, without a driver or without a device.
std::vector<DeviceInfo> cuda_devices();

/// Why make_cuda(0) would fail: no CUDA in the build, no driver, no device. Empty when it would not.
std::string why_no_cuda();

/// Versions of the driver and of the runtime as "13.0"; empty without CUDA.
std::string cuda_driver_version();
std::string cuda_runtime_version();

/// Makes `device` this process's device, and gives it the stream that all of Tessera's work there is ordered
/// by. One process uses one device: its stream is made once and lives as long as the process.
/// \throws Unavailable with the reason, InvalidInput when there is no device of that number
Cuda make_cuda(int device = 0);

}  // namespace Tessera::core
