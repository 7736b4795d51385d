#include "core/array.hpp"

#include "core/copy_lanes.cuh"
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

/// Whether a copy goes without buffers of ours, which long ones from or to pinned memory do.
bool goes_directly(void const* host, std::size_t bytes) {
  return bytes >= PinnedRing::is_long && is_pinned(host);
}

void copy_and_wait(void* target, void const* source, std::size_t bytes, cudaMemcpyKind way,
                   cudaStream_t stream) {
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, way, stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
}

}  // namespace

void copy_bytes(Host const&, void const* source, Cuda const& to, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_device(bytes);
  if (goes_directly(source, bytes))  // the caller may reuse the source
    return copy_and_wait(target, source, bytes, cudaMemcpyHostToDevice, to.stream);
  auto const* const here = static_cast<char const*>(source);
  auto* const there = static_cast<char*>(target);
  if (bytes > PinnedRing::longest)
    return CopyLanes::of_device(to.device).upload(here, there, bytes, to.stream);
  PinnedRing::of_device(to.device).upload(here, there, bytes, to.stream);
}

void copy_bytes(Cuda const& from, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_host(bytes);
  if (goes_directly(target, bytes))
    return copy_and_wait(target, source, bytes, cudaMemcpyDeviceToHost, from.stream);
  auto const* const there = static_cast<char const*>(source);
  auto* const here = static_cast<char*>(target);
  if (bytes > PinnedRing::longest)
    return CopyLanes::of_device(from.device).download(there, here, bytes, from.stream);
  PinnedRing::of_device(from.device).download(there, here, bytes, from.stream);
}

void copy_bytes(Cuda const& from, void const* source, Cuda const&, void* target, std::size_t bytes) {
  if (bytes != 0)
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice, from.stream));
}

}  // namespace Tessera::core
