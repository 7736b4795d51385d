// On the host.
#include "multigrid/leaks.hpp"

#include <gtest/gtest-spi.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <memory>
#include <vector>

namespace Tessera::test {

// Exact while free blocks go back at once (CMakeLists.txt).
std::int64_t bytes_of_system(Host const&) {
  auto const all = mallinfo2();
  return static_cast<std::int64_t>(all.uordblks + all.hblkhd);
}

namespace {

Lives<Host> const lives;

TEST(Leaks, ThereAreNoneOfSmoothedAggregation) {
  lives.expect_no_leaks(1000, small_levels());
}

TEST(Leaks, ThereAreNoneOfUnsmoothedAggregationWithKCycles) {
  lives.expect_no_leaks(500, with_k_cycles());
}

TEST(Leaks, ThereAreNoneOfMatchings) {
  lives.expect_no_leaks(500, with_matchings());
}

TEST(Leaks, ThereAreNoneOfABootstrap) {
  lives.expect_no_leaks<multigrid::Bootstrap<float, Host>>(200, with_components());
}

TEST(Leaks, ThereAreNoneOfFsai) {
  lives.expect_no_leaks_of_fsai(1000);
}

TEST(Leaks, ThereAreNoneOfSetupsThatFail) {
  lives.expect_no_leaks_of_setups_that_fail(1000);
}

TEST(Leaks, ABlockOfTheHeapIsSeen) {
  auto const leaks_every = [](int runs) {
    std::vector<std::unique_ptr<char>> leaked;
    leaked.reserve(2000);
    int k = 0;
    expect_nothing_is_left(Host{}, 1000, [&] {
      if (++k % runs == 0) leaked.push_back(std::make_unique<char>());
    });
  };
  leaks_every(20);
  EXPECT_NONFATAL_FAILURE(leaks_every(1), "smallest");
}

TEST(Leaks, OneOfEachKindIsSeen) {
  auto const held = [] { return Held<Host>(Host{}); };
  auto const before = held();
  auto const text = std::make_unique<std::array<char, 2000>>();
  Array<char, Host> const array(Host{}, 3000);
  comm::Communicator const comm(MPI_COMM_SELF);
  MPI_Request request = MPI_REQUEST_NULL;
  char message = 0;
  MPI_Irecv(&message, 1, MPI_BYTE, 0, 7, comm.raw(), &request);
  auto const after = held();
  EXPECT_GE(after.system, before.system + 5000);
  EXPECT_EQ(after.arrays, before.arrays + 3000);
  EXPECT_EQ(after.communicators, before.communicators + 1);
  EXPECT_EQ(after.requests, before.requests + 1);
  MPI_Send(&message, 1, MPI_BYTE, 0, 7, comm.raw());
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  EXPECT_EQ(held().requests, before.requests);
}

}  // namespace
}  // namespace Tessera::test
