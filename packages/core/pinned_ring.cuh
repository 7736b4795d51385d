#pragma once
/// \file
/// Copies between pageable host memory and a device, through a ring of pinned buffers.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <mutex>

namespace Tessera::core {

/// The driver copies pageable memory by one thread, and waits. Here several threads fill one pinned buffer
/// while the device copies others. Short copies to a device share one buffer, and do not wait. One thread
/// copies an array that fits into one buffer: if the processes of a host have more threads than it has cores,
/// to wake threads took 15 to 22 ms on a host with two H200, but half a megabyte takes 0.05 ms. The buffers
/// are allocated once for the process and the device.
class PinnedRing {
 public:
  /// Bytes from which on a copy is long: it bypasses the buffers if its memory is already pinned.
  static constexpr std::size_t long_copy = std::size_t{256} << 10;

  static PinnedRing& of_device(int device);
  /// Allocates the buffers; otherwise the first copy does.
  void prepare();

  /// Enqueues the copy; the caller may reuse the source on return.
  void upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream);
  /// Complete on return.
  void download(char const* source, char* target, std::size_t bytes, cudaStream_t stream);

 private:
  /// So large that sleeping threads have woken long before several pieces are copied.
  static constexpr std::size_t piece = std::size_t{4} << 20;
  static constexpr int buffers = 4;
  static constexpr std::size_t alignment = 256;

  char* buffer(std::size_t k) { return memory_ + k % buffers * piece; }
  cudaEvent_t copied_event(std::size_t k) { return copied_[k % buffers]; }
  /// Room for `bytes` bytes (at most a piece), in the current buffer or the next one, on this stream.
  char* room(std::size_t bytes, cudaStream_t stream);

  std::mutex mutex_;
  char* memory_ = nullptr;
  std::array<cudaEvent_t, buffers> copied_{};  ///< all copies from or to a buffer are complete
  std::size_t current_ = 0, used_ = 0;         ///< the current buffer, and its used bytes
  cudaStream_t stream_ = nullptr;              ///< stream of the current buffer's copies
};

}  // namespace Tessera::core
