// Builds with CUDA; device.cpp is its counterpart.
#include "core/device.hpp"

#include <mutex>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/modules.cuh"
#include "core/parallel_cuda.cuh"
#include "core/pinned_ring.cuh"

namespace Tessera::core {
namespace {

std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

}  // namespace

bool cuda_compiled() {
  return true;
}

std::vector<DeviceInfo> cuda_devices() {
  int count = 0;
  if (cudaGetDeviceCount(&count) != cudaSuccess) {
    cudaGetLastError();
    return {};
  }
  std::vector<DeviceInfo> devices;
  for (int device = 0; device < count; ++device) {
    cudaDeviceProp properties;
    TESSERA_CUDA_CHECK(cudaGetDeviceProperties(&properties, device));
    devices.push_back({properties.name, properties.major, properties.minor, properties.totalGlobalMem});
  }
  return devices;
}

std::string why_no_cuda() {
  int count = 0;
  auto const status = cudaGetDeviceCount(&count);
  if (status == cudaSuccess && count > 0) return {};
  cudaGetLastError();
  return status == cudaSuccess ? "no CUDA device is visible (is CUDA_VISIBLE_DEVICES empty?)"
                               : message("CUDA finds no device: ", cudaGetErrorString(status));
}

std::string cuda_driver_version() {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess && version > 0 ? dotted(version) : std::string();
}

std::string cuda_runtime_version() {
  int version = 0;
  return cudaRuntimeGetVersion(&version) == cudaSuccess ? dotted(version) : std::string();
}

Cuda make_cuda(int device) {
  auto const reason = why_no_cuda();
  if (!reason.empty()) throw Unavailable(reason);
  auto const devices = cuda_devices();
  TESSERA_VALIDATE(device >= 0 && device < static_cast<int>(devices.size()), "there is no CUDA device ",
                   device, "; this process sees ", devices.size(), ", numbered from 0");
  TESSERA_CUDA_CHECK(cudaSetDevice(device));
  static std::mutex mutex;
  static std::vector<cudaStream_t> streams(devices.size(), nullptr);
  std::lock_guard const lock(mutex);
  auto& stream = streams[device];
  // Not ordered behind the default stream, so that a user's own work there does not hold us up.
  if (stream == nullptr) {
    TESSERA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    load_modules();
    detail::result_buffer();
    PinnedRing::of_device(device).prepare();
    void* first = nullptr;  // the first memory of a pool takes 8 ms
    TESSERA_CUDA_CHECK(cudaMallocAsync(&first, 1, stream));
    TESSERA_CUDA_CHECK(cudaFreeAsync(first, stream));
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  return {device, stream};
}

}  // namespace Tessera::core
