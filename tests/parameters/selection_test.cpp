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

TEST(Selection, AFlatListIsOneOfOurs) {
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

TEST(Selection, ASolverThatCannotTakeUsIsRefused) {
  auto list = stratimikos();
  list->set<std::string>("Linear Solver Type", "AztecOO");
  EXPECT_REFUSED(selection(list), "AztecOO", "Belos");
}

TEST(Selection, WrongTypesAreRefused) {
  auto list = stratimikos();
  list->set("Preconditioner Type", 3);
  EXPECT_REFUSED(selection(list), "Preconditioner Type", "string");
}

}  // namespace
}  // namespace Tessera::parameters
