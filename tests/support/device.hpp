#pragma once
/// \file
/// Tests that need a GPU.
#include <gtest/gtest.h>
#include <mpi.h>

#include "core/device.hpp"

namespace Tessera::test {

/// Ranks take devices in turn: each rank its own if there are enough.
inline core::Cuda device_of_rank() {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  return core::make_cuda(rank % static_cast<int>(core::cuda_devices().size()));
}

}  // namespace Tessera::test

/// Skips the test if there is no device. ctest looks for the message.
#define TESSERA_SKIP_WITHOUT_DEVICE()                                                  \
  if (auto const reason = ::Tessera::core::cuda_unavailable_reason(); !reason.empty()) \
  GTEST_SKIP() << "no CUDA device can be used: " << reason
