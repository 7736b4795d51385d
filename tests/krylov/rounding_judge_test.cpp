#include <gtest/gtest.h>

#include "krylov/rounding.hpp"

namespace Tessera::krylov {
namespace {

/// Levels are 1.
Comparison compared(int iteration, double recursive, double residual, double target) {
  Comparison now;
  now.iteration = iteration;
  now.recursive = recursive;
  now.residual = residual;
  now.level = 1;
  now.target = target;
  now.claimed = recursive <= target;
  return now;
}

TEST(RoundingJudge, LooksSeldomWhileRoundingIsFar) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge.next(), 32);
  EXPECT_EQ(judge(compared(32, 1e6, 1e6, 1e3)), Verdict::continue_unchanged);
  EXPECT_EQ(judge.next(), 64);
  EXPECT_EQ(judge.watched_residual(), 0);  // the target is far above the level
  EXPECT_EQ(judge(compared(64, 1e4, 1e4, 1e3)), Verdict::continue_unchanged);
  EXPECT_EQ(judge.next(), 128);
}

TEST(RoundingJudge, AClaimThatIsNotTrueIsReplacedAsLongAsThatLowersTheResidual) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge(compared(100, 10, 1e5, 10)), Verdict::replace);
  EXPECT_EQ(judge(compared(110, 10, 1e3, 10)), Verdict::replace);
  EXPECT_EQ(judge(compared(120, 10, 900, 10)), Verdict::stagnated);  // rounding does not explain 900 levels
}

TEST(RoundingJudge, AMissByLittleIsNoStagnation) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge(compared(100, 20, 20.3, 20)), Verdict::replace);
  EXPECT_EQ(judge(compared(101, 19.9, 20.1, 20)), Verdict::replace);
  EXPECT_EQ(judge(compared(102, 19.9, 20.1, 20)), Verdict::stagnated);
}

TEST(RoundingJudge, ARecurrenceThatIsAtTheLevelAloneIsReplaced) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge(compared(100, 1.1, 20, 0.01)), Verdict::continue_unchanged);
  EXPECT_EQ(judge(compared(110, 0.9, 20, 0.01)), Verdict::replace);
  EXPECT_EQ(judge(compared(120, 0.9, 2, 0.01)), Verdict::replace);
}

TEST(RoundingJudge, NearTheLevelThereIsASecondChance) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge(compared(100, 1, 3, 1)), Verdict::replace);
  EXPECT_EQ(judge(compared(110, 1, 3, 1)), Verdict::replace);
  EXPECT_EQ(judge(compared(120, 1, 3, 1)), Verdict::rounding_level);
}

TEST(RoundingJudge, NoMoreReplacementsThanAllowed) {
  RoundingJudge judge(2);
  EXPECT_EQ(judge(compared(100, 1, 1e5, 1)), Verdict::replace);
  EXPECT_EQ(judge(compared(110, 1, 1e3, 1)), Verdict::replace);
  EXPECT_EQ(judge(compared(120, 1, 5, 1)), Verdict::rounding_level);
}

TEST(RoundingJudge, AHopelessTargetIsProbedWithinFewIterations) {
  RoundingJudge judge(5);
  EXPECT_EQ(judge(compared(32, 1e6, 1e6, 1e-3)), Verdict::continue_unchanged);
  EXPECT_EQ(judge.watched_residual(), 1);
  EXPECT_EQ(judge(compared(50, 1, 1.1, 1e-3)), Verdict::continue_unchanged);  // they have not separated
  EXPECT_EQ(judge.watched_residual(), 0.25);
  EXPECT_EQ(judge(compared(55, 0.2, 3, 1e-3)), Verdict::replace);
  EXPECT_EQ(judge.next(), 63);
  EXPECT_EQ(judge(compared(63, 0.4, 0.6, 1e-3)),
            Verdict::continue_unchanged);  // lower, and nothing to replace
  EXPECT_EQ(judge(compared(71, 0.2, 0.7, 1e-3)), Verdict::rounding_level);
}

TEST(RoundingJudge, ARecurrenceThatStallsAtTheLevelIsReplacedThenStopped) {
  RoundingJudge judge(5);
  auto stalled = compared(400, 2, 6, 1);
  stalled.stalled = true;
  EXPECT_EQ(judge(stalled), Verdict::replace);
  EXPECT_EQ(judge(stalled), Verdict::replace);
  EXPECT_EQ(judge(stalled), Verdict::rounding_level);
}

TEST(RoundingJudge, AStallFarAboveTheLevelIsNoRounding) {
  RoundingJudge judge(5);
  auto stalled = compared(400, 1e5, 1e5, 1);
  stalled.stalled = true;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(judge(stalled), Verdict::continue_unchanged);
}

}  // namespace
}  // namespace Tessera::krylov
