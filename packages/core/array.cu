#include "core/array.hpp"

#include <omp.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/cuda_check.cuh"
#include "core/pinned_ring.cuh"

namespace Tessera::core {
namespace {

/// Threads that saturate the bus of a GPU. Each process of a host has as many; more of them would outnumber
/// the cores of the host, and wait for each other.
constexpr int max_threads = 8;

/// Copies by several threads if `threaded`.
void copy_on_host(char const* source, char* target, std::size_t bytes, bool threaded) {
  auto const parts = static_cast<std::size_t>(threaded ? std::min(omp_get_max_threads(), max_threads) : 1);
  auto const begin_of = [=](std::size_t part) { return bytes * part / parts; };
#pragma omp parallel for schedule(static, 1) num_threads(parts) if (parts > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    auto const begin = begin_of(part);
    std::memcpy(target + begin, source + begin, begin_of(part + 1) - begin);
  }
}

/// Whether the device can access this memory of the host.
bool is_pinned(void const* host) {
  cudaPointerAttributes attributes;
  TESSERA_CUDA_CHECK(cudaPointerGetAttributes(&attributes, host));
  return attributes.type != cudaMemoryTypeUnregistered;
}

/// Whether a copy bypasses the ring: a long copy from or to pinned memory does.
bool bypasses_ring(void const* host, std::size_t bytes) {
  return bytes >= PinnedRing::long_copy && is_pinned(host);
}

}  // namespace

PinnedRing& PinnedRing::of_device(int device) {
  static std::mutex mutex;
  static auto& rings = *new std::map<int, PinnedRing>;  // never destroyed: the driver may be gone before
  std::lock_guard const lock(mutex);
  return rings[device];
}

void PinnedRing::prepare() {
  if (memory_ != nullptr) return;
  for (auto& event : copied_) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  TESSERA_CUDA_CHECK(cudaMallocHost(&memory_, piece * buffers));
}

char* PinnedRing::room(std::size_t bytes, cudaStream_t stream) {
  if (used_ + bytes > piece || stream != stream_) {
    ++current_;
    used_ = 0;
    stream_ = stream;
    TESSERA_CUDA_CHECK(cudaEventSynchronize(copied_event(current_)));
  }
  auto* const result = buffer(current_) + used_;
  used_ += (bytes + alignment - 1) / alignment * alignment;
  return result;
}

void PinnedRing::upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  for (std::size_t at = 0; at < bytes; at += piece) {
    auto const size = std::min(piece, bytes - at);
    auto* const pinned = room(size, stream);
    copy_on_host(source + at, pinned, size, bytes > piece);
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target + at, pinned, size, cudaMemcpyHostToDevice, stream));
    TESSERA_CUDA_CHECK(cudaEventRecord(copied_event(current_), stream));
  }
}

void PinnedRing::download(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  if (bytes < long_copy) {
    auto* const pinned = room(bytes, stream);
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(pinned, source, bytes, cudaMemcpyDeviceToHost, stream));
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
    std::memcpy(target, pinned, bytes);
    return;
  }
  used_ = piece;  // the next upload uses another buffer
  auto const pieces = (bytes + piece - 1) / piece;
  auto const length = [&](std::size_t k) { return std::min(piece, bytes - k * piece); };
  for (std::size_t k = 0; k < pieces + buffers; ++k) {
    if (k >= buffers) {  // empty the buffer before its next piece
      auto const arrived = k - buffers;
      TESSERA_CUDA_CHECK(cudaEventSynchronize(copied_event(arrived)));
      copy_on_host(buffer(arrived), target + arrived * piece, length(arrived), pieces > 1);
    }
    if (k >= pieces) continue;
    if (k < buffers) TESSERA_CUDA_CHECK(cudaEventSynchronize(copied_event(k)));  // of an earlier upload
    TESSERA_CUDA_CHECK(
        cudaMemcpyAsync(buffer(k), source + k * piece, length(k), cudaMemcpyDeviceToHost, stream));
    TESSERA_CUDA_CHECK(cudaEventRecord(copied_event(k), stream));
  }
}

void copy_bytes(Host const&, void const* source, Cuda const& to, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_device(bytes);
  if (!bypasses_ring(source, bytes)) {
    return PinnedRing::of_device(to.device).upload(static_cast<char const*>(source),
                                                   static_cast<char*>(target), bytes, to.stream);
  }
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, source, bytes, cudaMemcpyHostToDevice, to.stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(to.stream));  // the caller may reuse the source
}

void copy_bytes(Cuda const& from, void const* source, Host const&, void* target, std::size_t bytes) {
  if (bytes == 0) return;
  count_to_host(bytes);
  if (!bypasses_ring(target, bytes)) {
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
