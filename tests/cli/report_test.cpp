#include "cli/report.hpp"

#include <gtest/gtest.h>

namespace Tessera::cli {
namespace {

Measurement measured(char const* type, char const* file, double setup, double solve, bool converged) {
  Measurement one;
  one.choice.preconditioner = type;
  one.choice.file = file;
  one.preconditioner = type;
  one.setup = {setup};
  one.solve = {solve};
  one.converged = converged;
  return one;
}

/// The line of the table that begins with `name`.
std::string line_of(std::string const& table, std::string const& name) {
  auto const begin = table.find("\n" + name + " ") + 1;
  return table.substr(begin, table.find('\n', begin) - begin);
}

TEST(Statistics, TheMedianOfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_EQ(median({4.0, 1.0, 3.0, 2.0}), 2.5);
  EXPECT_EQ(median({5.0, 1.0, 3.0}), 3.0);
  EXPECT_EQ(minimum({5.0, 1.0, 3.0}), 1.0);
}

TEST(Statistics, TotalsPairSetupAndSolveOfTheSameRepeat) {
  Measurement one;
  one.setup = {1.0, 3.0};
  one.solve = {10.0, 5.0};
  EXPECT_EQ(totals(one), (std::vector<double>{11.0, 8.0}));
}

TEST(Comparison, TheRatioIsToTheBestOfTheOthersThatConverged) {
  // Totals: ours 2, ML 4, MueLu 3 but not converged.
  auto const table =
      comparison({measured("Tessera", "a/ours.xml", 1, 1, true), measured("ML", "a/ml.xml", 2, 2, true),
                  measured("MueLu", "muelu.xml", 1, 2, false)});
  EXPECT_NE(line_of(table, "ours").find(" 0.50 "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "ml").find(" 1.00 "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "muelu").find(" - "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "muelu").find("NOT CONVERGED"), std::string::npos) << table;
}

TEST(Comparison, WithoutOthersThereIsNoRatio) {
  auto const table = comparison({measured("Tessera", "ours.xml", 1, 1, true)});
  EXPECT_NE(line_of(table, "ours").find(" - "), std::string::npos) << table;
}

}  // namespace
}  // namespace Tessera::cli
