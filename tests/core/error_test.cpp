#include "core/error.hpp"

#include <gtest/gtest.h>

#include <string>

#include "core/timer.hpp"

namespace Tessera::core {
namespace {

TEST(Message, PrintsNumbersSoThatTheyReadBackUnchanged) {
  EXPECT_EQ(message("row ", 3, " has ", 0.5, '!'), "row 3 has 0.5!");
  EXPECT_EQ(std::stod(message(0.1 + 0.2)), 0.1 + 0.2);
}

TEST(Message, PrintsTheShortestDigitsOfNumbers) {
  EXPECT_EQ(message(0.1, ' ', -0.1, ' ', 1e-16, ' ', 0.1f, ' ', 1.0, ' ', 1e9, ' ', 2147483647.0, ' ', 1e300),
            "0.1 -0.1 1e-16 0.1 1 1000000000 2147483647 1e+300");
}

TEST(Excerpt, LeavesShortTextAsItIs) {
  EXPECT_EQ(excerpt(""), "");
  EXPECT_EQ(excerpt("max levels"), "max levels");
  EXPECT_EQ(excerpt("\xE2\x82\xAC"), "\xE2\x82\xAC");
}

TEST(Excerpt, CutsLongTextBetweenCharacters) {
  EXPECT_EQ(excerpt("abcdef", 4), "abcd... (6 bytes)");
  EXPECT_EQ(excerpt("ab\xE2\x82\xAC", 4), "ab... (5 bytes)");
}

TEST(Excerpt, ShowsControlCharactersByTheirCodes) {
  EXPECT_EQ(excerpt("a\x1b[2J\n"), "a\\x1B[2J\\x0A");
}

TEST(Excerpt, ShowsOtherSpacesThanBlanksByTheirCodes) {
  EXPECT_EQ(excerpt("1\xC2\xA0"
                    "2"),
            "1\\xC2\\xA02");
  EXPECT_EQ(excerpt("\xE2\x80\x8B"
                    "\xE2\x82\xAC"),
            "\\xE2\\x80\\x8B\xE2\x82\xAC");
}

TEST(Validate, ThrowsInvalidInputWithTheMessage) {
  EXPECT_NO_THROW(TESSERA_VALIDATE(1 + 1 == 2, "arithmetic"));
  try {
    TESSERA_VALIDATE(1 + 1 == 3, "sum is ", 2, " (not 3); count again");
    FAIL() << "no exception";
  } catch (InvalidInput const& error) {
    EXPECT_STREQ(error.what(), "sum is 2 (not 3); count again");
  }
}

TEST(Contract, ViolationsNameThePlaceAndTheCondition) {
  try {
    contract_violated("precondition", "n > 0", "file.hpp", 12);
  } catch (std::logic_error const& error) {
    EXPECT_EQ(std::string(error.what()).find("file.hpp:12: precondition violated: n > 0"), 0u)
        << error.what();
  }
}

#if defined(TESSERA_DEBUG)
TEST(Contract, IsCheckedInDebugBuilds) {
  EXPECT_THROW(TESSERA_EXPECT(1 > 2), std::logic_error);
}
#else
TEST(Contract, CostsNothingInReleaseBuilds) {
  int evaluated = 0;
  TESSERA_EXPECT(++evaluated > 5);
  EXPECT_EQ(evaluated, 0);
}
#endif

TEST(PhaseTimer, AddsUpPhasesOfOneName) {
  PhaseTimes times{{"setup", 100.0}};
  { PhaseTimer<Host> timer(Host{}, times, "setup"); }
  { PhaseTimer<Host> timer(Host{}, times, "solve"); }
  EXPECT_GE(times.at("setup"), 100.0);
  EXPECT_GE(times.at("solve"), 0.0);
  EXPECT_EQ(times.size(), 2u);
}

TEST(PhaseClock, AddsUpSuccessivePhases) {
  PhaseClock<Host> clock{Host{}};
  EXPECT_TRUE(clock.empty());
  char const *const setup = "setup", *const solve = "solve";
  for (auto const* name : {setup, setup, solve, static_cast<char const*>(nullptr), setup}) clock.phase(name);
  clock.phase(nullptr);
  PhaseTimes times{{"setup", 100.0}};
  clock.add_to(times);
  EXPECT_EQ(times.size(), 2u);
  EXPECT_GE(times.at("setup"), 100.0);
  EXPECT_GE(times.at("solve"), 0.0);
  clock.restart();
  EXPECT_TRUE(clock.empty());
}

}  // namespace
}  // namespace Tessera::core
