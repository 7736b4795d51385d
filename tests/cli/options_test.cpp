#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <map>

#include "core/version.hpp"

namespace Tessera::cli {
namespace {

Parsed parse_words(std::vector<char const*> words) {
  words.insert(words.begin(), "tessera");
  return parse(static_cast<int>(words.size()), words.data());
}

TEST(Options, AbsentOptionsOverrideNothing) {
  auto const parsed = parse_words({"solve", "--problem", "Laplace2D", "--xml", "a.xml"});
  ASSERT_FALSE(parsed.leave) << parsed.text;
  EXPECT_EQ(parsed.options.command, Command::solve);
  EXPECT_EQ(parsed.options.problem.name, "Laplace2D");
  EXPECT_EQ(parsed.options.xml, std::vector<std::string>{"a.xml"});
  EXPECT_FALSE(parsed.options.overrides.tolerance);
  EXPECT_FALSE(parsed.options.overrides.max_iterations);
  EXPECT_EQ(parsed.options.overrides.backend, "");
  EXPECT_TRUE(parsed.options.problem.values.empty());
}

TEST(Options, ValuesOfTheProblemAreKeptByName) {
  auto const parsed = parse_words({"gallery", "--problem", "Laplace2D", "--nx", "7", "--out", "A.mtx"});
  ASSERT_FALSE(parsed.leave) << parsed.text;
  EXPECT_EQ(parsed.options.problem.values, (std::map<std::string, double>{{"nx", 7.0}}));
}

TEST(Options, ListsToCompareKeepTheirOrder) {
  auto const parsed =
      parse_words({"compare", "--matrix", "A.mtx", "--xml", "b.xml", "--xml", "a.xml", "--repeat", "3"});
  ASSERT_FALSE(parsed.leave) << parsed.text;
  EXPECT_EQ(parsed.options.xml, (std::vector<std::string>{"b.xml", "a.xml"}));
  EXPECT_EQ(parsed.options.repeats, 3);
}

TEST(Options, HelpIsNoError) {
  for (auto command : {"solve", "compare", "gallery", "params", "info"}) {
    auto const parsed = parse_words({command, "--help"});
    EXPECT_TRUE(parsed.leave);
    EXPECT_EQ(parsed.status, 0);
    EXPECT_NE(parsed.text.find("--help"), std::string::npos);
    for (auto status : {"Exit status", "0 all converged", "1 a solve did not", "2 bad", "3 internal"})
      EXPECT_NE(parsed.text.find(status), std::string::npos) << parsed.text;
  }
}

TEST(Options, TheVersionIsNoError) {
  auto const parsed = parse_words({"--version"});
  EXPECT_TRUE(parsed.leave);
  EXPECT_EQ(parsed.status, 0);
  EXPECT_EQ(parsed.text, "tessera " + core::version() + "\n");
}

/// The message for these arguments, which contain a mistake.
std::string message(std::vector<char const*> const& words) {
  auto const parsed = parse_words(words);
  EXPECT_EQ(parsed.status, 2);
  return parsed.text.substr(0, parsed.text.find('\n'));
}

TEST(Options, UnknownNamesAreReportedWithASuggestion) {
  EXPECT_EQ(message({"solv", "--problem", "Laplace2D"}),
            "tessera: there is no subcommand solv; did you mean \"solve\"?; there are solve, compare, tune, "
            "gallery, "
            "params, info");
  EXPECT_EQ(message({"solve", "--problem", "Laplace2D", "--xlm", "a.xml"}),
            "tessera: solve has no option --xlm; did you mean \"--xml\"?");
  EXPECT_EQ(message({"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--tolerance=1e-3"}),
            "tessera: solve has no option --tolerance; did you mean \"--tol\"?");
  EXPECT_EQ(message({"compare", "--iterations", "3", "--xml", "a.xml"}),
            "tessera: compare has no option --iterations; did you mean \"--max-iterations\"?");
  EXPECT_EQ(message({"--nx", "3", "solve"}),
            "tessera: there is no option --nx; a subcommand's options follow it");
  EXPECT_EQ(message({"solve", "Laplace2D"}),
            "tessera: Laplace2D is not expected here; each value follows its option");
}

TEST(Options, RangesAreReportedInPlainNotation) {
  auto const with = [](char const* option, char const* value) {
    return message({"solve", "--problem", "Laplace2D", "--xml", "a.xml", option, value});
  };
  EXPECT_EQ(with("--tol", "2"), "tessera: --tol: 2 is out of range; allowed is 1e-16 to below 1");
  EXPECT_EQ(with("--tol", "nan"), "tessera: --tol: nan is out of range; allowed is 1e-16 to below 1");
  EXPECT_EQ(with("--tol", "x"), "tessera: --tol: x is not a number");
  EXPECT_EQ(with("--nx", "x"), "tessera: --nx: x is not a number");
  for (auto value : {"0", "-3", "1e3", "9999999999"})
    EXPECT_EQ(with("--repeat", value),
              std::string("tessera: --repeat: ") + value + " is not a whole number from 1 to 2^31 - 1");
  EXPECT_EQ(with("--backend", "cud"),
            "tessera: --backend: cud is not known; allowed are auto, host, cuda; did you mean \"cuda\"?");
}

TEST(Options, MistakesAreStatusTwo) {
  for (std::vector<char const*> const& words : std::vector<std::vector<char const*>>{
           {},
           {"solv"},
           {"solve"},
           {"solve", "--problem", "Laplace2D"},
           {"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--xml", "b.xml"},
           {"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--nx", "x"},
           {"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--repeat", "0"},
           {"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--backend", "gpu"},
           {"solve", "--problem", "Laplace2D", "--xml", "a.xml", "--rhs", "b.mtx"},
           {"gallery", "--problem", "Laplace2D"},
           {"params"}}) {
    auto const parsed = parse_words(words);
    EXPECT_TRUE(parsed.leave);
    EXPECT_EQ(parsed.status, 2);
    EXPECT_NE(parsed.text, "");
  }
}

}  // namespace
}  // namespace Tessera::cli
