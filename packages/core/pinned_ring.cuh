#pragma once
/// \file
/// Pageable host memory to a device and back, through a ring of pinned buffers.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <mutex>

namespace Tessera::core {

/// The driver copies pageable memory by one thread and waits; here several threads fill one pinned buffer
/// while others travel, and short copies to a device, which lie side by side in one buffer, wait for nothing.
/// What fits into one buffer is copied by one thread: where processes of a host have more threads than it has
/// cores, waking them took 15 to 22 ms on a host with two H200, and half a megabyte takes 0.05. The buffers
/// are allocated once for the process and device.
class PinnedRing {
 public:
  /// From where on copies are long: what is pinned already goes without buffers.
  static constexpr std::size_t is_long = std::size_t{256} << 10;

  static PinnedRing& of_device(int device);
  /// Allocates the buffers, which the first copy does else.
  void prepare();

  /// Enqueues the copy; the source may be reused on return.
  void upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream);
  /// Done on return.
  void download(char const* source, char* target, std::size_t bytes, cudaStream_t stream);

 private:
  /// Large enough that threads which slept have woken long before several are copied.
  static constexpr std::size_t piece = std::size_t{4} << 20;
  static constexpr int buffers = 4;
  static constexpr std::size_t alignment = 256;

  char* buffer(std::size_t k) { return memory_ + k % buffers * piece; }
  cudaEvent_t travelled(std::size_t k) { return travelled_[k % buffers]; }
  /// Room for so many bytes (at most a piece), in the current buffer or the next, on this stream.
  char* room(std::size_t bytes, cudaStream_t stream);

  std::mutex mutex_;
  char* memory_ = nullptr;
  std::array<cudaEvent_t, buffers> travelled_{};  ///< the copies from or to a buffer are over
  std::size_t current_ = 0, used_ = 0;            ///< buffer, and its bytes
  cudaStream_t stream_ = nullptr;                 ///< on which the current buffer's copies are
};

}  // namespace Tessera::core
