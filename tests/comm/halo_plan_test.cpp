#include "comm/halo_plan.hpp"

#include <gtest/gtest.h>

#include <cstdint>

#include "cases.hpp"
#include "core/memory.hpp"

namespace Tessera {
namespace {

using comm::Distribution;
using test::Share;

TEST(Distribution, OwnersFollowTheRangesPastRanksWithoutRows) {
  auto const comm = test::world();
  for (auto const share : test::all_shares) {
    auto const d = test::share_rows(comm, share, 4);
    EXPECT_EQ(d.global_size(), comm.sum(GlobalIndex{d.local_size()}));
    for (GlobalIndex i = 0; i < d.global_size(); ++i) {
      EXPECT_EQ(d.owner(i) == comm.rank(), d.owns(i)) << i;
      EXPECT_LE(d.begin(d.owner(i)), i);
    }
  }
}

/// Every step-th global index of rows that other ranks own.
std::vector<GlobalIndex> some_ghosts(Distribution const& d, GlobalIndex step) {
  std::vector<GlobalIndex> ghosts;
  for (GlobalIndex i = d.comm().rank() % step; i < d.global_size(); i += step) {
    if (!d.owns(i)) ghosts.push_back(i);
  }
  return ghosts;
}

template <class T>
void expect_values_of_owners(Share share, int width) {
  auto const d = test::share_rows(test::world(), share, 6);
  comm::HaloPlan<Host> const plan({}, d, some_ghosts(d, 3));
  std::vector<T> whole(d.global_size() * width);
  for (std::size_t k = 0; k < whole.size(); ++k) whole[k] = static_cast<T>(core::mix64(k) % 251);
  auto const owned = test::owned_part(d, whole, width);
  std::vector<T> ghosts(plan.ghost_count() * width);
  plan.exchange(Host{}, test::view(owned), test::span(ghosts), width);
  for (Index g = 0; g < plan.ghost_count(); ++g) {
    for (int c = 0; c < width; ++c) {
      EXPECT_EQ(ghosts[g * width + c], whole[plan.ghosts()[g] * width + c]);
    }
  }
}

TEST(HaloPlan, GhostsGetTheValuesOfTheirOwners) {
  for (auto const share : test::all_shares) {
    for (int const width : {1, 3, 6}) {
      expect_values_of_owners<double>(share, width);
      expect_values_of_owners<float>(share, width);
      expect_values_of_owners<Index>(share, width);
      expect_values_of_owners<GlobalIndex>(share, width);
      expect_values_of_owners<std::uint64_t>(share, width);
      expect_values_of_owners<unsigned char>(share, width);
    }
  }
}

TEST(HaloPlan, NeighboursOfAChain) {
  // Two rows on each rank; each rank needs the row after its last: 0 1 | 2 3 | 4 5
  //                                                                      ^     ^
  auto const comm = test::world();
  Distribution const d(comm, 2);
  bool const has_next = comm.rank() + 1 < comm.size();
  comm::HaloPlan<Host> const plan({}, d,
                                  has_next ? std::vector<GlobalIndex>{d.end()} : std::vector<GlobalIndex>{});
  ASSERT_EQ(plan.receive_from().size(), has_next ? 1u : 0u);
  if (has_next) {
    EXPECT_EQ(plan.receive_from()[0].rank, comm.rank() + 1);
    EXPECT_EQ(plan.receive_from()[0].begin, 0);
    EXPECT_EQ(plan.receive_from()[0].end, 1);
  }
  ASSERT_EQ(plan.send_to().size(), comm.rank() > 0 ? 1u : 0u);
  if (comm.rank() > 0) {
    EXPECT_EQ(plan.send_to()[0].rank, comm.rank() - 1);
    ASSERT_EQ(plan.send_rows().size(), 1u);
    EXPECT_EQ(plan.send_rows()[0], 0);
  }
}

TEST(HaloPlan, OwnedValuesMayChangeDuringAnExchange) {
  auto const d = test::share_rows(test::world(), Share::equal, 5);
  comm::HaloPlan<Host> const plan({}, d, some_ghosts(d, 1));
  auto const whole = test::random_vector(d.global_size(), 3);
  auto owned = test::owned_part(d, whole);
  std::vector<double> ghosts(plan.ghost_count());
  plan.begin_exchange(Host{}, test::view(owned), test::span(ghosts));
  std::fill(owned.begin(), owned.end(), -1.0);
  plan.end_exchange(Host{});
  for (Index g = 0; g < plan.ghost_count(); ++g) EXPECT_EQ(ghosts[g], whole[plan.ghosts()[g]]);
}

TEST(HaloPlan, RepeatedExchangesAllocateNothing) {
  auto const d = test::share_rows(test::world(), Share::equal, 50);
  comm::HaloPlan<Host> const plan({}, d, some_ghosts(d, 1));
  std::vector<double> owned(50 * 3, 1.0), ghosts(plan.ghost_count() * 3);
  plan.exchange(Host{}, test::view(owned), test::span(ghosts), 3);
  auto const bytes = plan.bytes();
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{});
  for (int i = 0; i < 3; ++i) plan.exchange(Host{}, test::view(owned), test::span(ghosts), i + 1);
  EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
  EXPECT_EQ(plan.bytes(), bytes);
}

TEST(HaloPlan, ContributionsOfGhostsAreAddedInRankOrder) {
  for (auto const share : test::all_shares) {
    for (int const width : {1, 3}) {
      auto const comm = test::world();
      auto const d = test::share_rows(comm, share, 6);
      comm::HaloPlan<Host> const plan({}, d, some_ghosts(d, 2));
      auto const contribution = [&](int rank, GlobalIndex i, int c) {
        return core::uniform(i * 8 + c, rank);
      };
      std::vector<double> owned(d.local_size() * width, 0.25), ghosts(plan.ghost_count() * width);
      for (Index g = 0; g < plan.ghost_count(); ++g) {
        for (int c = 0; c < width; ++c) {
          ghosts[g * width + c] = contribution(comm.rank(), plan.ghosts()[g], c);
        }
      }
      plan.add_from_ghosts(Host{}, test::view(ghosts), test::span(owned), width);
      for (Index i = 0; i < d.local_size(); ++i) {
        for (int c = 0; c < width; ++c) {
          double expected = 0.25;
          for (int r = 0; r < comm.size(); ++r) {
            if (r != comm.rank() && (d.begin() + i) % 2 == r % 2) {
              expected += contribution(r, d.begin() + i, c);
            }
          }
          EXPECT_EQ(owned[i * width + c], expected) << i;
        }
      }
    }
  }
}

TEST(HaloPlan, CopiesAndTheDefaultAreUsable) {
  comm::HaloPlan<Host> const none;
  std::vector<double> nothing;
  EXPECT_NO_THROW(none.exchange(Host{}, test::view(nothing), test::span(nothing)));
  EXPECT_EQ(none.distribution().global_size(), 0);

  auto const d = test::share_rows(test::world(), Share::unequal, 4);
  comm::HaloPlan<Host> const plan({}, d, some_ghosts(d, 1));
  auto const copy = plan;
  EXPECT_EQ(&copy.ghosts(), &plan.ghosts());
}

}  // namespace
}  // namespace Tessera
