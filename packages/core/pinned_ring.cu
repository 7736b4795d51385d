#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>

#include "core/cuda_check.cuh"
#include "core/parallel_host.hpp"
#include "core/pinned_ring.cuh"

namespace Tessera::core {
namespace {

struct CopyWord {
  char const* source;
  char* target;
  void operator()(Index i) const {
    auto const at = static_cast<std::size_t>(i) * sizeof(std::uint64_t);
    std::memcpy(target + at, source + at, sizeof(std::uint64_t));
  }
};

/// By all threads, where `threaded`.
void copy_on_host(char const* source, char* target, std::size_t bytes, bool threaded) {
  if (!threaded) {
    std::memcpy(target, source, bytes);
    return;
  }
  auto const words = bytes / sizeof(std::uint64_t), whole = words * sizeof(std::uint64_t);
  for_each(Host{}, words, CopyWord{source, target});
  std::memcpy(target + whole, source + whole, bytes - whole);
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
  for (auto& event : travelled_) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  TESSERA_CUDA_CHECK(cudaMallocHost(&memory_, piece * buffers));
}

char* PinnedRing::room(std::size_t bytes, cudaStream_t stream) {
  if (used_ + bytes > piece || stream != stream_) {
    ++current_;
    used_ = 0;
    stream_ = stream;
    TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(current_)));
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
    TESSERA_CUDA_CHECK(cudaEventRecord(travelled(current_), stream));
  }
}

void PinnedRing::download(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  if (bytes < is_long) {
    auto* const pinned = room(bytes, stream);
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(pinned, source, bytes, cudaMemcpyDeviceToHost, stream));
    TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
    std::memcpy(target, pinned, bytes);
    return;
  }
  used_ = piece;  // whatever is uploaded next goes to another buffer
  auto const pieces = (bytes + piece - 1) / piece;
  auto const length = [&](std::size_t k) { return std::min(piece, bytes - k * piece); };
  for (std::size_t k = 0; k < pieces + buffers; ++k) {
    if (k >= buffers) {  // the piece that this buffer has held
      auto const arrived = k - buffers;
      TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(arrived)));
      copy_on_host(buffer(arrived), target + arrived * piece, length(arrived), pieces > 1);
    }
    if (k >= pieces) continue;
    if (k < buffers) TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(k)));  // an upload's
    TESSERA_CUDA_CHECK(
        cudaMemcpyAsync(buffer(k), source + k * piece, length(k), cudaMemcpyDeviceToHost, stream));
    TESSERA_CUDA_CHECK(cudaEventRecord(travelled(k), stream));
  }
}

}  // namespace Tessera::core
