#include "core/timer.hpp"

#include <cuda_runtime.h>

#include "core/cuda_check.cuh"

namespace Tessera::core {
namespace {

cudaEvent_t as_event(void* event) {
  return static_cast<cudaEvent_t>(event);
}

}  // namespace

TimePoint<Cuda>::TimePoint(Cuda const& space) {
  cudaEvent_t event;
  TESSERA_CUDA_CHECK(cudaEventCreate(&event));
  event_ = event;
  record(space);
}

void TimePoint<Cuda>::record(Cuda const& space) {
  TESSERA_CUDA_CHECK(cudaEventRecord(as_event(event_), space.stream));
}

TimePoint<Cuda>::~TimePoint() {
  if (event_ != nullptr) cudaEventDestroy(as_event(event_));
}

double TimePoint<Cuda>::seconds_to(TimePoint const& later) const {
  float milliseconds = 0;
  TESSERA_CUDA_CHECK(cudaEventSynchronize(as_event(later.event_)));
  TESSERA_CUDA_CHECK(cudaEventElapsedTime(&milliseconds, as_event(event_), as_event(later.event_)));
  return 1e-3 * static_cast<double>(milliseconds);
}

}  // namespace Tessera::core
