// Tessera's smoothers and preconditioners inside MueLu's hierarchies.
#include <gtest/gtest.h>

#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>
#include <MueLu_CreateTpetraPreconditioner.hpp>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_CreateTpetraPreconditioner.hpp"
#include "Tessera_MueLuSmoothers.hpp"
#include "belos/one_application.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {
namespace {

using List = Teuchos::ParameterList;
using Operator = Tpetra::Operator<double, int, long long>;
using Hierarchy = MueLu::TpetraOperator<double, int, long long, Map::node_type>;

constexpr int side = 80;

/// Smoothed aggregation with twenty symmetric Gauss-Seidel sweeps on the coarsest level.
List muelu_list() {
  registerMueLuSmoothers();
  List list("muelu.xml");
  list.set("verbosity", "none");
  list.set("coarse: max size", 100);
  list.set("coarse: type", "RELAXATION");
  list.sublist("coarse: params").set("relaxation: type", "Symmetric Gauss-Seidel");
  list.sublist("coarse: params").set("relaxation: sweeps", 20);
  return list;
}

List with_smoother(std::string const& type) {
  auto list = muelu_list();
  list.set("smoother: type", type);
  list.sublist("smoother: params");
  return list;
}

RCP<Hierarchy> muelu(RCP<CrsMatrix> const& A, List list) {
  return MueLu::CreateTpetraPreconditioner<double, int, long long, Map::node_type>(RCP<Operator>(A), list);
}

int iterations(RCP<CrsMatrix> const& A, RCP<Operator> const& M, char const* solver = "CG") {
  auto const x = rcp(new MultiVector(A->getRowMap(), 1)), b = rcp(new MultiVector(A->getRowMap(), 1));
  b->putScalar(1);
  auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, b));
  problem->setRightPrec(M);
  problem->setProblem();
  auto const parameters = Teuchos::parameterList();
  parameters->set("Convergence Tolerance", 1e-8).set("Maximum Iterations", 200);
  auto const manager = Belos::SolverFactory<double, MultiVector, Operator>().create(solver, parameters);
  manager->setProblem(problem);
  auto const status = manager->solve();
  A->apply(*x, *b, Teuchos::NO_TRANS, -1, 1);
  EXPECT_EQ(status, Belos::Converged);
  EXPECT_LT(b->getVector(0)->norm2(), 2e-8 * side);
  return manager->getNumIters();
}

/// MueLu's hierarchy of one level applies its coarse solver only.
List with_coarse_solver_alone(std::string const& type, List const& parameters = {}) {
  auto list = muelu_list();
  list.set("max levels", 1);
  list.set("coarse: type", type);
  list.sublist("coarse: params") = parameters;
  return list;
}

/// Zero if bitwise equal.
double difference(Operator const& M, Operator const& N, MultiVector const& X) {
  MultiVector y(X.getMap(), X.getNumVectors()), z(X.getMap(), X.getNumVectors());
  M.apply(X, y);
  N.apply(X, z);
  y.update(-1, z, 1);
  std::vector<double> norms(X.getNumVectors());
  y.normInf(norms);
  return *std::max_element(norms.begin(), norms.end());
}

std::string refusal(List const& list) {
  try {
    muelu(laplacian(uniform_map(900), 30), list);
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "nothing is refused";
}

bool contains(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

TEST(InsideMueLu, AnFsaiSmootherTakesNoMoreIterationsThanMueLusChebyshev) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto chebyshev = with_smoother("CHEBYSHEV"), fsai = with_smoother("Tessera FSAI");
  chebyshev.sublist("smoother: params").set("chebyshev: degree", 2);
  fsai.sublist("smoother: params").set("chebyshev: degree", 1);
  auto const M = muelu(A, fsai);
  EXPECT_GE(M->GetHierarchy()->GetNumLevels(), 3);
  EXPECT_LE(iterations(A, M), iterations(A, muelu(A, chebyshev)));
}

TEST(InsideMueLu, EverySmootherIsKnownInAnyCase) {
  auto const A = laplacian(scattered_map(side * side), side);
  for (auto const* type : {"Tessera FSAI", "Tessera CHEBYSHEV", "TESSERA chebyshev", "tessera RELAXATION"})
    EXPECT_LE(iterations(A, muelu(A, with_smoother(type))), 30) << type;
}

TEST(InsideMueLu, SmoothersMayDifferBeforeAndAfterAndByLevel) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto list = muelu_list();
  list.set("smoother: pre type", "Tessera FSAI").set("smoother: post type", "Tessera FSAI");
  for (auto const* where : {"smoother: pre params", "smoother: post params"})
    list.sublist(where).set("fsai: pattern level", 2);
  list.sublist("level 1").set("smoother: type", "Tessera CHEBYSHEV");
  list.sublist("level 1").sublist("smoother: params").set("chebyshev: degree", 3);
  EXPECT_LE(iterations(A, muelu(A, list)), 12);
}

