#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "cli/measure.hpp"

namespace Tessera::cli {
namespace {

using Levels = Progress::Levels;

/// The output for two levels, the second after a pause.
std::string printed(Progress progress, std::chrono::milliseconds between) {
  testing::internal::CaptureStderr();
  progress.start("a.xml");
  progress.level(0, 1000, 6400);
  std::this_thread::sleep_for(between);
  progress.level(1, 100, 1500);
  progress.end_setup(0.25);
  progress.end();
  return testing::internal::GetCapturedStderr();
}

constexpr std::chrono::milliseconds at_once{0}, long_after{1100};

TEST(Progress, OfAShortSetupIsOneLine) {
  EXPECT_EQ(printed({true, 2, Levels::of_long_setups}, at_once), "[1/2] a.xml: setup 0.250 s, solve\n");
}

TEST(Progress, OfALongSetupHasTheLevelsFromTheFirstOn) {
  auto const text = printed({true, 1, Levels::of_long_setups}, long_after);
  EXPECT_EQ(text.rfind("[1/1] a.xml: setup\n  level 0: 1000 rows, 6.4 entries a row, 0.00 s\n"
                       "  level 1: 100 rows, 15.0 entries a row, 1.1",
                       0),
            0u)
      << text;
  EXPECT_NE(text.find(" s\n  setup 0.250 s, solve\n"), std::string::npos) << text;
}

TEST(Progress, HasAllLevelsOnRequest) {
  auto const text = printed({true, 1, Levels::all}, at_once);
  EXPECT_NE(text.find("level 0"), std::string::npos) << text;
  EXPECT_NE(text.find("level 1"), std::string::npos) << text;
}

TEST(Progress, HasNoLevelsByDefaultAndPrintsNothingIfQuiet) {
  EXPECT_EQ(printed({true, 1}, long_after), "[1/1] a.xml: setup 0.250 s, solve\n");
  EXPECT_EQ(printed({false, 1, Levels::all}, at_once), "");
}

}  // namespace
}  // namespace Tessera::cli
