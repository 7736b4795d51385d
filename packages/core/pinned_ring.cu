#include <omp.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "core/cuda_check.cuh"
#include "core/pinned_ring.cuh"

namespace Tessera::core {
namespace {

/// As many as keep a GPU's bus busy. Processes of one host have that many each: with all their threads they
/// would be more than its cores, and wait for each other.
constexpr int most_threads = 8;

/// By several threads, where `threaded`.
void copy_on_host(char const* source, char* target, std::size_t bytes, bool threaded) {
  auto const parts = static_cast<std::size_t>(threaded ? std::min(omp_get_max_threads(), most_threads) : 1);
  auto const begin_of = [=](std::size_t part) { return bytes * part / parts; };
#pragma omp parallel for schedule(static, 1) num_threads(parts) if (parts > 1)
  for (std::size_t part = 0; part < parts; ++part) {
    auto const begin = begin_of(part);
    std::memcpy(target + begin, source + begin, begin_of(part + 1) - begin);
  }
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
