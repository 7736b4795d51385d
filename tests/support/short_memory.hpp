#pragma once
/// \file
/// Memory limits on one rank.
#include <gtest/gtest.h>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/memory_account.hpp"

namespace Tessera::test {

/// Limits this rank's memory to `more` bytes above the present use, until destruction.
template <class Space>
class ShortMemory {
 public:
  ShortMemory(Space const& space, std::size_t more) : space_(space) {
    core::limit_memory(space, core::memory_use(space).in_use + more);
  }
  ShortMemory(ShortMemory const&) = delete;
  ShortMemory& operator=(ShortMemory const&) = delete;
  ~ShortMemory() { core::limit_memory(space_, static_cast<std::size_t>(-1)); }

 private:
  Space space_;
};

template <class Work>
bool runs_out_of_memory(Work const& work) {
  try {
    work();
  } catch (core::OutOfMemory const&) {
    return true;
  }
  return false;
}

/// Runs work with memory limits on one rank, from 0 to the memory that work needs. If the limit is too small,
/// every rank must throw OutOfMemory, else no rank. work: collective; each run needs the same memory.
template <class Space, class Work>
void expect_failures_on_every_rank(Space const& space, comm::Communicator const& comm, Work const& work,
                                   std::size_t places = 40) {
  work();
  core::reset_peak(space);
  auto const before = core::memory_use(space).in_use;
  work();
  auto const needed = core::memory_use(space).peak - before;
  for (int const rank : {0, comm.size() - 1}) {
    for (std::size_t k = 0; k <= places; ++k) {
      ShortMemory<Space> const end(
          space, comm.rank() == rank ? needed * k / places : static_cast<std::size_t>(-1) / 2);
      auto const failed = runs_out_of_memory(work);
      auto const on = comm.sum(GlobalIndex{failed});
      ASSERT_TRUE(on == 0 || on == comm.size()) << on << " ranks failed of " << comm.size();
      ASSERT_EQ(on, k < places && comm.max(comm.rank() == rank ? 1.0 * needed : 0.0) > 0 ? comm.size() : 0)
          << "memory of rank " << rank << " ended at " << k << '/' << places << " of " << needed;
    }
  }
}

}  // namespace Tessera::test
