#pragma once
/// \file
/// The resources of a process, before and after work that must release all of them.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <limits>

#include "core/memory.hpp"

namespace Tessera::test {

/// Communicators that are not freed and requests that are not complete, where count_mpi_objects.cpp is
/// linked.
std::int64_t mpi_communicators();
std::int64_t mpi_requests();

/// What the process has from its heap, or all processes from the device.
std::int64_t bytes_of_system(Host const& space);
std::int64_t bytes_of_system(Cuda const& space);

/// What the smallest leak takes in so many runs: half of a block of the heap in each, and of a device, whose
/// driver gives pages of 2 MiB and takes some for itself, a few of these.
inline std::int64_t least_leak(Host const&, int times) {
  return std::int64_t{16} * times;
}
inline std::int64_t least_leak(Cuda const&, int) {
  return std::int64_t{8} << 20;
}

template <class Space>
struct Held {
  std::int64_t system, host_arrays, arrays, communicators, requests;

  explicit Held(Space const& space)
      : system(bytes_of_system(space)),
        host_arrays(static_cast<std::int64_t>(core::memory_use(Host{}).in_use)),
        arrays(static_cast<std::int64_t>(core::memory_use(space).in_use)),
        communicators(mpi_communicators()),
        requests(mpi_requests()) {}
};

/// Pools of MPI and of the driver grow in jumps, a leak in each quarter of the runs.
template <class Space, class Work>
void expect_nothing_is_left(Space const& space, int times, Work const& work) {
  for (int k = 0; k < 50; ++k) work();
  auto smallest = std::numeric_limits<std::int64_t>::max();
  for (int quarter = 0; quarter < 4; ++quarter) {
    Held<Space> const before(space);
    for (int k = 0; k < times / 4; ++k) work();
    Held<Space> const after(space);
    EXPECT_EQ(after.host_arrays, before.host_arrays);
    EXPECT_EQ(after.arrays, before.arrays);
    EXPECT_EQ(after.communicators, before.communicators);
    EXPECT_EQ(after.requests, before.requests);
    smallest = std::min(smallest, after.system - before.system);
  }
  EXPECT_LT(smallest, least_leak(space, times / 4));
}

}  // namespace Tessera::test
