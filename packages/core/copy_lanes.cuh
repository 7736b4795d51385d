#pragma once
/// \file
/// Long copies between pageable host memory and a device.
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <mutex>
#include <vector>

namespace Tessera::core {

/// The driver copies pageable memory by one thread, at a tenth of the bus' speed. Here each of several
/// threads carries pieces through two pinned slots of its own, on a stream of its own, and waits for no
/// other: one piece travels while the next is copied. On an H200 with PCIe 5 x16 one thread reaches 8 GB/s, 8
/// reach 36, 16 reach 50; the bus has 55. Slots are allocated once for the process and device.
class CopyLanes {
 public:
  static CopyLanes& of_device(int device);
  /// Allocates the slots of as many lanes as copies take now, which the first copy does else. Where pinned
  /// memory is short, there are fewer lanes.
  /// \throws OutOfMemory where there is none for one lane
  void prepare();

  /// Enqueues the copy, behind the stream's work; the source may be reused on return.
  void upload(char const* source, char* target, std::size_t bytes, cudaStream_t stream);
  /// Done on return.
  void download(char const* source, char* target, std::size_t bytes, cudaStream_t stream);

  /// What a thread carries at a time.
  static constexpr std::size_t piece = std::size_t{2} << 20;

 private:
  static constexpr std::size_t slots = 2;
  struct Lane {
    std::array<char*, slots> slot{};
    std::array<cudaEvent_t, slots> travelled{};  ///< the last copy from or to a slot is over
    cudaStream_t stream = nullptr;
    cudaEvent_t done = nullptr;
  };
  /// A copy whose pieces lanes claim.
  struct Job;

  void add_lane();
  cudaError_t carry_up(Lane const& lane, Job& job) const;
  cudaError_t carry_down(Lane const& lane, Job& job) const;
  /// Runs carry(lane, job) by several threads; returns with how many.
  template <class Carry>
  std::size_t by_threads(Job& job, cudaStream_t stream, Carry const& carry);

  explicit CopyLanes(int device) : device_(device) {}

  int device_;
  std::mutex mutex_;
  std::vector<Lane> lanes_;
  cudaEvent_t begun_ = nullptr;  ///< what the stream has done before the copy
};

}  // namespace Tessera::core
