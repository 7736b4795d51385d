#include "core/array.hpp"

#include <cstring>

#include "core/cuda_check.cuh"
#include "core/parallel_cuda.cuh"
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
  // A few numbers go by way of page-locked memory, since a copy to pageable memory takes the driver 10 us
  // more.
  auto* const first = bytes <= detail::result_bytes ? detail::result_buffer() : target;
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(first, source, bytes, cudaMemcpyDeviceToHost, from.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(from.stream));
  if (first != target) std::memcpy(target, first, bytes);
}

void copy_bytes(Cuda const& from, void const* source, Cuda const&, void* target, std::size_t bytes) {
  if (bytes != 0)
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, from.stream));
}

}  // namespace Tessera::core
