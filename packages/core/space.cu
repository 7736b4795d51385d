#include "core/space.hpp"

#include "core/cuda_check.cuh"

namespace Tessera::core {

void synchronize(Cuda const& space) {
  TESSERA_CUDA_CHECK(cudaStreamSynchronize(space.stream));
}

}  // namespace Tessera::core
