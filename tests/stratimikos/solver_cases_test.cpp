// Cases of Belos' tests of its solver managers, for TESSERA CG with the preconditioner of every preset: NaN,
// too few iterations, tolerances out of reach, several solves by one manager, ranks without rows.
#include <gtest/gtest.h>

#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>
#include <limits>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_CreateTpetraPreconditioner.hpp"
#include "stratimikos/presets.hpp"

namespace Tessera::test {
namespace {

using Operator = Tpetra::Operator<double, int, long long>;
using Problem = Belos::LinearProblem<double, MultiVector, Operator>;
using Manager = Belos::SolverManager<double, MultiVector, Operator>;

constexpr int side = 30;

class SolverCases : public testing::TestWithParam<std::string> {
 protected:
  /// On a map without rows on the last rank.
  void SetUp() override {
    registerBelosSolvers();
    A = laplacian(scattered_map(side * side), side);
    M = createTpetraPreconditioner(A, preconditioner_parameters(GetParam()));
    x = rcp(new MultiVector(A->getDomainMap(), 1));
    b = waves(A->getRangeMap());
  }

  RCP<Manager> manager(double tolerance, int iterations) const {
    auto const parameters = Teuchos::parameterList();
    parameters->set("Convergence Tolerance", tolerance).set("Maximum Iterations", iterations);
    auto const made = Belos::SolverFactory<double, MultiVector, Operator>().create("TESSERA CG", parameters);
    auto const problem = rcp(new Problem(A, x, b));
    problem->setRightPrec(M);
    problem->setProblem();
    made->setProblem(problem);
    return made;
  }

  double relative_residual() const {
    MultiVector r(*b, Teuchos::Copy);
    A->apply(*x, r, Teuchos::NO_TRANS, -1, 1);
    return r.getVector(0)->norm2() / b->getVector(0)->norm2();
  }

  RCP<CrsMatrix> A;
  RCP<Details::Preconditioner> M;
  RCP<MultiVector> x, b;
};

TEST_P(SolverCases, RanksWithoutRowsWork) {
  auto const solver = manager(1e-8, 200);
  EXPECT_EQ(solver->solve(), Belos::Converged);
  EXPECT_LT(relative_residual(), 1.01e-8);
  EXPECT_FALSE(solver->isLOADetected());
  EXPECT_LE(solver->achievedTol(), 1e-8);
}

TEST_P(SolverCases, TooFewIterationsAreUnconverged) {
  auto const solver = manager(1e-12, 2);
  EXPECT_EQ(solver->solve(), Belos::Unconverged);
  EXPECT_EQ(solver->getNumIters(), 2);
  EXPECT_FALSE(solver->isLOADetected());
  EXPECT_NEAR(solver->achievedTol(), relative_residual(), 1e-12);
}

TEST_P(SolverCases, AToleranceBelowRoundingIsALossOfAccuracy) {
  auto const solver = manager(1e-19, 1000);
  EXPECT_EQ(solver->solve(), Belos::Unconverged);
  EXPECT_TRUE(solver->isLOADetected());
  EXPECT_LT(solver->getNumIters(), 1000);
  EXPECT_LT(relative_residual(), 1e-12);
}

TEST_P(SolverCases, ANanInTheRightHandSideOfOneRankIsNoConvergenceOnAny) {
  if (world()->getRank() == 0) b->replaceLocalValue(0, 0, std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(manager(1e-8, 200)->solve(), Belos::Unconverged);
}

TEST_P(SolverCases, OneManagerSolvesRepeatedlyWithTheSameResult) {
  auto const solver = manager(1e-8, 200);
  EXPECT_EQ(solver->solve(), Belos::Converged);
  int const iterations = solver->getNumIters();
  MultiVector first(*x, Teuchos::Copy);
  for (int k = 0; k < 3; ++k) {
    x->putScalar(0);
    solver->reset(Belos::Problem);
    EXPECT_EQ(solver->solve(), Belos::Converged);
    EXPECT_EQ(solver->getNumIters(), iterations);
  }
  x->update(-1, first, 1);
  EXPECT_EQ(x->getVector(0)->normInf(), 0);
}

/// An exact initial guess needs no iteration.
TEST_P(SolverCases, AnExactInitialGuessStays) {
  auto const solver = manager(1e-8, 200);
  EXPECT_EQ(solver->solve(), Belos::Converged);
  b->putScalar(0);
  x->putScalar(0);
  EXPECT_EQ(solver->solve(), Belos::Converged);
  EXPECT_EQ(solver->getNumIters(), 0);
  EXPECT_EQ(x->getVector(0)->normInf(), 0);
}

std::string as_identifier(testing::TestParamInfo<std::string> const& info) {
  return info.param;
}

INSTANTIATE_TEST_SUITE_P(Presets, SolverCases, testing::ValuesIn(preset_names()), as_identifier);

}  // namespace
}  // namespace Tessera::test
