#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/measure.hpp"

namespace Tessera::cli {
namespace {

Measurement measured(char const* type, char const* file, double setup, double solve,
                     RunResult const& result = {}) {
  Measurement one;
  one.list.preconditioner = type;
  one.list.file = file;
  one.preconditioner = type;
  one.setup = {setup};
  one.solve = {solve};
  one.result = result;
  return one;
}

RunResult const unconverged{SolveStatus::notConverged, "it was too hard", 1};

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

TEST(Comparison, TheRatioIsToTheBestConvergedListOfOtherLibraries) {
  // Totals: ours 2, ML 4, MueLu 3 but not converged.
  auto const table = comparison({measured("Tessera", "a/ours.xml", 1, 1), measured("ML", "a/ml.xml", 2, 2),
                                 measured("MueLu", "muelu.xml", 1, 2, unconverged)});
  EXPECT_NE(line_of(table, "ours").find(" 0.50 "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "ml").find(" 1.00 "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "muelu").find(" - "), std::string::npos) << table;
  EXPECT_NE(line_of(table, "muelu").find("NOT CONVERGED"), std::string::npos) << table;
}

TEST(Comparison, ARowHasTheReasonIfItsListDidNotConverge) {
  auto const table = comparison(
      {measured("Tessera", "ours.xml", 1, 1),
       measured("ML", "b.xml", 1, 1, {SolveStatus::breakdown, "(p, A p) is -1,\n so A is  indefinite", 1}),
       measured("ML", "r.xml", 1, 1, {SolveStatus::roundingLevel, "1.2e-8 is reached", 1})});
  auto const ends_with = [&](std::string const& name, std::string const& end) {
    auto const line = line_of(table, name);
    return line.size() > end.size() && line.substr(line.size() - end.size()) == end;
  };
  EXPECT_TRUE(ends_with("b", "  BREAKDOWN: (p, A p) is -1, so A is indefinite")) << table;
  EXPECT_TRUE(ends_with("r", "  ROUNDING LEVEL: 1.2e-8 is reached")) << table;
  EXPECT_TRUE(ends_with("ours", "0.00e+00")) << table;
}

TEST(Comparison, AListThatFailedHasNoFigures) {
  Measurement failed;
  failed.list.file = "no.xml";
  failed.result = {std::nullopt, "no.xml:3: what is this", 2};
  auto const table = comparison({failed, measured("ML", "ml.xml", 2, 2)});
  EXPECT_EQ(line_of(table, "no"), "no    -                   failed: no.xml:3: what is this");
  EXPECT_NE(line_of(table, "ml").find(" 1.00 "), std::string::npos) << table;
}

TEST(Comparison, AListWhosePreconditionerIsNotInThisBuildHasNotFailed) {
  Measurement absent;
  absent.list.file = "ml.xml";
  absent.list.absent = "preconditioner ML is not in this build";
  absent.preconditioner = "ML";
  absent.result = {std::nullopt, absent.list.absent, 0};
  EXPECT_EQ(line_of(comparison({absent, measured("Tessera", "ours.xml", 2, 2)}), "ml"),
            "ml    ML                  preconditioner ML is not in this build");
}

TEST(Comparison, TheFirstSetupHasItsOwnColumn) {
  auto one = measured("ML", "ml.xml", 0, 0);
  one.setup = {3.25, 1.5, 2.0};
  one.solve = {1, 1, 1};
  auto const line = line_of(comparison({one}), "ml");
  EXPECT_NE(line.find("     3.250     1.500     1.000     2.500 "), std::string::npos) << line;
}

TEST(Json, HasTheFirstSetup) {
  auto one = measured("ML", "ml.xml", 0, 0);
  one.setup = {3.25, 1.5, 2.0};
  one.solve = {1, 1, 1};
  auto const json = measurement_json(one);
  EXPECT_EQ(json["setup_seconds"], (nlohmann::ordered_json{{"min", 1.5}, {"median", 2.0}, {"first", 3.25}}));
  EXPECT_EQ(json["solve_seconds"], (nlohmann::ordered_json{{"min", 1}, {"median", 1}}));
}

TEST(Json, AListThatFailedHasTheKeysOfOneThatDidNot) {
  auto failed = measured("ML", "ml.xml", 1, 1, {std::nullopt, "out of memory", 3});
  failed.solve.clear();  // failed in its first solve
  auto const json = measurement_json(failed);
  std::vector<std::string> known;
  for (auto const& item : json.items())
    if (!item.value().is_null()) known.push_back(item.key());
  EXPECT_EQ(json.size(), measurement_json(measured("ML", "ml.xml", 1, 1)).size());
  EXPECT_EQ(known, (std::vector<std::string>{"xml", "preconditioner", "converged", "status", "reason"}));
  EXPECT_EQ(json["status"], "failed");
  EXPECT_EQ(json["reason"], "out of memory");
}

TEST(Json, IsValidWhateverTheNameOfAFile) {
  auto one = measured("ML", "\xff.xml", 1, 1);
  EXPECT_TRUE(nlohmann::json::accept(json_text(measurement_json(one))));
}

TEST(History, IsThatOfTheFirstRepeat) {
  auto one = measured("ML", "ml.xml", 1, 1);
  one.history = {{0, 1.0}, {1, 0.5}};
  EXPECT_EQ(history_text(one), "iteration,relative_residual\n0,1.000000e+00\n1,5.000000e-01\n");
}

TEST(Result, IsTheSolvesStatusWithItsReason) {
  belos::SolveOutcome outcome;
  outcome.reason = "it was too hard";
  for (auto const status : {SolveStatus::roundingLevel, SolveStatus::notConverged, SolveStatus::breakdown}) {
    outcome.status = status;
    auto const result = result_of(outcome);
    EXPECT_EQ(result.status, status);
    EXPECT_STREQ(name(result.status), Tessera::name(status));
    EXPECT_EQ(result.reason, "it was too hard");
    EXPECT_EQ(result.exit_status, 1);
  }
  outcome.status = SolveStatus::converged;
  EXPECT_EQ(result_of(outcome).status, SolveStatus::converged);
  EXPECT_EQ(result_of(outcome).exit_status, 0);
}

TEST(Comparison, WithoutOtherLibrariesThereIsNoRatio) {
  auto const table = comparison({measured("Tessera", "ours.xml", 1, 1)});
  EXPECT_NE(line_of(table, "ours").find(" - "), std::string::npos) << table;
}

}  // namespace
}  // namespace Tessera::cli
