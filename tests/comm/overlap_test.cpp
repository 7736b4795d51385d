#include <gtest/gtest.h>

#include <chrono>

#include "cases.hpp"
#include "comm/halo_plan.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using comm::Overlap;

/// Global indices of all rows of other ranks.
std::vector<GlobalIndex> all_off_rank_rows(comm::Distribution const& d) {
  std::vector<GlobalIndex> ghosts;
  for (GlobalIndex i = 0; i < d.global_size(); ++i) {
    if (!d.owns(i)) ghosts.push_back(i);
  }
  return ghosts;
}

/// Arrival of the last ghost in an exchange of `size` doubles a rank: whether it is there when the work
/// begins, and whether it arrives during the work, within `patience`.
struct GhostArrival {
  bool before = true, within = true;
};
GhostArrival observe_arrival(Overlap overlap, Index size, std::chrono::seconds patience) {
  comm::Distribution const d(test::world(overlap), size);
  comm::HaloPlan<Host> const plan({}, d, all_off_rank_rows(d));
  std::vector<double> const owned(static_cast<std::size_t>(size), 1.0 + d.comm().rank());
  std::vector<double> ghosts(static_cast<std::size_t>(plan.ghost_count()), 0.0);
  GhostArrival arrival;
  plan.begin_exchange(Host{}, test::view(owned), test::span(ghosts));
  plan.end_exchange(Host{}, [&] {
    if (ghosts.empty()) return;
    // MPI may write it concurrently.
    auto const there = [last = static_cast<double const volatile*>(&ghosts.back())] { return *last != 0; };
    arrival.before = there();
    auto const end = std::chrono::steady_clock::now() + patience;
    while (!there() && std::chrono::steady_clock::now() < end) {
    }
    arrival.within = there();
  });
  for (Index g = 0; g < plan.ghost_count(); ++g)
    EXPECT_EQ(ghosts[g], 1.0 + plan.distribution().owner(plan.ghosts()[g]));
  return arrival;
}

constexpr Index longer_than_eager = 1 << 17;  // MPI transfers such a message only while both ranks drive it
constexpr std::chrono::seconds long_enough{100};

TEST(Overlap, WithoutOverlapGhostsArriveBeforeTheWork) {
  EXPECT_TRUE(observe_arrival(Overlap::none, longer_than_eager, std::chrono::seconds(0)).before);
}

TEST(Overlap, ATaskReceivesGhostsDuringTheWork) {
  EXPECT_TRUE(observe_arrival(Overlap::task, longer_than_eager, long_enough).within);
}

TEST(Overlap, ManyExchangesWithLittleOrMuchWorkArriveInEveryMode) {
  for (auto const overlap : test::all_overlaps) {
    comm::Distribution const d(test::world(overlap), 40);
    comm::HaloPlan<Host> const plan({}, d, all_off_rank_rows(d));
    std::vector<double> owned(40), ghosts(static_cast<std::size_t>(plan.ghost_count()));
    std::vector<double> back(40);
    for (int step = 0; step < 500; ++step) {
      std::fill(owned.begin(), owned.end(), step);
      double volatile sum = 0;
      auto const work = [&] {
        for (int k = 0; k < step * (step % 3); ++k) sum = sum + k;
      };
      plan.begin_exchange(Host{}, test::view(owned), test::span(ghosts));
      plan.end_exchange(Host{}, work);
      for (auto const ghost : ghosts) ASSERT_EQ(ghost, step);
      plan.begin_add(Host{}, test::view(ghosts));
      plan.end_add(Host{}, test::span(back), 1, [&] {
        work();
        std::fill(back.begin(), back.end(), 0.5);
      });
      for (auto const value : back) ASSERT_EQ(value, 0.5 + (d.comm().size() - 1) * step);
    }
  }
}

TEST(Overlap, AnExceptionOfTheWorkPropagatesAfterTheMessagesHaveArrived) {
  for (auto const overlap : test::all_overlaps) {
    comm::Distribution const d(test::world(overlap), longer_than_eager);
    comm::HaloPlan<Host> const plan({}, d, all_off_rank_rows(d));
    std::vector<double> const owned(longer_than_eager, 3.0);
    std::vector<double> ghosts(static_cast<std::size_t>(plan.ghost_count()));
    plan.begin_exchange(Host{}, test::view(owned), test::span(ghosts));
    EXPECT_THROW(plan.end_exchange(Host{}, [] { throw core::NumericalError("a fault"); }),
                 core::NumericalError);
    if (overlap != Overlap::task) plan.end_exchange(Host{});
    for (auto const ghost : ghosts) ASSERT_EQ(ghost, 3.0);
  }
}

TEST(Overlap, ATaskFailsOnAllRanksIfMpiForbidsItOnOne) {
  auto const comm = test::world();
  bool const last = comm.rank() + 1 == comm.size();
  for (int const level : {MPI_THREAD_SINGLE, MPI_THREAD_FUNNELED}) {
    if (comm.size() == 1) {  // one rank has no messages and needs no thread
      EXPECT_NO_THROW(comm.choose_overlap(Overlap::task, level));
      continue;
    }
    try {
      comm.choose_overlap(Overlap::task, last ? level : MPI_THREAD_SERIALIZED);
      ADD_FAILURE() << "not refused";
    } catch (core::Unavailable const& error) {
      std::string const text = error.what();
      EXPECT_NE(text.find(core::message("rank ", comm.size() - 1)), std::string::npos) << text;
      EXPECT_NE(text.find(level == MPI_THREAD_SINGLE ? "MPI_THREAD_SINGLE" : "MPI_THREAD_FUNNELED"),
                std::string::npos)
          << text;
    }
    EXPECT_EQ(comm.overlap(), Overlap::automatic);
    EXPECT_NO_THROW(comm.choose_overlap(Overlap::naive, level));
    EXPECT_NO_THROW(comm.choose_overlap(Overlap::automatic, level));
  }
  for (int const level : {MPI_THREAD_SERIALIZED, MPI_THREAD_MULTIPLE})
    EXPECT_NO_THROW(comm.choose_overlap(Overlap::task, level));
}

}  // namespace
}  // namespace Tessera