TEST(InsideMueLu, OurMultigridIsTheCoarseSolverOfTwoLevels) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto list = muelu_list();
  auto const more_levels = iterations(A, muelu(A, list));
  list.set("max levels", 2);
  list.remove("coarse: params");
  for (auto const* type :
       {"Tessera SA-AMG", "Tessera MATCHING-AMG", "Tessera ROOTNODE-AMG", "Tessera CLASSICAL-AMG"}) {
    list.set("coarse: type", type);
    list.sublist("coarse: params").set("coarse: max size", 50);
    auto const M = muelu(A, list);
    EXPECT_EQ(M->GetHierarchy()->GetNumLevels(), 2);
    EXPECT_LE(iterations(A, M), more_levels + 4) << type;
  }
}

TEST(InsideMueLu, APreconditionerActsAsOutsideOfMueLu) {
  auto const A = laplacian(uniform_map(side * side), side);
  List parameters("coarse: params");
  parameters.set("coarse: max size", 50).set("precision: hierarchy", "double");
  auto const alone = createTpetraPreconditioner(A, parameters);
  auto const inside = muelu(A, with_coarse_solver_alone("Tessera SA-AMG", parameters));
  EXPECT_EQ(difference(*inside, *alone, *waves(A->getRowMap(), 2)), 0);
}

TEST(InsideMueLu, ASmootherIsThatOfAHierarchyOfOneLevel) {
  auto const A = laplacian(uniform_map(side * side), side);
  for (auto const* type : {"FSAI", "CHEBYSHEV", "RELAXATION"}) {
    List parameters("list");
    parameters.set("smoother: sweeps", 2);
    auto const inside = muelu(A, with_coarse_solver_alone("Tessera " + std::string(type), parameters));
    parameters.set("max levels", 1).set("coarse: type", "smoother").set("coarse: sweeps", 1);
    parameters.set("smoother: type", type).set("precision: hierarchy", "double");
    auto const alone = createTpetraPreconditioner(A, parameters);
    EXPECT_EQ(difference(*inside, *alone, *waves(A->getRowMap(), 2)), 0) << type;
  }
}

/// MueLu's Krylov method is not known, so levels are in double.
TEST(InsideMueLu, GmresReachesItsTolerance) {
  auto const A = laplacian(uniform_map(side * side), side);
  EXPECT_LE(iterations(A, muelu(A, with_smoother("Tessera FSAI")), "GMRES"), 15);
  EXPECT_LE(iterations(A, muelu(A, with_coarse_solver_alone("Tessera SA-AMG")), "GMRES"), 20);
}

TEST(InsideMueLu, NewValuesAreUsedForEveryReuseType) {
  auto const A = laplacian(uniform_map(side * side), side), B = laplacian(A->getRowMap(), side, 1, 0.001);
  for (auto const* reuse : {"none", "S", "tP", "RP", "RAP"}) {
    auto list = with_smoother("Tessera FSAI");
    list.set("reuse: type", reuse);
    auto const M = muelu(A, list);
    int const first = iterations(A, M);
    MueLu::ReuseTpetraPreconditioner(B, *M);
    EXPECT_LE(iterations(B, M), first + 1) << reuse;
    if (std::string(reuse) == "S") {
      EXPECT_EQ(difference(*M, *muelu(B, list), *waves(A->getRowMap())), 0);
    }
    MueLu::ReuseTpetraPreconditioner(A, *M);
    EXPECT_EQ(iterations(A, M), first) << reuse;
  }
}

