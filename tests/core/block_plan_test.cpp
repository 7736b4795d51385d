#include "core/block_plan.hpp"

#include <gtest/gtest.h>

#include <random>

namespace Tessera::core {
namespace {

/// Work with blocks: block k is allocated at step k, and released after step `until`.
struct Block {
  std::size_t bytes;
  int until;
};
constexpr int stays = 1 << 30;

/// One run. Blocks without a place lie outside of the plan's memory. Returns the number of such blocks.
int run(BlockPlan& plan, std::vector<Block> const& work, std::vector<unsigned char>& memory) {
  plan.begin();
  std::vector<std::vector<unsigned char>> outside;
  outside.reserve(work.size());
  std::vector<unsigned char*> at(work.size());
  std::vector<bool> placed(work.size());
  int without = 0;
  for (std::size_t k = 0; k < work.size(); ++k) {
    auto const place = plan.place(work[k].bytes);
    placed[k] = place.has_value();
    if (!place) {
      ++without;
      outside.emplace_back(work[k].bytes);
    } else {
      EXPECT_EQ(*place % BlockPlan::alignment, 0u);
      EXPECT_LE(*place + work[k].bytes, memory.size());
    }
    at[k] = place ? memory.data() + *place : outside.back().data();
    plan.record_allocation(at[k], work[k].bytes);
    std::fill_n(at[k], work[k].bytes, static_cast<unsigned char>(k));
    for (std::size_t b = 0; b <= k; ++b) {
      if (work[b].until != static_cast<int>(k)) continue;
      for (std::size_t i = 0; i < work[b].bytes; ++i) EXPECT_EQ(at[b][i], b) << "overwritten";
      plan.record_release(at[b]);
      if (placed[b]) plan.vacate(static_cast<std::size_t>(at[b] - memory.data()));
    }
  }
  return without;
}

// a, b and c are in use at once; d fits into the place of b; e is never released:
//   a aaaaaaaa      1000
//   b bb            600
//   c  cc           300
//   d    dd         500
TEST(BlockPlan, BlocksThatAreNotInUseAtOnceShareAPlace) {
  std::vector<Block> const work{{1000, 4}, {600, 2}, {300, 2}, {500, 4}, {700, stays}};
  BlockPlan plan;
  std::vector<unsigned char> memory;
  EXPECT_EQ(run(plan, work, memory), 5);
  EXPECT_FALSE(plan.complete());
  memory.resize(plan.assign_places());
  EXPECT_EQ(memory.size(), 1024u + 768u + 512u);
  EXPECT_EQ(run(plan, work, memory), 1) << "a block that is never released has no place";
  EXPECT_TRUE(plan.complete());
  EXPECT_FALSE(plan.any_in_use());
}

TEST(BlockPlan, AnUnplannedRequestGetsNoPlaceAndHarmsNoOther) {
  BlockPlan plan;
  std::vector<unsigned char> memory;
  run(plan, {{100, 2}, {200, 2}, {300, 2}}, memory);
  memory.resize(plan.assign_places());
  EXPECT_EQ(run(plan, {{100, 2}, {999, 2}, {300, 2}}, memory), 1);
  EXPECT_FALSE(plan.complete());
  memory.resize(plan.assign_places());
  EXPECT_EQ(run(plan, {{100, 2}, {999, 2}, {300, 2}}, memory), 0);
}

// In the plan, the second and the third block share a place; here they are in use at once.
TEST(BlockPlan, APlaceInUseIsNotGivenTwice) {
  BlockPlan plan;
  std::vector<unsigned char> memory;
  run(plan, {{400, 2}, {500, 1}, {500, 2}}, memory);
  memory.resize(plan.assign_places());
  ASSERT_EQ(memory.size(), 1024u);
  EXPECT_EQ(run(plan, {{400, 2}, {500, 2}, {500, 2}}, memory), 1);
}

TEST(BlockPlan, RepeatedRandomWorkHasAllPlaces) {
  std::mt19937 random(7);
  for (int trial = 0; trial < 50; ++trial) {
    std::vector<Block> work(1 + random() % 40);
    int const last = static_cast<int>(work.size()) - 1;
    std::size_t all = 0;
    for (int k = 0; k <= last; ++k) {
      work[k] = {1 + random() % 3 * 700, std::min(last, k + static_cast<int>(random() % 6))};
      all += (work[k].bytes + BlockPlan::alignment - 1) / BlockPlan::alignment * BlockPlan::alignment;
    }
    BlockPlan plan;
    std::vector<unsigned char> memory;
    run(plan, work, memory);
    memory.resize(plan.assign_places());
    EXPECT_LE(memory.size(), all);
    for (int again = 0; again < 2; ++again) EXPECT_EQ(run(plan, work, memory), 0);
  }
}

}  // namespace
}  // namespace Tessera::core
