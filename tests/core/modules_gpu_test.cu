#include <cuda.h>
#include <gtest/gtest.h>

#include "core/cuda_check.cuh"
#include "core/parallel.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

__global__ void launched_by_nobody(int* target) {
  *target = 1;
}

/// Whether the kernel has been loaded; asking does not load it.
bool is_loaded(void const* kernel) {
  cudaKernel_t known;
  TESSERA_CUDA_CHECK(cudaGetKernel(&known, kernel));
  void *function_of = nullptr, *is_loaded = nullptr;
  cudaDriverEntryPointQueryResult found;
  TESSERA_CUDA_CHECK(cudaGetDriverEntryPointByVersion("cuKernelGetFunction", &function_of, 12050,
                                                      cudaEnableDefault, &found));
  TESSERA_CUDA_CHECK(
      cudaGetDriverEntryPointByVersion("cuFuncIsLoaded", &is_loaded, 12050, cudaEnableDefault, &found));
  CUfunction function;
  CUfunctionLoadingState state = CU_FUNCTION_LOADING_STATE_UNLOADED;
  EXPECT_EQ(reinterpret_cast<decltype(cuKernelGetFunction)*>(function_of)(&function, known), CUDA_SUCCESS);
  EXPECT_EQ(reinterpret_cast<decltype(cuFuncIsLoaded)*>(is_loaded)(&state, function), CUDA_SUCCESS);
  return state == CU_FUNCTION_LOADING_STATE_LOADED;
}

TEST(ModulesOnTheGpu, AreLoadedWhenADeviceIsChosen) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  test::device_of_rank();
  EXPECT_TRUE(is_loaded(reinterpret_cast<void const*>(&launched_by_nobody)));
}

}  // namespace
}  // namespace Tessera::core