TEST(InsideMueLu, AWrongParameterIsNamed) {
  auto list = with_smoother("Tessera FSAI");
  list.sublist("smoother: params").set("fsai: patern level", 1);
  auto const text = refusal(list);
  EXPECT_TRUE(contains(text, "Tessera FSAI in a list of MueLu's -> ")) << text;
  EXPECT_TRUE(contains(text, "\"fsai: patern level\"")) << text;
  EXPECT_TRUE(contains(text, "did you mean \"fsai: pattern level\"")) << text;
  list.sublist("smoother: params").remove("fsai: patern level");
  list.sublist("smoother: params").set("chebyshev: degree", 0);
  EXPECT_TRUE(contains(refusal(list), "chebyshev: degree")) << refusal(list);
  auto const coarse = refusal(with_coarse_solver_alone("Tessera SA-AMG", List().set("cycle typ", "V")));
  EXPECT_TRUE(contains(coarse, "cycle typ")) << coarse;
}

TEST(InsideMueLu, ParametersOfLevelsAreRefusedForASmootherAlone) {
  for (auto const* name : {"max levels", "coarse: sweeps", "number of equations"}) {
    auto list = with_smoother("Tessera FSAI");
    list.sublist("smoother: params").set(name, 2);
    auto const text = refusal(list);
    EXPECT_TRUE(contains(text, name) && contains(text, "has no effect")) << text;
  }
}

TEST(InsideMueLu, AnUnknownNameIsRefusedWithTheKnownOnes) {
  auto const text = refusal(with_smoother("Tessera FSIA"));
  EXPECT_TRUE(contains(text, "\"Tessera FSIA\"")) << text;
  EXPECT_TRUE(contains(text, "did you mean \"Tessera FSAI\"")) << text;
  EXPECT_TRUE(contains(text, "Tessera UA-AMG")) << text;
}

TEST(InsideMueLu, AMatrixThatCannotBeSmoothedIsRefusedOnAllRanks) {
  auto const A = laplacian(uniform_map(900), 30, -1);
  EXPECT_THROW(muelu(A, with_smoother("Tessera FSAI")), std::exception);
}

TEST(InsideMueLu, OurSolversAreNotTakenForSmoothers) {
  registerMueLuSmoothers();
  registerBelosSolvers();
  Belos::SolverFactory<double, MultiVector, Operator> factory;
  EXPECT_EQ(factory.create("TESSERA CG", Teuchos::null)->description(), "\"Tessera::ConjugateGradients\"");
  EXPECT_TRUE(factory.isSupported("tessera fsai"));
  EXPECT_FALSE(factory.isSupported("FSAI"));
}

/// Without MueLu, too: x becomes x + M^-1 (b - A x).
TEST(InsideMueLu, ASmootherStartsFromX) {
  registerMueLuSmoothers();
  auto const A = laplacian(uniform_map(100), 10);
  auto const x = waves(A->getRowMap()), b = waves(A->getRowMap(), 2);
  auto const right = rcp(new MultiVector(*b->getVector(1), Teuchos::Copy));
  MultiVector residual(*right, Teuchos::Copy), expected(*x, Teuchos::Copy);
  A->apply(*x, residual, Teuchos::NO_TRANS, -1, 1);
  auto const manager =
      Belos::SolverFactory<double, MultiVector, Operator>().create("Tessera SA-AMG", Teuchos::null);
  auto const problem = rcp(new Belos::LinearProblem<double, MultiVector, Operator>(A, x, right));
  EXPECT_THROW(manager->solve(), std::logic_error);
  problem->setProblem();
  manager->setProblem(problem);
  EXPECT_EQ(manager->solve(), Belos::Unconverged);
  createTpetraPreconditioner(A, List().set("precision: hierarchy", "double"))
      ->apply(residual, expected, Teuchos::NO_TRANS, 1, 1);
  expected.update(-1, *x, 1);
  EXPECT_EQ(expected.getVector(0)->normInf(), 0);
}

}  // namespace
}  // namespace Tessera::test
