// Parameters of Tessera's lists, and reports of mistakes in them.
#include "parameters/parse.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "failure.hpp"
#include "multigrid/polynomial.hpp"

namespace Tessera::parameters {
namespace {

using test::contains;
using test::failure;

Teuchos::ParameterList list_named(char const* name = "file.xml->Preconditioner Types->Tessera") {
  return Teuchos::ParameterList(name);
}

TEST(Parse, MueLuStyleSublistsAreRead) {
  auto list = list_named();
  list.set<std::string>("smoother: type", "RELAXATION");
  list.sublist("smoother: params").set<std::string>("relaxation: type", "Jacobi");
  list.sublist("smoother: params").set("relaxation: sweeps", 3).set("relaxation: damping factor", 0.7);
  list.sublist("smoother: params").set("relaxation: use l1", true);
  auto const smoother = parse(list).multigrid.smoother;
  EXPECT_EQ(smoother.type, multigrid::SmootherType::l1_jacobi);
  EXPECT_EQ(smoother.sweeps, 3);
  EXPECT_EQ(smoother.damping, 0.7);
}

TEST(Parse, AnIntIsAcceptedForADouble) {
  auto list = list_named();
  list.set("sa: damping factor", 1);
  EXPECT_EQ(parse(list).multigrid.prolongator_damping, 1.0);
}

TEST(Parse, ChoicesAreReadInAnyCase) {
  auto list = list_named();
  list.set<std::string>("smoother: type", "Relaxation");
  list.set<std::string>("matrix format: type", "sell-c-SIGMA");
  EXPECT_EQ(parse(list).multigrid.smoother.type, multigrid::SmootherType::jacobi);
  EXPECT_EQ(parse(list).multigrid.format, multigrid::MatrixFormat::sell);
}

TEST(Parse, NumberOfEquationsReachesTheStrengthOfConnection) {
  auto list = list_named();
  list.set("PDE equations", 3);
  EXPECT_EQ(parse(list).multigrid.strength.equations, 3);
}

TEST(Parse, ASparseInverseHasOtherDefaultsAsASmoother) {
  auto list = list_named();
  list.set<std::string>("multigrid algorithm", "fsai").set("fsai: postfilter tolerance", 0.1);
  auto const alone = parse(list);
  EXPECT_EQ(alone.algorithm, Algorithm::fsai);
  EXPECT_EQ(alone.fsai.pattern_level, fsai::Parameters{}.pattern_level);
  EXPECT_EQ(alone.fsai.postfilter, 0.1);
  auto smoother = list_named();
  smoother.set<std::string>("smoother: type", "FSAI");
  smoother.sublist("smoother: params").set("fsai: postfilter tolerance", 0.1).set("chebyshev: degree", 3);
  auto const multigrid = parse(smoother).multigrid;
  EXPECT_EQ(multigrid.smoother.type, multigrid::SmootherType::fsai);
  EXPECT_EQ(multigrid.smoother.fsai.pattern_level, multigrid::SmootherParameters{}.fsai.pattern_level);
  EXPECT_LT(multigrid.smoother.fsai.pattern_level, alone.fsai.pattern_level);
  EXPECT_EQ(multigrid.smoother.fsai.postfilter, 0.1);
  EXPECT_EQ(multigrid.smoother.degree, 3);
}

TEST(Parse, AListWithoutAlgorithmHasTheCallersMethod) {
  EXPECT_EQ(parse(list_named()).algorithm, Algorithm::smoothed);
  EXPECT_EQ(parse(list_named(), nullptr, find_method("FSAI")).algorithm, Algorithm::fsai);
  auto list = list_named();
  list.set("fsai: pattern level", 2);
  EXPECT_EQ(parse(list, nullptr, find_method("FSAI")).fsai.pattern_level, 2);
  EXPECT_THROW(parse(list), core::InvalidInput);
}

TEST(Parse, ParametersOfASparseInverseOutOfRangeAreRefused) {
  auto const refused = [](char const* name, auto value, char const* range) {
    auto list = list_named();
    list.set<std::string>("multigrid algorithm", "fsai").set(name, value);
    auto const message = test::failure([&] { parse(list); });
    EXPECT_NE(message.find(name), std::string::npos) << message;
    EXPECT_NE(message.find(range), std::string::npos) << message;
  };
  refused("fsai: pattern level", -1, "0 to 20");
  refused("fsai: prefilter tolerance", -0.1, "0 to below 1");
  refused("fsai: prefilter tolerance", 1.0, "0 to below 1");
  refused("fsai: postfilter tolerance", 1.5, "0 to below 1");
  refused("fsai: max row size", 2000, "0 to 1024");
  refused("fsai: ordering", std::string("sorted"), "natural");
  refused("fsai: factors", 2, "fsai: ordering = random");
  refused("fsai: postfilter norm", std::string("maximum"), "energy");
  refused("fsai: ghost depth", -2, "-1 to 1000");
  refused("fsai: adaptive step size", 4, "fsai: adaptive steps > 0");
  refused("max levels", 3, "multigrid algorithm other than ");
}

TEST(Parse, ListsAreSnapshotsAndStayUnchanged) {
  auto list = list_named();
  list.set("max levels", 3);
  auto const copy = list;
  EXPECT_EQ(parse(list).multigrid.max_levels, 3);
  EXPECT_TRUE(list == copy);
  EXPECT_EQ(parse(list_named()).multigrid.max_levels, multigrid::Parameters{}.max_levels);
}

TEST(Parse, EntriesOfTheCallersListAreMarkedUsed) {
  auto list = list_named();
  list.set("max levels", 3);
  list.sublist("smoother: params").set("chebyshev: degree", 3);
  parse(list);
  std::ostringstream unused;
  list.unused(unused);
  EXPECT_EQ(unused.str(), "");
}

TEST(Parse, TheSameValueUnderTwoNamesIsNoContradiction) {
  auto list = list_named();
  list.set("number of equations", 3).set("PDE equations", 3);
  EXPECT_EQ(parse(list).multigrid.equations, 3);
}

TEST(Parse, ATypoIsRefusedWithPathAndSuggestion) {
  auto list = list_named();
  list.set("smother: sweeps", 4);
  EXPECT_REFUSED(parse(list), "file.xml->Preconditioner Types->Tessera", "\"smother: sweeps\"",
                 "did you mean \"smoother: sweeps\"");
}

TEST(Parse, AnUnknownNameShowsNamesWithItsPrefix) {
  auto list = list_named();
  list.set("coarse: quantum solver", 4);
  EXPECT_REFUSED(parse(list), "coarse: max size", "coarse: type");
}

TEST(Parse, AWrongTypeIsRefusedWithBothTypes) {
  auto list = list_named();
  list.set("max levels", 2.0);
  EXPECT_REFUSED(parse(list), "\"max levels\"", "double", "must be int");
  auto other = list_named();
  other.set<std::string>("aggregation: drop tol", "0.1");
  EXPECT_REFUSED(parse(other), "\"0.1\" of type string", "must be double");
}

TEST(Parse, AValueOutOfRangeIsRefusedWithTheRange) {
  auto list = list_named();
  list.set("max levels", 65);
  EXPECT_REFUSED(parse(list), "65", "1 to 64");
  auto negative = list_named();
  negative.set("aggregation: drop tol", -0.5);
  EXPECT_REFUSED(parse(negative), "-0.5", "0 to 1");
  auto nan = list_named();
  nan.set("sa: damping factor", std::nan(""));
  EXPECT_REFUSED(parse(nan), "out of range");
  auto large = list_named();
  large.set("max levels", 1LL << 40);
  EXPECT_REFUSED(parse(large), "1 to 64");
}

/// The mean eigenvalue of D^-1 A is 1, so the largest cannot be less.
TEST(Parse, AnImpossibleEigenvalueIsRefused) {
  for (double const value : {0.0, 0.5, -2.0, -0.5}) {
    auto list = list_named();
    list.set("sa: max eigenvalue", value);
    EXPECT_REFUSED(parse(list), "sa: max eigenvalue", "-1, or 1 to");
  }
  for (double const value : {-1.0, 1.0, 2.5}) {
    auto list = list_named();
    list.set("sa: max eigenvalue", value);
    EXPECT_EQ(parse(list).multigrid.max_eigenvalue, value);
  }
}

TEST(Parse, TooFewStepsForAnEigenvalueAreRefused) {
  auto list = list_named();
  list.set("sa: eigenvalue estimate num iterations", multigrid::fewest_eigenvalue_steps - 1);
  EXPECT_REFUSED(parse(list), "sa: eigenvalue estimate num iterations", "6 to 200");
}

TEST(Parse, AnUnknownChoiceIsRefusedWithTheChoices) {
  auto list = list_named();
  list.set<std::string>("cycle type", "X");
  EXPECT_REFUSED(parse(list), "\"X\"", "\"V\", \"W\", \"F\", \"K\"");
  auto gauss = list_named();
  gauss.set<std::string>("smoother: type", "CHEBISHEV");
  EXPECT_REFUSED(parse(gauss), "did you mean \"CHEBYSHEV\"");
}

TEST(Parse, AContradictionOfAliasesIsRefusedWithBothNames) {
  auto list = list_named();
  list.set("number of equations", 3).set("PDE equations", 2);
  EXPECT_REFUSED(parse(list), "\"number of equations\"", "\"PDE equations\"", "contradicts");
  auto half = list_named();
  half.set("half precision", false).set<std::string>("precision: hierarchy", "float");
  EXPECT_REFUSED(parse(half), "\"half precision\"", "\"precision: hierarchy\"");
  auto nested = list_named();
  nested.set("chebyshev: degree", 2).sublist("smoother: params").set("chebyshev: degree", 3);
  EXPECT_REFUSED(parse(nested), "smoother: params", "contradicts");
}

TEST(Parse, AParameterWithoutEffectIsRefused) {
  auto list = list_named();
  list.set<std::string>("smoother: type", "RELAXATION").set("chebyshev: degree", 3);
  EXPECT_REFUSED(parse(list), "\"chebyshev: degree\"", "no effect", "smoother: type = CHEBYSHEV");
  auto ratio = list_named();
  ratio.set("chebyshev: ratio eigenvalue", 20.0);
  EXPECT_REFUSED(parse(ratio), "chebyshev: algorithm = first");
  auto unsmoothed = list_named();
  unsmoothed.set<std::string>("multigrid algorithm", "unsmoothed").set("sa: damping factor", 1.0);
  EXPECT_REFUSED(parse(unsmoothed), "multigrid algorithm = sa");
}

TEST(Parse, ABootstrapIsForSeveralComponentsOfMatchings) {
  auto smoothed = list_named();
  smoothed.set("bootstrap: components", 2);
  EXPECT_REFUSED(parse(smoothed), "\"bootstrap: components\"", "no effect", "aggregation: type = matching");
  auto const with = [](char const* name, auto value, int components) {
    auto list = list_named();
    list.set<std::string>("multigrid algorithm", "matching").set("bootstrap: components", components);
    list.set(name, value);
    return parse(list).multigrid.bootstrap;
  };
  EXPECT_EQ(with("bootstrap: sweeps", 7, 4).components, 4);
  EXPECT_EQ(with("bootstrap: sweeps", 7, 4).sweeps, 7);
  EXPECT_REFUSED(with("bootstrap: sweeps", 7, 1), "no effect", "bootstrap: components > 1");
  EXPECT_REFUSED(with("bootstrap: sweeps", 0, 2), "1 to 1000");
  EXPECT_REFUSED(with("bootstrap: convergence rate", 1.0, 2), "out of range");
  EXPECT_REFUSED(with("bootstrap: convergence rate", 0.0, 2), "out of range");
  EXPECT_REFUSED(with("max levels", 3, 0), "bootstrap: components", "1 to 20");
}

TEST(Parse, EveryFormatHasItsName) {
  for (auto const& [name, format] : sparse::matrix_formats) {
    auto list = list_named();
    list.set<std::string>("matrix format: type", name);
    EXPECT_EQ(parse(list).multigrid.format, format) << name;
    list.set("matrix format: sigma", 32);
    using sparse::MatrixFormat;
    if (format == MatrixFormat::automatic || format == MatrixFormat::sell) {
      EXPECT_EQ(parse(list).multigrid.sigma, 32) << name;
    } else {
      EXPECT_REFUSED(parse(list), "matrix format: sigma", "matrix format: type = auto or SELL-C-sigma");
    }
  }
}

TEST(Parse, EveryModeOfCommunicationHasItsName) {
  using comm::Overlap;
  EXPECT_EQ(parse(list_named()).overlap, Overlap::automatic);
  for (auto const& [name, overlap] : {std::pair("auto", Overlap::automatic), std::pair("none", Overlap::none),
                                      std::pair("naive", Overlap::naive), std::pair("task", Overlap::task)}) {
    auto list = list_named();
    list.set<std::string>("communication: mode", name);
    EXPECT_EQ(parse(list).overlap, overlap) << name;
  }
  auto peer = list_named();
  peer.set<std::string>("communication: mode", "nive");
  EXPECT_REFUSED(parse(peer), "communication: mode", "naive");
}

TEST(Parse, FormatsThatDoNotFitAreRefused) {
  auto list = list_named();
  list.set("matrix format: chunk size", 33);
  EXPECT_REFUSED(parse(list), "chunk size", "power of two");
  auto window = list_named();
  window.set("matrix format: sigma", 100);
  EXPECT_REFUSED(parse(window), "sigma", "multiple");
}

TEST(Parse, TheSetupThatPreparesRefreshesIsAChoice) {
  using multigrid::RefreshPreparation;
  auto const prepared = [](auto const& value) {
    auto list = list_named();
    list.set("reuse: prepare refresh", value);
    return parse(list).multigrid.prepare_refresh;
  };
  EXPECT_EQ(parse(list_named()).multigrid.prepare_refresh, RefreshPreparation::second);
  EXPECT_EQ(prepared("second"), RefreshPreparation::second);
  EXPECT_EQ(prepared("First"), RefreshPreparation::first);
  EXPECT_REFUSED(prepared("third"), "\"second\", \"first\"");
  EXPECT_REFUSED(prepared(1), "string");
}

TEST(Parse, FormerChoicesAreRefusedWithTheirReplacement) {
  using Choice = std::pair<char const*, char const*>;
  for (auto const& [past, now] : std::initializer_list<Choice>{{"none", "\"second\""},
                                                               {"patterns", "\"second\""},
                                                               {"all", "\"first\""},
                                                               {"true", "\"second\""},
                                                               {"false", "\"second\""}}) {
    auto list = list_named();
    list.set<std::string>("reuse: prepare refresh", past);
    EXPECT_REFUSED(parse(list), std::string("\"reuse: prepare refresh\""),
                   "written " + std::string(now) + " now");
  }
  auto list = list_named();
  list.set("reuse: prepare refresh", true);
  EXPECT_REFUSED(parse(list), "\"reuse: prepare refresh\"", "written \"second\" now");
}

TEST(Parse, PreparingRefreshesInTheFirstSetupIsForHierarchies) {
  auto list = list_named();
  list.set<std::string>("multigrid algorithm", "fsai").set<std::string>("reuse: prepare refresh", "first");
  EXPECT_REFUSED(parse(list), "reuse: prepare refresh", "no effect");
}

TEST(Parse, HalfIsForHierarchies) {
  for (std::string const precision : {"half", "auto"}) {
    auto list = list_named();
    list.set<std::string>("multigrid algorithm", "fsai").set("precision: hierarchy", precision);
    EXPECT_REFUSED(parse(list), "precision: hierarchy", "float");
  }
}

TEST(Parse, AnUnknownSublistIsRefusedWithSuggestion) {
  auto list = list_named();
  list.sublist("smoother: param").set("chebyshev: degree", 3);
  EXPECT_REFUSED(parse(list), "\"smoother: param\"", "sublist", "did you mean \"smoother: params\"");
}

TEST(Parse, AParameterInTheWrongSublistIsRefused) {
  auto list = list_named();
  list.sublist("smoother: params").set("max levels", 3);
  EXPECT_REFUSED(parse(list), "smoother: params", "\"max levels\"", "belongs to the list above");
}

TEST(Parse, AParameterInPlaceOfASublistIsRefused) {
  auto list = list_named();
  list.set<std::string>("smoother: params", "degree 3");
  EXPECT_REFUSED(parse(list), "\"smoother: params\"");
}

TEST(Parse, AllMistakesAreReportedAtOnce) {
  auto list = list_named();
  list.set("smother: sweeps", 4).set("max levels", 0).set<std::string>("cycle type", "X");
  EXPECT_REFUSED(parse(list), "3 mistakes", "smother", "max levels", "cycle type");
}

TEST(Parse, OnlyTheFirstOfManyUnknownNamesAreReported) {
  auto list = list_named();
  for (int i = 0; i < 60; ++i) list.set("name " + std::to_string(i), i);
  EXPECT_REFUSED(parse(list), "\"name 49\"", "10 more unknown names");
  EXPECT_FALSE(contains(failure([&] { parse(list); }), "\"name 50\""));
}

TEST(Parse, WithoutStrictnessUnknownNamesAreWarnings) {
  auto list = list_named();
  list.set("smother: sweeps", 4).set("tessera: strict", false);
  std::vector<std::string> warnings;
  parse(list, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("smoother: sweeps"), std::string::npos);
  EXPECT_FALSE(list.getEntry("smother: sweeps").isUsed());
}

TEST(Parse, ARemovedOrderOfRootsIsAcceptedWithAWarning) {
  auto list = list_named();
  list.set<std::string>("aggregation: order", "front");
  std::vector<std::string> warnings;
  parse(list, &warnings);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("`aggregation: order` = front"), std::string::npos);
  list.set<std::string>("aggregation: order", "hash");
  parse(list, &warnings);
  EXPECT_TRUE(warnings.empty());
}

TEST(Parse, WithoutStrictnessParametersWithoutEffectAreWarningsAndChangeNothing) {
  auto plain = list_named(), list = list_named();
  for (auto* one : {&plain, &list}) one->set("tessera: strict", false).set("multigrid algorithm", "fsai");
  list.set("cycle type", "K").set("cycle: K levels", 3).set("coarse: max size", 7);
  std::vector<std::string> warnings;
  auto const settings = parse(list, &warnings);
  ASSERT_EQ(warnings.size(), 3u);
  for (auto const* name : {"cycle type", "cycle: K levels", "coarse: max size"}) {
    auto const found = std::count_if(warnings.begin(), warnings.end(), [&](auto const& warning) {
      return warning.find(std::string("\"") + name + "\" would have no effect: it is for ") !=
             std::string::npos;
    });
    EXPECT_EQ(found, 1) << name;
  }
  EXPECT_EQ(settings.multigrid.cycle, parse(plain).multigrid.cycle);
  list.set("tessera: strict", true);
  EXPECT_TRUE(contains(failure([&] { parse(list); }), "would have no effect"));
}

TEST(Parse, RootNodesTakeTheirStrengthByTheNumberOfEquations) {
  using aggregation::DropScheme;
  auto list = list_named();
  list.set("multigrid algorithm", "rootnode");
  auto const scalar = parse(list).multigrid;
  EXPECT_EQ(scalar.strength.scheme, DropScheme::signed_classical);
  EXPECT_EQ(scalar.strength.drop_tolerance, 0.5);
  list.set("number of equations", 3);
  auto const nodes = parse(list).multigrid;
  EXPECT_EQ(nodes.strength.scheme, DropScheme::classical);
  EXPECT_EQ(nodes.strength.drop_tolerance, 0.02);
  EXPECT_EQ(nodes.strength.equations, 3);
  list.set("aggregation: drop tol", 0.25);
  EXPECT_EQ(parse(list).multigrid.strength.drop_tolerance, 0.25);
  list.set("aggregation: type", "paa");
  EXPECT_REFUSED(parse(list), "`multigrid algorithm` = rootnode needs aggregates around roots", "mis2");
}

TEST(Parse, ClassicalRefusesSystemsAndParametersOfAggregates) {
  auto list = list_named();
  list.set("multigrid algorithm", "classical");
  list.set("classical: strong threshold", 0.25);
  EXPECT_EQ(parse(list).multigrid.classical.strong_threshold, 0.25);
  list.set("aggregation: drop tol", 0.25);
  EXPECT_REFUSED(parse(list), "aggregation: drop tol", "multigrid algorithm other than ");
  list.remove("aggregation: drop tol");
  list.set("number of equations", 3);
  EXPECT_REFUSED(parse(list), "`multigrid algorithm` = classical interpolates one unknown a node",
                 "`number of equations` is 3", "rootnode or sa");
}

TEST(Parse, DataOfAProgramOutsideTheirSublistAreRefused) {
  for (auto const* name : {"Nullspace", "nullspace", "Coordinates", "Material"}) {
    auto list = list_named();
    list.set(name, 7);
    EXPECT_REFUSED(parse(list), name, "a program puts it into the sublist \"user data\"");
  }
}

}  // namespace
}  // namespace Tessera::parameters
