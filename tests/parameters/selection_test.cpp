// Stratimikos lists.
#include "parameters/selection.hpp"

#include <gtest/gtest.h>

#include "failure.hpp"
#include "parameters/parse.hpp"

namespace Tessera::parameters {
namespace {

using Teuchos::ParameterList;
using Teuchos::RCP;

RCP<ParameterList> stratimikos() {
  auto list = Teuchos::rcp(new ParameterList("a.xml"));
  list->set<std::string>("Linear Solver Type", "Belos").set<std::string>("Preconditioner Type", "Tessera");
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set<std::string>("Solver Type", "Pseudo Block CG");
  belos.sublist("Solver Types").sublist("Pseudo Block CG").set("Convergence Tolerance", 1e-8);
  list->sublist("Preconditioner Types").sublist("Tessera").set("max levels", 4);
  return list;
}

TEST(Selection, AStratimikosListSelectsPreconditionerAndSolver) {
  auto const chosen = selection(stratimikos());
  EXPECT_EQ(chosen.preconditioner, "Tessera");
  EXPECT_EQ(parse(*chosen.preconditioner_parameters).multigrid.max_levels, 4);
  EXPECT_EQ(chosen.solver, "Pseudo Block CG");
  EXPECT_EQ(chosen.solver_parameters->get<double>("Convergence Tolerance"), 1e-8);
  EXPECT_NO_THROW(validate(chosen));
}

TEST(Selection, AFlatListIsOneOfTesseras) {
  auto list = Teuchos::rcp(new ParameterList("a.xml"));
  list->set("max levels", 4);
  auto const chosen = selection(list);
  EXPECT_EQ(chosen.preconditioner, "Tessera");
  EXPECT_EQ(chosen.preconditioner_parameters->get<int>("max levels"), 4);
  EXPECT_EQ(chosen.solver, "");
}

TEST(Selection, OtherPackagesKeepTheirLists) {
  auto list = stratimikos();
  list->set<std::string>("Preconditioner Type", "MueLu");
  list->sublist("Preconditioner Types").sublist("MueLu").set("multigrid algorithm", "whatever");
  auto const chosen = selection(list);
  EXPECT_EQ(chosen.preconditioner, "MueLu");
  EXPECT_NO_THROW(validate(chosen));
}

TEST(Selection, AnAbsentSublistMeansDefaults) {
  auto list = stratimikos();
  list->sublist("Preconditioner Types").remove("Tessera");
  EXPECT_NO_THROW(validate(selection(list)));
}

TEST(Selection, MistakesInTheListAreRefusedWithTheirPath) {
  auto list = stratimikos();
  list->sublist("Preconditioner Types").sublist("Tessera").set("max level", 4);
  EXPECT_REFUSED(validate(selection(list)), "a.xml->Preconditioner Types->Tessera", "max levels");
}

TEST(Selection, AMisspeltNameOfStratimikosIsRefused) {
  auto list = stratimikos();
  list->set<std::string>("Preconditoner Type", "Tessera");
  EXPECT_REFUSED(selection(list), "a.xml", "Preconditoner Type", "did you mean \"Preconditioner Type");
}

TEST(Selection, AMisspeltSublistIsRefused) {
  auto list = stratimikos();
  list->sublist("Preconditioner Types").remove("Tessera");
  list->sublist("Preconditioner Types").sublist("Tesera");
  EXPECT_REFUSED(selection(list), "\"Tesera\"", "\"Tessera\"");
}

TEST(Selection, AParameterOneLevelTooHighIsRefused) {
  auto list = stratimikos();
  list->sublist("Preconditioner Types").set("max levels", 3);
  EXPECT_REFUSED(selection(list), "a.xml->Preconditioner Types -> \"max levels\"", "no effect");
  list = stratimikos();
  list->sublist("Linear Solver Types").set("Solver Type", "Block CG");
  EXPECT_REFUSED(selection(list), "a.xml->Linear Solver Types -> \"Solver Type\"", "no effect");
  list = stratimikos();
  list->sublist("Linear Solver Types").sublist("Belos").set("Convergence Tolerance", 1e-3);
  EXPECT_REFUSED(selection(list), "a.xml->Linear Solver Types->Belos -> \"Convergence Tolerance\"");
  list = stratimikos();
  list->sublist("Linear Solver Types")
      .sublist("Belos")
      .sublist("Solver Types")
      .set("Convergence Tolerance", 1e-3);
  EXPECT_REFUSED(selection(list), "Solver Types -> \"Convergence Tolerance\"", "no effect");
}

TEST(Selection, ASublistOfAnotherTypeAloneIsRefused) {
  auto list = stratimikos();
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set<std::string>("Solver Type", "Block GMRES");
  EXPECT_REFUSED(selection(list), "Solver Types -> \"Pseudo Block CG\"", "no effect", "\"Block GMRES\"");
  belos.remove("Solver Type");
  EXPECT_REFUSED(selection(list), "Solver Types -> \"Pseudo Block CG\"", "\"Solver Type\" is not given");
  list = stratimikos();
  list->remove("Preconditioner Type");
  EXPECT_REFUSED(selection(list), "Types -> \"Tessera\"", "\"Preconditioner Type\" is not given");
  list->set<std::string>("Preconditioner Type", "MueLu");
  EXPECT_REFUSED(selection(list), "Types -> \"Tessera\"", "\"MueLu\"");
  list = stratimikos();
  list->sublist("Linear Solver Types").remove("Belos");
  list->sublist("Linear Solver Types").sublist("AztecOO");
  EXPECT_REFUSED(selection(list), "Linear Solver Types -> \"AztecOO\"", "no effect");
}

TEST(Selection, SublistsOfOtherTypesMayAccompanyTheSelectedOne) {
  auto list = stratimikos();
  list->sublist("Preconditioner Types").sublist("MueLu").set("whatever", 3);
  list->sublist("Linear Solver Types").sublist("AztecOO").set("whatever", 3);
  list->sublist("Linear Solver Types").sublist("Belos").sublist("Solver Types").sublist("Block GMRES");
  EXPECT_NO_THROW(validate(selection(list)));
  list->set<std::string>("Preconditioner Type", "None");  // a preconditioner that is switched off
  EXPECT_NO_THROW(validate(selection(list)));
}

TEST(Selection, ParametersThatNoSolverReadsAreRefused) {
  auto list = stratimikos();
  list->sublist("Linear Solver Types").sublist("Belos").set("Left Preconditioner If Unspecified", "true");
  EXPECT_REFUSED(selection(list), "Left Preconditioner If Unspecified", "bool");
  list = stratimikos();
  list->sublist("VerboseObject").set("Verbosity", "high");
  EXPECT_REFUSED(selection(list), "a.xml->VerboseObject -> \"Verbosity\"");
}

TEST(Selection, LongNamesAreRefusedAndNotEchoedWhole) {
  auto list = stratimikos();
  auto& belos = list->sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", std::string(1000000, 's'));
  belos.sublist("Solver Types").sublist(std::string(1000000, 't'));
  auto const text = test::failure([&] { selection(list); });
  EXPECT_TRUE(test::contains(text, "1000000 bytes")) << text.substr(0, 500);
  EXPECT_LT(text.size(), 1000U);
}

RCP<ParameterList> whole() {
  auto list = stratimikos();
  list->set<std::string>("Linear Solver Type", "Tessera");
  auto& types = list->sublist("Linear Solver Types");
  types.sublist("Tessera").setParameters(types.sublist("Belos"));
  types.remove("Belos");
  return list;
}

TEST(Selection, TheLinearSolverTesseraAcceptsTheParametersOfBelos) {
  auto const list = whole();
  list->sublist("Linear Solver Types").sublist("Tessera").set("Left Preconditioner If Unspecified", true);
  auto const chosen = selection(list);
  EXPECT_EQ(chosen.preconditioner, "Tessera");
  EXPECT_EQ(chosen.solver, "Pseudo Block CG");
  EXPECT_EQ(chosen.solver_parameters->get<double>("Convergence Tolerance"), 1e-8);
  EXPECT_TRUE(chosen.left_preconditioner);
  EXPECT_FALSE(selection(stratimikos()).left_preconditioner);
}

TEST(Selection, TheLinearSolverTesseraRefusesOtherPreconditioners) {
  auto const list = whole();
  list->set<std::string>("Preconditioner Type", "MueLu");
  list->sublist("Preconditioner Types").sublist("MueLu");
  EXPECT_REFUSED(selection(list), "a.xml -> \"Preconditioner Type\"", "\"MueLu\"", "Tessera or None");
  list->set<std::string>("Preconditioner Type", "None");
  EXPECT_NO_THROW(selection(list));
}

TEST(Selection, ASublistStillNamedBelosIsRefused) {
  auto list = stratimikos();
  list->set<std::string>("Linear Solver Type", "Tessera");
  EXPECT_REFUSED(selection(list), "Linear Solver Types -> \"Belos\"", "no effect");
  list->sublist("Linear Solver Types").sublist("Tessera");  // as Stratimikos makes it
  EXPECT_REFUSED(selection(list), "Linear Solver Types -> \"Belos\"", "no effect", "rename");
  list->sublist("Linear Solver Types").sublist("Tessera").set("Solver Type", "Block CG");
  EXPECT_NO_THROW(selection(list));
}

TEST(Selection, AParameterOneLevelTooHighIsRefusedForTesseraToo) {
  auto list = whole();
  list->sublist("Linear Solver Types").sublist("Tessera").set("Convergence Tolerance", 1e-3);
  EXPECT_REFUSED(selection(list), "a.xml->Linear Solver Types->Tessera -> \"Convergence Tolerance\"");
  list = whole();
  list->sublist("Linear Solver Types")
      .sublist("Tessera")
      .sublist("Solver Types")
      .set("Maximum Iterations", 3);
  EXPECT_REFUSED(selection(list), "Tessera->Solver Types -> \"Maximum Iterations\"", "no effect");
}

TEST(Selection, ASolverThatCannotUseTesseraIsRefused) {
  auto list = stratimikos();
  list->set<std::string>("Linear Solver Type", "AztecOO");
  EXPECT_REFUSED(selection(list), "AztecOO", "Belos");
  list->set<std::string>("Linear Solver Type", "Tesera");
  EXPECT_REFUSED(selection(list), "Tesera", "did you mean \"Tessera\"");
}

TEST(Selection, WrongTypesAreRefused) {
  auto list = stratimikos();
  list->set("Preconditioner Type", 3);
  EXPECT_REFUSED(selection(list), "Preconditioner Type", "string");
}

}  // namespace
}  // namespace Tessera::parameters
