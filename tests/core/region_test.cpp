// Regions are nested, and each phase of a clock ends the one before.
#include <gtest/gtest.h>

#include <string>

#include "core/timer.hpp"

namespace Tessera::core {
namespace {

/// Writes (name for a beginning and ) for an end. Observes this thread during its lifetime.
struct Brackets final : RegionObserver {
  Brackets() { observe_regions(this); }
  Brackets(Brackets const&) = delete;
  Brackets& operator=(Brackets const&) = delete;
  ~Brackets() { observe_regions(nullptr); }
  void begin(char const* name, int level) override {
    text += std::string("(") + name + (level < 0 ? "" : std::to_string(level));
  }
  void end() override { text += ")"; }
  std::string text;
};

TEST(Regions, AreNested) {
  Brackets seen;
  {
    Region const outer("a");
    Region const inner("b");
  }
  EXPECT_EQ(seen.text, "(a(b))");
}

TEST(Regions, OfATimerArePhases) {
  Brackets seen;
  PhaseTimes times;
  { PhaseTimer<Host> const timer(Host{}, times, "phase"); }
  EXPECT_EQ(seen.text, "(phase)");
  EXPECT_EQ(times.count("phase"), 1u);
}

TEST(Regions, OfAClockFollowEachOtherInsideLevels) {
  Brackets seen;
  PhaseClock<Host> clock(Host{});
  char const *const p = "p", *const q = "q";
  clock.level(0);
  clock.phase(p);
  clock.phase(p);
  clock.phase(q);
  clock.level(1);
  clock.phase(q);
  clock.phase(nullptr);
  clock.level(-1);
  EXPECT_EQ(seen.text, "(level0(p)(q))(level1(q))");
}

TEST(Regions, OfAClockEndAfterAnException) {
  Brackets seen;
  PhaseClock<Host> clock(Host{});
  EXPECT_THROW(
      {
        EndOfPhases<Host> const end{clock};
        clock.level(2);
        clock.phase("p");
        throw 1;
      },
      int);
  EXPECT_EQ(seen.text, "(level2(p))");
}

TEST(Regions, AreOfOneThreadWithoutAnObserver) {
  Region const region("nobody sees it");
  Brackets seen;
  EXPECT_EQ(seen.text, "");
}

}  // namespace
}  // namespace Tessera::core
