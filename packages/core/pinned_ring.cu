#include <algorithm>
#include <cstdint>
#include <cstring>

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

/// By all threads.
void copy_on_host(char const* source, char* target, std::size_t bytes) {
  auto const words = bytes / sizeof(std::uint64_t), whole = words * sizeof(std::uint64_t);
  for_each(Host{}, words, CopyWord{source, target});
  std::memcpy(target + whole, source + whole, bytes - whole);
}

}  // namespace

PinnedRing& PinnedRing::of_process() {
  static auto& ring = *new PinnedRing;  // never destroyed: the driver may be gone before static objects are
  return ring;
}

void PinnedRing::prepare() {
  if (memory_ != nullptr) return;
  for (auto& event : travelled_) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  TESSERA_CUDA_CHECK(cudaMallocHost(&memory_, piece * buffers));
}

void PinnedRing::upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  for (std::size_t k = 0; k * piece < bytes; ++k) {
    auto const at = k * piece, size = std::min(piece, bytes - at);
    TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(k)));
    copy_on_host(source + at, buffer(k), size);
    TESSERA_CUDA_CHECK(cudaMemcpyAsync(target + at, buffer(k), size, cudaMemcpyHostToDevice, stream));
    TESSERA_CUDA_CHECK(cudaEventRecord(travelled(k), stream));
  }
}

void PinnedRing::download(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  auto const pieces = (bytes + piece - 1) / piece;
  auto const length = [&](std::size_t k) { return std::min(piece, bytes - k * piece); };
  for (std::size_t k = 0; k < pieces + buffers; ++k) {
    if (k >= buffers) {  // the piece that this buffer has held
      auto const arrived = k - buffers;
      TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(arrived)));
      copy_on_host(buffer(arrived), target + arrived * piece, length(arrived));
    }
    if (k >= pieces) continue;
    if (k < buffers) TESSERA_CUDA_CHECK(cudaEventSynchronize(travelled(k)));  // an upload's
    TESSERA_CUDA_CHECK(
        cudaMemcpyAsync(buffer(k), source + k * piece, length(k), cudaMemcpyDeviceToHost, stream));
    TESSERA_CUDA_CHECK(cudaEventRecord(travelled(k), stream));
  }
}

}  // namespace Tessera::core
