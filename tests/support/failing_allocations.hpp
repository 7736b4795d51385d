#pragma once
/// \file
/// Allocations that fail on one rank, one after another.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/error.hpp"
#include "core/memory_account.hpp"

namespace Tessera::test {

/// Controls operator new of a program that links failing_allocations.cpp: the next `allocations` succeed, and
/// the allocation after them throws std::bad_alloc, once. Negative: no allocation throws. Returns the same as
/// core::fail_after.
std::int64_t fail_new_after(std::int64_t allocations);

/// Allocations of arrays of a space, by core/memory.
template <class Space>
struct Arrays {
  Space space;
  std::int64_t fail_after(std::int64_t allocations) const { return core::fail_after(space, allocations); }
  static constexpr int rarer = 1;
};
/// All other allocations, by the standard library, which are much more frequent.
struct News {
  static std::int64_t fail_after(std::int64_t allocations) { return fail_new_after(allocations); }
  static constexpr int rarer = 5;
};

/// The distance of tested allocations for this many ranks, which share the same cores.
inline int every_so_many(int ranks, int rarer) {
  return ranks == 1 ? 1 : rarer * (ranks == 2 ? 1 : ranks == 3 ? 11 : 41);
}

/// Runs work while allocation number 0, s, 2 s, ... of one rank fails, with s from every_so_many, until work
/// needs no more allocations. After each failure every rank must throw OutOfMemory with one text, which
/// begins with one of `where`, and work must succeed afterwards. work: collective; it leaves no state when it
/// throws. Returns the number of failures.
template <class Kind, class Work>
int expect_every_failure_on_every_rank(Kind const& kind, comm::Communicator const& comm,
                                       std::vector<std::string> const& where, Work const& work) {
  auto const step = every_so_many(comm.size(), Kind::rarer);
  int failures = 0;
  for (int rank = 0; rank < comm.size(); ++rank) {
    for (std::int64_t k = 0;; k += step) {
      std::string text;
      if (comm.rank() == rank) kind.fail_after(k);
      try {
        work();
      } catch (core::OutOfMemory const& error) {
        text = error.what();
      } catch (std::exception const& error) {
        ADD_FAILURE() << "allocation " << k << " of rank " << rank << " became: " << error.what();
        text = error.what();
      }
      bool const is_over = comm.rank() == rank && kind.fail_after(-1) >= 0;
      auto const failed = comm.sum(GlobalIndex{!text.empty()});
      if (comm.any(is_over)) break;
      if (failed == 0) continue;  // work does not need this allocation
      ++failures;
      EXPECT_EQ(failed, comm.size()) << "allocation " << k << " of rank " << rank << ": " << text;
      EXPECT_TRUE(std::any_of(where.begin(), where.end(),
                              [&](auto const& begin) { return text.rfind(begin, 0) == 0; }))
          << "allocation " << k << " of rank " << rank << ": " << text;
      auto const hash = static_cast<GlobalIndex>(std::hash<std::string>()(text) >> 1);
      EXPECT_EQ(comm.max(hash), comm.min(hash)) << text;
      if (comm.any(testing::Test::HasFailure()) && failures > 20) return failures;
    }
  }
  work();
  return failures;
}

}  // namespace Tessera::test
