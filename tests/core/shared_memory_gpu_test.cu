#include "core/kernels.cuh"

#include <gtest/gtest.h>

#include <string>

#include "core/array.hpp"
#include "core/parallel.hpp"
#include "support/device.hpp"

namespace Tessera::core {
namespace {

/// Writes the last byte of what its block has.
__global__ void touch_kernel(int bytes, int* result) {
  extern __shared__ unsigned char shared[];
  shared[bytes - 1] = 7;
  *result = shared[bytes - 1];
}

TEST(SharedMemoryOnTheGpu, OfABlockIsAllThatTheDeviceHas) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const space = test::device_of_rank();
  int most = 0;
  ASSERT_EQ(cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, space.device),
            cudaSuccess);
  allow_shared_memory(touch_kernel, static_cast<std::size_t>(most));
  Array<int, Cuda> result(space, 1);
  touch_kernel<<<1, 1, most, space.stream>>>(most, result.data());
  EXPECT_EQ(to_vector(space, result.view())[0], 7);
}

TEST(SharedMemoryOnTheGpu, ThatTheDeviceLacksIsRefusedWithTheReason) {
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

}  // namespace
}  // namespace Tessera::core
