// Builds with CUDA; reachable.cpp is its counterpart.
#include "core/reachable.hpp"

#include "core/cuda_check.cuh"

namespace Tessera::core {
namespace {

/// Without a driver, all memory is the host's.
cudaPointerAttributes attributes_of(void const* memory) {
  cudaPointerAttributes attributes{};
  attributes.type = cudaMemoryTypeUnregistered;
  if (cudaPointerGetAttributes(&attributes, memory) != cudaSuccess) cudaGetLastError();
  return attributes;
}

std::string on_device(int device) {
  return message("in the memory of device ", device);
}

}  // namespace

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
