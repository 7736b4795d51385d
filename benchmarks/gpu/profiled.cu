#include "gpu/profiled.hpp"

#include <cuda_profiler_api.h>

#include "core/cuda_check.cuh"

namespace Tessera::benchmarks {

void start_profiler() {
  TESSERA_CUDA_CHECK(cudaProfilerStart());
}

void stop_profiler() {
  TESSERA_CUDA_CHECK(cudaProfilerStop());
}

}  // namespace Tessera::benchmarks
