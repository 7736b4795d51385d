#pragma once
/// \file
/// Pageable host memory to a device and back, through a ring of pinned buffers.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <mutex>

namespace Tessera::core {

/// The driver copies pageable memory by one thread and waits; here all threads fill one pinned buffer while
/// others travel. The buffers are allocated once for the process.
class PinnedRing {
 public:
  /// From where on the ring is worth its overhead.
  static constexpr std::size_t worthwhile = std::size_t{256} << 10;

  static PinnedRing& of_process();

  /// Enqueues the copy; the source may be reused on return.
  void upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream);
  /// Done on return.
  void download(char const* source, char* target, std::size_t bytes, cudaStream_t stream);

 private:
  /// Large enough that threads which slept have woken long before it is copied.
  static constexpr std::size_t piece = std::size_t{4} << 20;
  static constexpr int buffers = 4;

  void prepare();
  char* buffer(std::size_t k) { return memory_ + k % buffers * piece; }
  cudaEvent_t travelled(std::size_t k) { return travelled_[k % buffers]; }

  std::mutex mutex_;
  char* memory_ = nullptr;
  std::array<cudaEvent_t, buffers> travelled_{};  ///< the copy from or to a buffer is over
};

}  // namespace Tessera::core
