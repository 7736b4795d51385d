#include <cstring>
#include <map>

#include "core/cuda_check.cuh"
#include "core/pinned_ring.cuh"

namespace Tessera::core {

PinnedRing& PinnedRing::of_device(int device) {
  static std::mutex mutex;
  static auto& rings = *new std::map<int, PinnedRing>;  // never destroyed: the driver may be gone before
  std::lock_guard const lock(mutex);
  return rings[device];
}

void PinnedRing::prepare() {
  if (memory_ != nullptr) return;
  for (auto& event : travelled_) TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  TESSERA_CUDA_CHECK(cudaMallocHost(&memory_, longest * buffers));
}

char* PinnedRing::room(std::size_t bytes, cudaStream_t stream) {
  if (used_ + bytes > longest || stream != stream_) {
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
  auto* const pinned = room(bytes, stream);
  std::memcpy(pinned, source, bytes);
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(target, pinned, bytes, cudaMemcpyHostToDevice, stream));
  TESSERA_CUDA_CHECK(cudaEventRecord(travelled(current_), stream));
}

void PinnedRing::download(char const* source, char* target, std::size_t bytes, cudaStream_t stream) {
  std::lock_guard const lock(mutex_);
  prepare();
  auto* const pinned = room(bytes, stream);
  TESSERA_CUDA_CHECK(cudaMemcpyAsync(pinned, source, bytes, cudaMemcpyDeviceToHost, stream));
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(stream));
  std::memcpy(target, pinned, bytes);
}

}  // namespace Tessera::core
