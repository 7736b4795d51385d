#include <gtest/gtest.h>

#include "cli/html.hpp"
#include "cli/report.hpp"

namespace Tessera::cli {
namespace {

Measurement timed(char const* type, char const* file, std::vector<double> const& solve,
                  RunStatus status = SolveStatus::converged) {
  Measurement one;
  one.list.preconditioner = one.preconditioner = type;
  one.list.file = file;
  one.setup.assign(solve.size(), 1.0);
  one.solve = solve;
  one.result.status = status;
  return one;
}

TEST(Ranking, ConvergedListsAreOrderedByTotalAndFailedOnesComeLast) {
  std::vector<Measurement> const lists{timed("ML", "failed", {}, std::nullopt), timed("ML", "slow", {3}),
                                       timed("ML", "quick", {0}, SolveStatus::notConverged),
                                       timed("Tessera", "fast", {1})};
  std::vector<std::string> names;
  for (auto const* one : ranked(lists)) names.push_back(one->list.file);
  EXPECT_EQ(names, (std::vector<std::string>{"fast", "slow", "quick", "failed"}));
}

TEST(Verdict, HasTheAdvantageOverTheNextAndTheBestOfTheOtherCamp) {
  EXPECT_EQ(
      verdict_on({timed("ML", "b/ml.xml", {7, 8}), timed("Tessera", "sa.xml", {1, 1.5}),
                  timed("Tessera", "ua.xml", {2, 3})},
                 "P"),
      "sa (Tessera) wins with 2.000 s for setup and solve on P: 1.50 times as fast as ua (Tessera), the "
      "next, and 4.00 times as fast as ml (ML), the best of the other libraries.");
}

TEST(Verdict, NamesTesserasBestIfAnotherLibraryWins) {
  EXPECT_EQ(
      verdict_on({timed("Tessera", "sa.xml", {2, 2}), timed("ML", "ml.xml", {1, 1})}, "P"),
      "ml (ML) wins with 2.000 s for setup and solve on P: 1.50 times as fast as sa (Tessera), the next "
      "and the best of Tessera's.");
}

TEST(Verdict, ReportsThatRepeatsOverlapOrThatThereIsOnlyOne) {
  auto const overlap = verdict_on({timed("ML", "a", {1, 3}), timed("ML", "b", {2, 2})}, "P");
  EXPECT_NE(overlap.find("The two overlap"), std::string::npos) << overlap;
  auto const once = verdict_on({timed("ML", "a", {1}), timed("ML", "b", {2})}, "P");
  EXPECT_NE(once.find("Each ran once"), std::string::npos) << once;
}

TEST(Verdict, ReportsThatThereIsNoRival) {
  EXPECT_EQ(verdict_on({timed("ML", "a", {1}, SolveStatus::breakdown)}, "P"), "No list converged on P.");
  auto const alone = verdict_on({timed("ML", "a", {1}), timed("ML", "b", {}, std::nullopt)}, "P");
  EXPECT_NE(alone.find("no other list converged"), std::string::npos) << alone;
}

TEST(Html, AnyBytesAreText) {
  EXPECT_EQ(escaped("a<b>&\"c'"), "a&lt;b&gt;&amp;&quot;c&#39;");
  EXPECT_EQ(escaped("\xff\x01\n"), "\xEF\xBF\xBD\xEF\xBF\xBD\n");
  EXPECT_EQ(escaped("\xC3\xA4"), "\xC3\xA4");
}

TEST(Html, AShellDoesNotChangeQuotedArguments) {
  EXPECT_EQ(shell_quoted("--nx=5"), "--nx=5");
  EXPECT_EQ(shell_quoted("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_quoted(""), "''");
}

}  // namespace
}  // namespace Tessera::cli
