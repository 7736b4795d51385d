#include "core/array.hpp"

#include "core/cuda_check.cuh"
#include "core/pinned_ring.cuh"
#include "core/transfer_bytes.hpp"

namespace Tessera::core {
namespace {

/// Whether the device can reach memory by itself.
bool is_pinned(void const* host) {
  cudaPointerAttributes attributes;
  TESSERA_CUDA_CHECK(cudaPointerGetAttributes(&attributes, host));
  return attributes.type != cudaMemoryTypeUnregistered;
}

/// Whether a copy goes without the ring, which long ones from or to pinned memory do.
bool goes_directly(void const* host, std::size_t bytes) {
  return bytes >= PinnedRing::is_long && is_pinned(host);
}

}  // namespace

void copy_bytes(Host const&, void const* source, Cuda const& to, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_device(bytes);
  if (!goes_directly(source, bytes)) {
    return PinnedRing::of_device(to.device).upload(static_cast<char const*>(source),
                                                   static_cast<char*>(target), bytes, to.stream);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, to.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(to.stream));  // the caller may reuse the source
}

void copy_bytes(Cuda const& from, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_host(bytes);
  if (!goes_directly(target, bytes)) {
    return PinnedRing::of_device(from.device)
        .download(static_cast<char const*>(source), static_cast<char*>(target), bytes, from.stream);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToHost, from.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(from.stream));
}

void copy_bytes(Cuda const& from, void const* source, Cuda const&, void* target, std::size_t bytes) {
  if (bytes != 0)
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, from.stream));
}

}  // namespace Tessera::core
