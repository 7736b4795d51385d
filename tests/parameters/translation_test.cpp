// Lists of other libraries: their translation, and their parameters in Tessera's lists.
#include "parameters/translation.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include "failure.hpp"
#include "foreign_lists.hpp"
#include "parameters/parse.hpp"
#include "parameters/reading.hpp"
#include "parameters/valid_parameters.hpp"
#include "parameters/xml.hpp"
#include "settings/table.hpp"

namespace Tessera::parameters {
namespace {

using test::contains;
using Teuchos::ParameterList;

TEST(Vocabulary, ALibraryHasANameOnceAndItsTranslationIsValid) {
  std::set<std::pair<Library, std::string>> seen;
  for (auto const& word : vocabulary()) {
    for (auto const& name : word.names) {
      EXPECT_TRUE(seen.emplace(word.library, name).second) << name;
      for (auto const& one : word.values) {
        if (one.ours.empty()) continue;
        auto const ours = one.name.empty() ? word.ours.empty() ? name : word.ours : one.name;
        ASSERT_TRUE(names().count(ours)) << name << " comes to " << ours;
        auto const& row = *names().at(ours).row;
        std::string problem;
        EXPECT_TRUE(converted(row, nullptr, entry_of(row, one.ours), problem)) << name << " " << problem;
      }
      bool const is_sublist =
          word.ours == "level N" || word.ours == "smoother: params" || name == "user data";
      bool const named = word.status == TranslationStatus::same ||
                         (word.status == TranslationStatus::renamed && !word.ours.empty());
      EXPECT_TRUE(!named || is_sublist || names().count(word.ours.empty() ? name : word.ours) > 0)
          << name << " is none of ours";
    }
  }
}

TEST(Vocabulary, ThePageInDocsIsUpToDate) {
  std::ifstream file(TESSERA_WORDS);
  std::ostringstream written, current;
  written << file.rdbuf();
  print_vocabulary(current);
  EXPECT_TRUE(written.str() == current.str()) << "docs/translation.md is out of date; write it again with: "
                                                 "tessera params --words > docs/translation.md";
  auto const text = current.str();
  EXPECT_LE(std::count(text.begin(), text.end(), '\n'), 150);
  for (auto const& word : vocabulary())
    for (auto const& name : word.names) EXPECT_NE(text.find("`" + name + "`"), std::string::npos) << name;
}

TEST(Translation, ParametersAreKeptRenamedOrReportedWithoutEffect) {
  auto const made =
      translate(xml(parameter("max levels", "int", "5") + parameter("coarse: type", "string", "KLU2") +
                    parameter("transpose: use implicit", "bool", "true") +
                    parameter("repartition: enable", "bool", "false") +
                    parameter("aggregation: drop scheme", "string", "cut-drop") +
                    parameter("coarse: max size", "int", "5000")));
  EXPECT_EQ(made.libraries.front(), Library::muelu);
  EXPECT_EQ(describe_status(made, "max levels = 5"), TranslationStatus::same);
  EXPECT_EQ(describe_status(made, "coarse: type = KLU2"), TranslationStatus::renamed);
  EXPECT_EQ(describe_status(made, "transpose: use implicit = true"), TranslationStatus::no_effect);
  EXPECT_EQ(describe_status(made, "repartition: enable = false"), TranslationStatus::renamed);
  EXPECT_EQ(describe_status(made, "aggregation: drop scheme = cut-drop"), TranslationStatus::same);
  EXPECT_EQ(made.list->get<int>("max levels"), 5);
  EXPECT_EQ(made.list->get<int>("repartition: min rows per proc"), 1);
  EXPECT_EQ(made.list->get<int>("coarse: max size"), 2000);
  auto const settings = parse(*made.list);
  EXPECT_EQ(settings.multigrid.coarse, multigrid::CoarseType::dense);
  EXPECT_EQ(settings.multigrid.strength.scheme, aggregation::DropScheme::cut);
}

TEST(Translation, ASmootherKeepsItsNumbers) {
  auto const made = translate(
      xml(parameter("smoother: type", "string", "CHEBYSHEV") +
          sublist("smoother: params", parameter("chebyshev: degree", "int", "3") +
                                          parameter("chebyshev: ratio eigenvalue", "double", "7"))));
  auto const smoother = parse(*made.list).multigrid.smoother;
  EXPECT_EQ(smoother.degree, 3);
  EXPECT_EQ(smoother.chebyshev, multigrid::ChebyshevKind::first);
  EXPECT_EQ(smoother.ratio, 7.0);
}

TEST(Translation, GaussSeidelBecomesAPolynomial) {
  auto const degree = [](std::string const& type, int sweeps) {
    auto const made = translate(
        xml(parameter("smoother: type", "string", "RELAXATION") +
            sublist("smoother: params", parameter("relaxation: type", "string", type) +
                                            parameter("relaxation: sweeps", "int", std::to_string(sweeps)))));
    auto const smoother = parse(*made.list).multigrid.smoother;
    EXPECT_EQ(smoother.type, multigrid::SmootherType::chebyshev);
    EXPECT_EQ(smoother.sweeps, 1);
    return smoother.degree;
  };
  EXPECT_REFUSED(
      translate(xml(parameter("smoother: type", "string", "RELAXATION") +
                    sublist("smoother: params", parameter("relaxation: type", "string", "Gauss-Seidel") +
                                                    parameter("relaxation: sweeps", "string", "many")))),
      "relaxation: sweeps", "must be of type int");
  EXPECT_EQ(degree("Symmetric Gauss-Seidel", 1), 4);
  EXPECT_EQ(degree("Gauss-Seidel", 2), 4);
  EXPECT_EQ(degree("Symmetric Gauss-Seidel", 1000), 64);
}

TEST(Translation, LevelsHaveSmoothersOfTheirOwn) {
  auto const made = translate(xml(
      parameter("smoother: type", "string", "CHEBYSHEV") +
      sublist("level 1", parameter("smoother: type", "string", "RELAXATION") +
                             sublist("smoother: params", parameter("relaxation: type", "string", "Jacobi") +
                                                             parameter("relaxation: sweeps", "int", "3")))));
  auto const multigrid = parse(*made.list).multigrid;
  EXPECT_EQ(multigrid.smoother_on(0).type, multigrid::SmootherType::chebyshev);
  EXPECT_EQ(multigrid.smoother_on(1).type, multigrid::SmootherType::jacobi);
  EXPECT_EQ(multigrid.smoother_on(1).sweeps, 3);
}

TEST(Translation, OfMlWithItsLevels) {
  auto const made = translate(
      xml(parameter("smoother: type", "string", "Jacobi") + parameter("smoother: sweeps", "int", "2") +
          parameter("smoother: type (level 1)", "string", "Chebyshev") +
          parameter("smoother: polynomial order (level 1)", "int", "5") +
          parameter("smoother: sweeps (level 2)", "int", "7") +
          parameter("aggregation: threshold", "double", "0.08") + parameter("ML output", "int", "0") +
          parameter("PDE equations", "int", "2")));
  EXPECT_EQ(made.libraries.front(), Library::ml);
  auto const settings = parse(*made.list);
  EXPECT_EQ(settings.multigrid.smoother_on(0).type, multigrid::SmootherType::jacobi);
  EXPECT_EQ(settings.multigrid.smoother_on(0).sweeps, 2);
  EXPECT_EQ(settings.multigrid.smoother_on(1).degree, 5);
  EXPECT_EQ(settings.multigrid.smoother_on(2).type, multigrid::SmootherType::jacobi);
  EXPECT_EQ(settings.multigrid.smoother_on(2).sweeps, 7);
  EXPECT_EQ(settings.multigrid.strength.drop_tolerance, 0.08);
  EXPECT_EQ(settings.verbosity, Verbosity::none);
  EXPECT_EQ(settings.multigrid.equations, 2);
}

TEST(Translation, SweepsOfMlsPolynomialAreItsDegree) {
  auto const smoothers = [](std::string const& inside) {
    return parse(*translate(xml(parameter("PDE equations", "int", "1") + inside), Library::ml).list)
        .multigrid;
  };
  auto const chebyshev = parameter("smoother: type", "string", "Chebyshev"),
             six = parameter("smoother: sweeps", "int", "6");
  for (auto const* type : {"Chebyshev", "MLS", "IFPACK-Chebyshev", "Block Chebyshev"}) {
    auto const smoother = smoothers(parameter("smoother: type", "string", type) + six).smoother;
    EXPECT_EQ(smoother.type, multigrid::SmootherType::chebyshev) << type;
    EXPECT_EQ(smoother.degree, 6) << type;
    EXPECT_EQ(smoother.sweeps, 1) << type;
  }
  auto const order = parameter("smoother: polynomial order", "int", "4");
  EXPECT_EQ(smoothers(chebyshev + six + order).smoother.degree, 4);
  EXPECT_EQ(smoothers(order + six + chebyshev).smoother.degree, 4);
  auto const of_a_level = smoothers(chebyshev + six + parameter("smoother: sweeps (level 1)", "int", "3"));
  EXPECT_EQ(of_a_level.smoother_on(0).degree, 6);
  EXPECT_EQ(of_a_level.smoother_on(1).degree, 3);
  auto const after_jacobi = smoothers(parameter("smoother: type", "string", "Jacobi") + six +
                                      parameter("smoother: type (level 2)", "string", "Chebyshev"));
  EXPECT_EQ(after_jacobi.smoother_on(0).sweeps, 6);
  EXPECT_EQ(after_jacobi.smoother_on(2).degree, 6);
  auto const in_a_list = smoothers(six + sublist("smoother: list (level 1)", chebyshev));
  EXPECT_EQ(in_a_list.smoother_on(1).degree, 6);
  auto const said = translate(xml(chebyshev + six + parameter("PDE equations", "int", "1")));
  EXPECT_EQ(describe_status(said, "smoother: sweeps = 6"), TranslationStatus::renamed);
}

TEST(Translation, OfIfpack2IsOneLevelOrASparseInverse) {
  auto const polynomial = parse(*translate(xml(parameter("chebyshev: degree", "int", "4"))).list);
  EXPECT_EQ(polynomial.multigrid.max_levels, 1);
  EXPECT_EQ(polynomial.multigrid.coarse, multigrid::CoarseType::smoother);
  EXPECT_EQ(polynomial.multigrid.coarse_sweeps, 1);
  EXPECT_EQ(polynomial.multigrid.smoother.degree, 4);
  auto const inverse =
      parse(*translate(xml(parameter("Prec Type", "string", "RILUK") +
                           sublist("Ifpack2 Settings", parameter("fact: iluk level-of-fill", "int", "1"))))
                 .list);
  EXPECT_EQ(inverse.algorithm, Algorithm::fsai);
  EXPECT_EQ(inverse.fsai.pattern_level, 2);
}

TEST(Translation, DifferentSmoothersBeforeAndAfterAreReported) {
  auto const made =
      translate(xml(parameter("smoother: pre type", "string", "CHEBYSHEV") +
                    parameter("smoother: post type", "string", "RELAXATION") +
                    sublist("smoother: post params", parameter("relaxation: type", "string", "Jacobi"))));
  EXPECT_EQ(describe_status(made, "smoother: pre type, smoother: post type"),
            TranslationStatus::no_counterpart);
  EXPECT_EQ(parse(*made.list).multigrid.smoother.type, multigrid::SmootherType::chebyshev);
}

TEST(Translation, AStratimikosListStaysOneWithItsSolver) {
  auto const made = translate(
      xml(parameter("Preconditioner Type", "string", "MueLu") +
          sublist("Linear Solver Types", sublist("Belos", parameter("Solver Type", "string", "Block CG"))) +
          sublist("Preconditioner Types", sublist("MueLu", parameter("max levels", "int", "4")) +
                                              sublist("ML", parameter("max levels", "int", "6")))));
  EXPECT_EQ(made.list->get<std::string>("Preconditioner Type"), "Tessera");
  EXPECT_EQ(made.list->sublist("Linear Solver Types").sublist("Belos").get<std::string>("Solver Type"),
            "Block CG");
  auto const& types = made.list->sublist("Preconditioner Types");
  EXPECT_EQ(types.numParams(), 1);
  EXPECT_EQ(types.sublist("Tessera").get<int>("max levels"), 4);
}

TEST(Translation, MueLusDropToleranceIsThatOfAllLevelsOrOfOne) {
  auto const tolerance = parameter("aggregation: drop tol", "double", "0.1");
  auto const one = [&](std::string const& inside) { return parse(*translate(xml(inside)).list).multigrid; };
  EXPECT_EQ(one(tolerance).drop_tolerance_on(3), 0.1);
  auto const scaled = parameter("aggregation: use ml scaling of drop tol", "bool", "true");
  EXPECT_EQ(one(tolerance + scaled).drop_tolerance_on(1), 0.05);
  auto const level = sublist("level 1", parameter("aggregation: drop tol", "double", "0.3"));
  EXPECT_EQ(one(tolerance + level).drop_tolerance_on(1), 0.3);
  EXPECT_EQ(one(tolerance + level).drop_tolerance_on(2), 0.1);
  auto const debug = parameter("smoother: type", "string", "CHEBYSHEV") +
                     sublist("smoother: params", parameter("debug", "bool", "false"));
  EXPECT_EQ(describe_status(translate(xml(debug)), "smoother: params -> debug = false"),
            TranslationStatus::no_effect);
}

TEST(Translation, WrittenListsReadBack) {
  auto const made = translate(xml(parameter("sa: damping factor", "double", "1.3333333333333333") +
                                  parameter("multigrid algorithm", "string", "unsmoothed") +
                                  sublist("smoother: params", parameter("chebyshev: degree", "int", "3"))));
  std::ostringstream out;
  write_xml(out, *made.list, "Tessera");
  EXPECT_EQ(parsed_values(*parse_xml(out.str(), "again")), parsed_values(*made.list));
  std::ostringstream yaml;
  write_list(yaml, *made.list, "Tessera", "again.yaml");
  EXPECT_EQ(parsed_values(*parse_yaml(yaml.str(), "again")), parsed_values(*made.list));
}

TEST(Translation, AnUnknownParameterIsAnErrorWithTheNearest) {
  EXPECT_REFUSED(
      translate(xml(parameter("max levels", "int", "4") + parameter("smother: type", "string", "X") +
                    parameter("aggregation: dorp tol", "double", "0.1"))),
      "2 mistakes", "\"smother: type\" is an unknown parameter of MueLu", "\"smoother: type\"",
      "\"aggregation: drop tol\"");
  EXPECT_REFUSED(translate(xml(sublist("level 1", parameter("smoother: tipe", "string", "X")))),
                 "\"smoother: type\"");
  EXPECT_REFUSED(translate(xml(sublist("smoother: params", parameter("chebyshev: degre", "int", "2")))),
                 "an unknown parameter of Ifpack2", "\"chebyshev: degree\"");
  EXPECT_REFUSED(translate(xml(parameter("smoother: type", "string", "CHEBYSHEW"))), "\"CHEBYSHEV\"");
  EXPECT_REFUSED(translate(xml(parameter("max levels", "string", "many"))), "must be int");
  EXPECT_REFUSED(translate(xml(parameter("wholly unknown", "int", "4"))), "none of its names");
  EXPECT_REFUSED(translate(xml(sublist("Factories", ""))), "\"Hierarchy\" is not given");
  EXPECT_REFUSED(translate(xml(parameter("Preconditioner Type", "string", "Tessera"))),
                 "already a list of Tessera's");
}

TEST(OtherLibrariesParameters, HaveTheSameEffectInTesserasLists) {
  auto const settings = parse(xml(parameter("coarse: type", "string", "KLU2") +
                                  parameter("aggregation: mode", "string", "uncoupled") +
                                  parameter("aggregation: type", "string", "uncoupled") +
                                  parameter("smoother: Chebyshev eig boost", "double", "1.3") +
                                  parameter("repartition: enable", "bool", "false")));
  EXPECT_EQ(settings.multigrid.coarse, multigrid::CoarseType::dense);
  EXPECT_FALSE(settings.multigrid.strength.coupled);
  EXPECT_EQ(settings.multigrid.eigenvalue_safety, 1.3);
  EXPECT_EQ(settings.multigrid.rows_per_rank, 1);
}

TEST(OtherLibrariesParameters, WithoutEffectAreReportedOnceAndRefusedByTrue) {
  auto list = xml(parameter("transpose: use implicit", "bool", "true") +
                  parameter("repartition: enable", "bool", "true") +
                  sublist("repartition: params", parameter("algorithm", "string", "multijagged")) +
                  sublist("coarse: params", parameter("relaxation: sweeps", "int", "20")));
  std::vector<std::string> warnings;
  parse(list, &warnings);
  EXPECT_EQ(warnings.size(), 4u);
  for (auto const* name :
       {"transpose: use implicit", "repartition: enable", "repartition: params", "relaxation: sweeps"}) {
    EXPECT_EQ(std::count_if(warnings.begin(), warnings.end(),
                            [&](auto const& one) { return contains(one, std::string("\"") + name + "\""); }),
              1)
        << name;
  }
  list.set("tessera: strict", true);
  EXPECT_REFUSED(parse(list), "4 mistakes", "transpose: use implicit", "a parameter of MueLu, has no effect");
  list.set("tessera: strict", false);
  EXPECT_NO_THROW(parse(list));
}

TEST(OtherLibrariesParameters, WithoutCounterpartAreRefusedWithTheNearest) {
  auto list = xml(parameter("aggregation: drop scheme", "string", "block diagonal") +
                  parameter("multigrid algorithm", "string", "pg") +
                  parameter("semicoarsen: number of levels", "int", "2"));
  EXPECT_REFUSED(parse(list), "3 mistakes",
                 "block diagonal, a parameter of MueLu, has no counterpart in Tessera",
                 "the nearest is \"classical\"", "the nearest is \"sa\"", "semicoarsen");
  std::vector<std::string> warnings;
  list.set("tessera: strict", "false");
  EXPECT_EQ(parse(list, &warnings).algorithm, Algorithm::smoothed);
  EXPECT_EQ(warnings.size(), 3u);
  EXPECT_NO_THROW(parse(xml(parameter("semicoarsen: number of levels", "int", "0"))));
}

TEST(OtherLibrariesParameters, OfChebyshevsDebugHaveNoEffect) {
  std::vector<std::string> warnings;
  parse(xml(sublist("smoother: params", parameter("debug", "bool", "true"))), &warnings);
  EXPECT_EQ(warnings.size(), 1u);
}

TEST(OtherLibrariesParameters, OfASweptCoarsestLevelAreRefused) {
  EXPECT_REFUSED(parse(xml(parameter("coarse: type", "string", "smoother") +
                           sublist("coarse: params", parameter("relaxation: sweeps", "int", "20")))),
                 "relaxation: sweeps", "coarse: sweeps");
}

TEST(Levels, DifferInTheirSmoothersAlone) {
  auto const settings =
      parse(xml(parameter("chebyshev: degree", "int", "3") +
                sublist("level 0", sublist("smoother: params", parameter("chebyshev: degree", "int", "5"))) +
                sublist("level 2", parameter("smoother: type", "string", "FSAI"))));
  EXPECT_EQ(settings.multigrid.smoother_on(0).degree, 5);
  EXPECT_EQ(settings.multigrid.smoother_on(1).degree, 3);
  EXPECT_EQ(settings.multigrid.smoother_on(2).type, multigrid::SmootherType::fsai);
  EXPECT_EQ(settings.multigrid.smoother_on(2).degree, 3);
  EXPECT_EQ(settings.multigrid.smoother_on(2).fsai.pattern_level, 1);
  EXPECT_REFUSED(parse(xml(sublist("level 1", parameter("aggregation: drop tol scaling", "double", "0.1")))),
                 "same on all levels");
  EXPECT_REFUSED(parse(xml(sublist("level 1", parameter("relaxation: type", "string", "Jacobi")))),
                 "would have no effect");
  EXPECT_REFUSED(parse(xml(sublist("level 64", ""))), "\"level 64\" is an unknown sublist");
}

TEST(Levels, DifferInTheirDropToleranceWhichIsNotScaled) {
  auto const of_level = sublist("level 2", parameter("aggregation: drop tol", "double", "0.3"));
  auto const settings = parse(xml(parameter("aggregation: drop tol", "double", "0.08") + of_level)).multigrid;
  EXPECT_EQ(settings.drop_tolerance_on(0), 0.08);
  EXPECT_EQ(settings.drop_tolerance_on(1), 0.04);
  EXPECT_EQ(settings.drop_tolerance_on(2), 0.3);
  EXPECT_EQ(settings.drop_tolerance_on(3), 0.01);
  EXPECT_REFUSED(parse(xml(parameter("multigrid algorithm", "string", "fsai") + of_level)),
                 "would have no effect");
  EXPECT_REFUSED(parse(xml(sublist("level 2", parameter("aggregation: drop tol", "double", "1.5")))),
                 "0 to 1");
}

TEST(Levels, AreComparedBetweenRanks) {
  auto const values = parsed_values(xml(sublist("level 1", parameter("chebyshev: degree", "int", "5"))));
  EXPECT_NE(std::find(values.begin(), values.end(),
                      std::make_pair(std::string("level 1 -> chebyshev: degree"), std::string("5"))),
            values.end());
}

TEST(PreAndPostSmoothers, AreOneOrRefused) {
  auto const both = [](std::string const& before, std::string const& after) {
    return xml(parameter("smoother: pre type", "string", "CHEBYSHEV") +
               sublist("smoother: pre params", parameter("chebyshev: degree", "int", before)) +
               parameter("smoother: post type", "string", "CHEBYSHEV") +
               sublist("smoother: post params", parameter("chebyshev: degree", "int", after)));
  };
  EXPECT_EQ(parse(both("4", "4")).multigrid.smoother.degree, 4);
  EXPECT_REFUSED(parse(both("4", "3")), "chebyshev: degree", "not symmetric");
  auto const one = parse(xml(sublist("smoother: pre params", parameter("chebyshev: degree", "int", "6"))));
  EXPECT_EQ(one.multigrid.smoother.degree, 6);  // also afterwards
  EXPECT_REFUSED(parse(xml(parameter("smoother: pre or post", "string", "post") +
                           sublist("smoother: pre params", parameter("chebyshev: degree", "int", "6")))),
                 "would have no effect");
  EXPECT_REFUSED(parse(xml(parameter("smoother: type", "string", "CHEBYSHEV") +
                           parameter("smoother: pre type", "string", "RELAXATION"))),
                 "contradicts");
}

TEST(ProblemType, SetsTheEquationsOfANodeUnlessTheListDoes) {
  auto const equations = [](std::string const& more) {
    return parse(xml(parameter("problem: type", "string", "Elasticity-3D") + more)).multigrid.equations;
  };
  EXPECT_EQ(equations(""), 3);
  EXPECT_EQ(equations(parameter("number of equations", "int", "1")), 1);
  EXPECT_EQ(parse(xml(parameter("problem: type", "string", "Poisson-2D"))).multigrid.equations, 1);
  EXPECT_REFUSED(parse(xml(parameter("problem: type", "string", "MHD"))), "symmetric positive definite");
}

}  // namespace
}  // namespace Tessera::parameters
