#include "core/array.hpp"
#include "core/cuda_check.cuh"

namespace Tessera::core {

void copy_bytes(Host const&, void const* source, Cuda const& to, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, to.stream));
  // The caller may reuse a pageable source at once: the driver staged it. A pinned one it may not.
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(to.stream));
}

void copy_bytes(Cuda const& from, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, from.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(from.stream));
}

void copy_bytes(Cuda const& from, void const* source, Cuda const&, void* target, std::size_t bytes) {
  if (bytes != 0)
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, from.stream));
}

}  // namespace Tessera::core
