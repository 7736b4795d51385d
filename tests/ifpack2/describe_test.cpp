// What compute() and describe() print.
#include <gtest/gtest.h>

#include <Teuchos_VerboseObject.hpp>
#include <sstream>

#include "kinds.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 20;

struct Describe : testing::Test {
  RCP<Map const> map = uniform_map(side * side);
  RCP<CrsMatrix> A = laplacian(map, side);
};

TEST_F(Describe, VerbosityDecidesWhatComputePrints) {
  auto const printed = [&](char const* verbosity, RCP<CrsMatrix> const& matrix) {
    SmoothedAggregation<> M(matrix);
    auto list = smoothed_aggregation().parameters;
    list.set<std::string>("verbosity", verbosity);
    list.sublist("smoother: params").set("chebyshev: degree", 3);
    M.setParameters(list);
    std::ostringstream text;
    auto const before = Teuchos::VerboseObjectBase::getDefaultOStream();
    Teuchos::VerboseObjectBase::setDefaultOStream(
        Teuchos::fancyOStream(Teuchos::rcpFromRef<std::ostream>(text)));
    M.compute();
    Teuchos::VerboseObjectBase::setDefaultOStream(before);
    return text.str();
  };
  auto const has = [](std::string const& text, char const* part) {
    return text.find(part) != std::string::npos;
  };
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(printed("low", A), "");
  EXPECT_EQ(has(printed("medium", A), "Operator complexity"), speaks);
  EXPECT_EQ(has(printed("medium", A), "Held for refreshes: "), speaks);
  EXPECT_FALSE(has(printed("medium", A), "Seconds by phase"));
  EXPECT_EQ(has(printed("high", A), "Seconds by phase"), speaks);
  EXPECT_EQ(has(printed("high", A), "\"chebyshev: degree\": 3"), speaks);
  auto const uncoupled = diagonal(map);  // nothing to aggregate, too large for the coarsest level
  EXPECT_EQ(printed("none", uncoupled), "");
  EXPECT_EQ(has(printed("low", uncoupled), "Tessera: warning: "), speaks);
}

TEST_F(Describe, WarningsOfAListAreSaidOnceOnOneRank) {
  auto list = smoothed_aggregation().parameters;
  list.setName("a list of this test");
  list.set("tessera: strict", false).set("fsai: pattern level", 2).set("smother: type", "none");
  std::ostringstream text;
  auto const before = Teuchos::VerboseObjectBase::getDefaultOStream();
  Teuchos::VerboseObjectBase::setDefaultOStream(
      Teuchos::fancyOStream(Teuchos::rcpFromRef<std::ostream>(text)));
  for (int times = 0; times < 3; ++times) {
    SmoothedAggregation<> M(A);
    M.setParameters(list);
    M.compute();
    M.setParameters(list);
    M.compute();
  }
  Teuchos::VerboseObjectBase::setDefaultOStream(before);
  auto const said = text.str();
  auto const count = [&said](std::string const& part) {
    int times = 0;
    for (auto at = said.find(part); at != std::string::npos; at = said.find(part, at + 1)) ++times;
    return times;
  };
  int const once = world()->getRank() == 0 ? 1 : 0;
  EXPECT_EQ(count("Tessera: warning: a list of this test -> \"fsai: pattern level\" would have no effect"),
            once);
  EXPECT_EQ(count("Tessera: warning: a list of this test -> \"smother: type\""), once);
  EXPECT_EQ(count("Tessera: warning: "), 2 * once) << said;
}

TEST_F(Describe, DescribePrintsTheHierarchyOnRankZero) {
  SmoothedAggregation<> M(A);
  M.setParameters(smoothed_aggregation().parameters);
  auto const described = [&](Teuchos::EVerbosityLevel level) {
    std::ostringstream text;
    Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
    M.describe(out, level);
    return text.str();
  };
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(described(Teuchos::VERB_LOW).find("Computed: false") != std::string::npos, speaks);
  M.compute();
  EXPECT_EQ(described(Teuchos::VERB_NONE), "");
  auto const low = described(Teuchos::VERB_LOW);
  EXPECT_EQ(low, described(Teuchos::VERB_DEFAULT));
  EXPECT_EQ(low.find("nonzeros") != std::string::npos, speaks) << low;
  EXPECT_EQ(low.find("Operator complexity: ") != std::string::npos, speaks) << low;
  EXPECT_EQ(low.find("coarse: max size"), std::string::npos);
  EXPECT_EQ(described(Teuchos::VERB_MEDIUM).find("\"coarse: max size\": 30") != std::string::npos, speaks);
  EXPECT_EQ(described(Teuchos::VERB_HIGH).find("Scalar: double") != std::string::npos, speaks);
  EXPECT_EQ(low.empty(), !speaks);
}

TEST_F(Describe, ABootstrapTellsOfItsComponents) {
  MatchingAggregation<> M(A);
  M.setParameters(bootstrap().changed);
  M.compute();
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M.describe(out, Teuchos::VERB_LOW);
  auto const said = text.str();
  bool const speaks = world()->getRank() == 0;
  EXPECT_EQ(said.find("Bootstrap: {components: ") != std::string::npos, speaks) << said;
  EXPECT_EQ(said.find("convergence rates: [0.") != std::string::npos, speaks) << said;
  EXPECT_EQ(said.find("#    1.0   400") != std::string::npos, speaks) << said;
}

TEST_F(Describe, ASparseInverseTellsOfItsPatternAndItsFactor) {
  Fsai<> M(A);
  M.compute();
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M.describe(out, Teuchos::VERB_HIGH);
  for (auto const* part :
       {"Factor: {factors: ", "checksum: ", "Pattern: {nonzeros: ", "largest row: ", "share filtered: ",
        "Rows by size: {1: 1, ", "Peak workspace: ", "Seconds by phase: {"}) {
    EXPECT_EQ(text.str().find(part) != std::string::npos, world()->getRank() == 0) << part << "\n"
                                                                                   << text.str();
  }
}

}  // namespace
}  // namespace Tessera::test
