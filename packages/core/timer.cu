#include "core/timer.hpp"

#include <cuda_runtime.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>

#include "core/cuda_check.cuh"

namespace Tessera::core {
namespace {

cudaEvent_t as_event(void* event) {
  return static_cast<cudaEvent_t>(event);
}

nvtxDomainHandle_t nvtx_domain() {
  static nvtxDomainHandle_t const handle = nvtxDomainCreateA("Tessera");
  return handle;
}

}  // namespace

// NVTX is a header, whose calls return at once without a profiler.
void detail::push_range(char const* name, int level) {
  char text[40];
  if (level >= 0) std::snprintf(text, sizeof text, "%s %d", name, level);
  nvtxEventAttributes_t range{};
  range.version = NVTX_VERSION;
  range.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  range.messageType = NVTX_MESSAGE_TYPE_ASCII;
  range.message.ascii = level >= 0 ? text : name;
  nvtxDomainRangePushEx(nvtx_domain(), &range);
}

void detail::pop_range() {
  nvtxDomainRangePop(nvtx_domain());
}

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
