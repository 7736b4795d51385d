// On a GPU.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include "core/cuda_check.cuh"
#include "multigrid/leaks.hpp"
#include "support/device.hpp"

namespace Tessera::test {

std::int64_t bytes_of_system(Cuda const& space) {
  core::synchronize(space);
  std::size_t free = 0, all = 0;
  TESSERA_CUDA_CHECK(cudaMemGetInfo(&free, &all));
  return static_cast<std::int64_t>(all - free);
}

namespace {

/// Ranks that share a GPU take turns there.
int times_on_one_rank(int times) {
  return world().size() == 1 ? times : times / 5;
}

TEST(CudaLeaks, ThereAreNoneOfSmoothedAggregation) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Lives<Cuda>{device_of_rank()}.expect_no_leaks(times_on_one_rank(1000), small_levels());
}

TEST(CudaLeaks, ThereAreNoneOfUnsmoothedAggregationWithKCycles) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Lives<Cuda>{device_of_rank()}.expect_no_leaks(times_on_one_rank(300), with_k_cycles());
}

TEST(CudaLeaks, ThereAreNoneOfMatchings) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Lives<Cuda>{device_of_rank()}.expect_no_leaks(times_on_one_rank(300), with_matchings());
}

TEST(CudaLeaks, ThereAreNoneOfFsai) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Lives<Cuda>{device_of_rank()}.expect_no_leaks_of_fsai(times_on_one_rank(300));
}

TEST(CudaLeaks, ThereAreNoneOfSetupsThatFail) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Lives<Cuda>{device_of_rank()}.expect_no_leaks_of_setups_that_fail(times_on_one_rank(300));
}

}  // namespace
}  // namespace Tessera::test
