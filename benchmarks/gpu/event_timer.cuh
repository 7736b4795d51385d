#pragma once
/// \file
/// Seconds on the device.
#include <cuda_runtime.h>

#include <algorithm>
#include <vector>

#include "core/cuda_check.cuh"
#include "core/space.hpp"

namespace Tessera::benchmarks {

class EventTimer {
 public:
  explicit EventTimer(Cuda const& space) : stream_(space.stream) {
    TESSERA_CUDA_CHECK(cudaEventCreate(&begin_));
    TESSERA_CUDA_CHECK(cudaEventCreate(&end_));
  }
  EventTimer(EventTimer const&) = delete;
  EventTimer& operator=(EventTimer const&) = delete;
  ~EventTimer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }

  /// The median of `repetitions` times of one call of work, each taken over `calls` in a row, so that what is
  /// measured is the device and not the launch; after a first round that is not counted.
  template <class Work>
  double median(Work const& work, int repetitions = 51, int calls = 5) {
    std::vector<float> milliseconds;
    for (int k = 0; k <= repetitions; ++k) {
      TESSERA_CUDA_CHECK(cudaEventRecord(begin_, stream_));
      for (int c = 0; c < calls; ++c) work();
      TESSERA_CUDA_CHECK(cudaEventRecord(end_, stream_));
      TESSERA_CUDA_CHECK(cudaEventSynchronize(end_));
      float elapsed = 0;
      TESSERA_CUDA_CHECK(cudaEventElapsedTime(&elapsed, begin_, end_));
      if (k > 0) milliseconds.push_back(elapsed / static_cast<float>(calls));
    }
    std::nth_element(milliseconds.begin(), milliseconds.begin() + repetitions / 2, milliseconds.end());
    return 1e-3 * milliseconds[repetitions / 2];
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{}, end_{};
};

}  // namespace Tessera::benchmarks
