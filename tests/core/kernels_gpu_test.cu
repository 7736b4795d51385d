#include "core/kernels.cuh"

#include <cuda.h>
#include <gtest/gtest.h>

#include <string>

#include "core/array.hpp"
#include "core/parallel.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

/// Writes the last byte of the shared memory of its block.
__global__ void touch_kernel(int bytes, int* result) {
  extern __shared__ unsigned char shared[];
  shared[bytes - 1] = 7;
  *result = shared[bytes - 1];
}

TEST(SharedMemoryOnTheGpu, ABlockMayHaveAllOfTheDevice) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const space = test::device_of_rank();
  int largest = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&largest, cudaDevAttrMaxSharedMemoryPerBlockOptin, space.device),
            cudaSuccess);
  allow_shared_memory(touch_kernel, static_cast<std::size_t>(largest));
  Array<int, Cuda> result(space, 1);
  touch_kernel<<<1, 1, largest, space.stream>>>(largest, result.data());
  EXPECT_EQ(to_vector(space, result.view())[0], 7);
}

TEST(SharedMemoryOnTheGpu, MoreThanTheDeviceHasIsRefusedWithTheReason) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  test::device_of_rank();
  try {
    allow_shared_memory(touch_kernel, std::size_t{1} << 20);
    FAIL() << "a megabyte was granted";
  } catch (Unavailable const& error) {
    EXPECT_NE(std::string(error.what()).find("needs 1048576 bytes of shared memory"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

__global__ void never_launched(int* target) {
  *target = 1;
}

/// Whether the kernel is loaded; the query does not load it.
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
  EXPECT_TRUE(is_loaded(reinterpret_cast<void const*>(&never_launched)));
}

}  // namespace
}  // namespace Tessera::core
