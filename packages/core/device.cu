// For builds with CUDA; device.cpp is for builds without CUDA.
#include "core/device.hpp"

#include <cuda.h>

#include <mutex>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/error.hpp"
#include "core/kernels.cuh"
#include "core/parallel_cuda.cuh"
#include "core/pinned_ring.cuh"

namespace Tessera::core {
namespace {

std::string dotted(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// Without a driver, all memory belongs to the host.
cudaPointerAttributes attributes_of(void const* memory) {
  cudaPointerAttributes attributes{};
  attributes.type = cudaMemoryTypeUnregistered;
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) cudaGetLastError();
  return attributes;
}

std::string on_device(int device) {
  return message("in the memory of device ", device);
}

std::vector<void const*>& marks() {
  static auto& all = *new std::vector<void const*>;  // units register before main, in any order
  return all;
}

/// A function of the driver, with which Tessera is not linked; null if the driver does not have it.
template <class Function>
Function* driver_function(char const* name) {
  constexpr unsigned since = 12050;
  void* function = nullptr;
  cudaDriverEntryPointQueryResult found;
  TESSERA_CUDA_CHECK(cudaGetDriverEntryPointByVersion(name, &function, since, cudaEnableDefault, &found));
  return found == cudaDriverEntryPointSuccess ? reinterpret_cast<Function*>(function) : nullptr;
}

void require(CUresult status, char const* call) {
  if (status != CUDA_SUCCESS)
    throw std::runtime_error(message("loading kernels: ", call, " fails with status ", int{status}));
}

/// The driver's functions that list and load the kernels of a module.
struct Loader {
  decltype(cuKernelGetLibrary)* library_of =
      driver_function<decltype(cuKernelGetLibrary)>("cuKernelGetLibrary");
  decltype(cuLibraryGetKernelCount)* count =
      driver_function<decltype(cuLibraryGetKernelCount)>("cuLibraryGetKernelCount");
  decltype(cuLibraryEnumerateKernels)* kernels =
      driver_function<decltype(cuLibraryEnumerateKernels)>("cuLibraryEnumerateKernels");
  decltype(cuKernelGetFunction)* function =
      driver_function<decltype(cuKernelGetFunction)>("cuKernelGetFunction");
  decltype(cuFuncLoad)* load = driver_function<decltype(cuFuncLoad)>("cuFuncLoad");

  bool complete() const { return library_of && count && kernels && function && load; }

  void load_module_of(void const* kernel_of_module) const {
    cudaKernel_t kernel;
    TESSERA_CUDA_CHECK(cudaGetKernel(&kernel, kernel_of_module));
    CUlibrary library;
    require(library_of(&library, kernel), "cuKernelGetLibrary");
    unsigned number = 0;
    require(count(&number, library), "cuLibraryGetKernelCount");
    std::vector<CUkernel> all(number);
    require(kernels(all.data(), number, library), "cuLibraryEnumerateKernels");
    for (auto const one : all) {
      CUfunction loaded;
      require(function(&loaded, one), "cuKernelGetFunction");
      require(load(loaded), "cuFuncLoad");
    }
  }
};

}  // namespace

Module::Module(void const* kernel) {
  marks().push_back(kernel);
}

void load_modules() {
  Loader const loader;
  if (!loader.complete()) return;
  for (auto const mark : marks()) loader.load_module_of(mark);
}

void synchronize(Cuda const& space) {
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
}

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

std::string cuda_unavailable_reason() {
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
  auto const reason = cuda_unavailable_reason();
  if (!reason.empty()) throw Unavailable(reason);
  int count = 0;  // not cuda_devices(): the driver takes milliseconds to report properties
  TESSERA_CUDA_CHECK(cudaGetDeviceCount(&count));
  TESSERA_VALIDATE(device >= 0 && device < count, "there is no CUDA device ", device, "; this process sees ",
                   count, ", numbered from 0");
  TESSERA_CUDA_CHECK(cudaSetDevice(device));
  // Kokkos asks the device to prefer shared memory to the L1 cache for all kernels, and then sets the
  // preference of each of its own. Tessera's kernels would take up to 1.4 times as long
  // (docs/results/gpus.md).
  TESSERA_CUDA_CHECK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
  static std::mutex mutex;
  static std::vector<cudaStream_t> streams(static_cast<std::size_t>(count), nullptr);
  std::lock_guard const lock(mutex);
  auto& stream = streams[device];
  // The stream does not wait for the default stream, in which the user's work may run.
  if (stream == nullptr) {
    TESSERA_CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    load_modules();
    detail::result_buffer();
    PinnedRing::of_device(device).prepare();
    void* first = nullptr;  // the first allocation of a pool takes 8 ms
    TESSERA_CUDA_CHECK(cudaMallocAsync(&first, 1, stream));
    TESSERA_CUDA_CHECK(cudaFreeAsync(first, stream));
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
  }
  return {device, stream};
}

std::string memory_space_mismatch(Host const&, void const* memory) {
  if (memory == nullptr) return {};
  auto const found = attributes_of(memory);
  return found.type == cudaMemoryTypeDevice ? on_device(found.device) : std::string();
}

std::string memory_space_mismatch(Cuda const& space, void const* memory) {
  if (memory == nullptr) return {};
  auto const found = attributes_of(memory);
  if (found.type == cudaMemoryTypeManaged) return {};
  if (found.type != cudaMemoryTypeDevice) return "in the memory of the host";
  return found.device == space.device ? std::string() : on_device(found.device);
}

int device_of(void const* memory) {
  if (memory == nullptr) return -1;
  auto const found = attributes_of(memory);
  return found.type == cudaMemoryTypeDevice ? found.device : -1;
}

}  // namespace Tessera::core
