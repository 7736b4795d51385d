#include "core/array.hpp"
#include "core/cuda_check.cuh"
#include "core/pinned_ring.cuh"
#include "core/transfer_bytes.hpp"

namespace Tessera::core {
namespace {

/// Whether a copy gains by the ring: large, and from or to memory that the device cannot reach by itself.
bool through_ring(void const* host, std::size_t bytes) {
  if (bytes < PinnedRing::worthwhile) return false;
  cudaPointerAttributes attributes;
  TESSERA_CUDA_CHECK(cudaPointerGetAttributes(&attributes, host));
  return attributes.type == cudaMemoryTypeUnregistered;
}

}  // namespace

void copy_bytes(Host const&, void const* source, Cuda const& to, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_device(bytes);
  if (through_ring(source, bytes)) {
    return PinnedRing::of_process().upload(static_cast<char const*>(source), static_cast<char*>(target),
                                           bytes, to.stream);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, to.stream));
  // The caller may reuse a pageable source at once: the driver staged it. A pinned one it may not.
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(to.stream));
}

void copy_bytes(Cuda const& from, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_host(bytes);
  if (through_ring(target, bytes)) {
    return PinnedRing::of_process().download(static_cast<char const*>(source), static_cast<char*>(target),
                                             bytes, from.stream);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, from.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(from.stream));
}

void copy_bytes(Cuda const& from, void const* source, Cuda const&, void* target, std::size_t bytes) {
  if (bytes != 0)
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, from.stream));
}

}  // namespace Tessera::core
