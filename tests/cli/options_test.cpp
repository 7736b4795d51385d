#include "cli/options.hpp"

#include <gtest/gtest.h>

namespace Tessera::cli {
namespace {

Parsed parse_words(std::vector<char const*> words) {
  words.insert(words.begin(), "tessera");
  return parse(static_cast<int>(words.size()), words.data());
}

TEST(Options, WhatIsNotGivenIsNotOverridden) {
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
  EXPECT_EQ(parsed.options.problem.values, (gallery::Options{{"nx", 7.0}}));
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
    EXPECT_NE(parsed.text.find("Usage"), std::string::npos);
  }
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
