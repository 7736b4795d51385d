#include "belos/linear_solver.hpp"

#include <gtest/gtest.h>

#include "baselines/laplace.hpp"
#include "core/error.hpp"

namespace Tessera::belos {
namespace {

using test::MultiVector;
using test::Operator;

/// x times 1 + delta, where delta changes with each call: a preconditioner that is linear only to single
/// precision.
class Wavering : public Operator {
 public:
  Wavering(Teuchos::RCP<MultiVector::map_type const> map, double size) : map_(std::move(map)), size_(size) {}
  Teuchos::RCP<MultiVector::map_type const> getDomainMap() const override { return map_; }
  Teuchos::RCP<MultiVector::map_type const> getRangeMap() const override { return map_; }
  void apply(MultiVector const& X, MultiVector& Y, Teuchos::ETransp, double, double) const override {
    auto const from = X.getLocalViewHost(Tpetra::Access::ReadOnly);
    auto const to = Y.getLocalViewHost(Tpetra::Access::OverwriteAll);
    ++calls_;
    for (std::size_t i = 0; i < to.extent(0); ++i)
      for (std::size_t j = 0; j < to.extent(1); ++j)
        to(i, j) = from(i, j) * (1.0 + size_ * static_cast<double>((7 * i + 3 * calls_) % 11));
  }

 private:
  Teuchos::RCP<MultiVector::map_type const> map_;
  double size_;
  mutable std::size_t calls_ = 0;
};

struct System {
  Teuchos::RCP<baselines::Matrix> A = test::laplace(20);
  Teuchos::RCP<MultiVector> b = Teuchos::rcp(new MultiVector(A->getRowMap(), 1));
  Teuchos::RCP<MultiVector> x = Teuchos::rcp(new MultiVector(A->getRowMap(), 1));
  System() { b->putScalar(1.0); }
  double true_residual() const {
    MultiVector r(*b, Teuchos::Copy);
    A->apply(*x, r, Teuchos::NO_TRANS, -1.0, 1.0);
    return r.getVector(0)->norm2() / b->getVector(0)->norm2();
  }
};

TEST(Solve, ReportsTheTrueResidual) {
  System s;
  auto const outcome = solve({}, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_TRUE(outcome.converged);
  EXPECT_GT(outcome.iterations, 10);
  EXPECT_LE(outcome.relativeResidual, 1.001e-8);
  EXPECT_NEAR(outcome.relativeResidual, s.true_residual(), 1e-15);
}

TEST(Solve, ASolverThatStopsEarlyIsRestarted) {
  System s;
  KrylovChoice choice;
  choice.solver = "Block GMRES";
  auto const M = Teuchos::rcp(new Wavering(s.A->getRowMap(), 1e-8));
  auto const outcome = solve(choice, s.A, M, s.b, s.x, false);
  EXPECT_GE(outcome.restarts, 1);
  EXPECT_TRUE(outcome.converged) << outcome.relativeResidual;
  EXPECT_NEAR(outcome.relativeResidual, s.true_residual(), 1e-15);
}

TEST(Solve, AnUnreachableToleranceIsNotConverged) {
  System s;
  KrylovChoice choice;
  choice.tolerance = 1e-30;
  choice.max_iterations = 200;
  auto const outcome = solve(choice, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_FALSE(outcome.converged);
  EXPECT_LE(outcome.iterations, 200);
}

TEST(Solve, TheHistoryGoesOnAfterARestart) {
  System s;
  KrylovChoice choice;
  choice.solver = "Block GMRES";
  auto const M = Teuchos::rcp(new Wavering(s.A->getRowMap(), 1e-8));
  auto const outcome = solve(choice, s.A, M, s.b, s.x, true);
  if (s.A->getComm()->getRank() != 0) return;  // Belos prints on one rank
  ASSERT_EQ(outcome.history.size(), static_cast<std::size_t>(outcome.iterations) + 1);
  for (int k = 0; k <= outcome.iterations; ++k) EXPECT_EQ(outcome.history[k].first, k);
  EXPECT_LE(outcome.history.back().second, 1e-8);
}

TEST(Solve, StartsFromX) {
  System s;
  solve({}, s.A, Teuchos::null, s.b, s.x, false);
  auto const again = solve({}, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_TRUE(again.converged);
  EXPECT_LE(again.iterations, 1);
}

TEST(Solve, TheToleranceMayBeRelativeToTheStart) {
  System s;
  KrylovChoice choice;
  choice.tolerance = 1e-4;
  solve(choice, s.A, Teuchos::null, s.b, s.x, false);
  double const start = s.true_residual();
  EXPECT_GT(start, 1e-6);
  choice.relative_to_start = true;
  auto const outcome = solve(choice, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_TRUE(outcome.converged);
  EXPECT_LE(s.true_residual(), 1.001e-4 * start);
  EXPECT_GT(s.true_residual(), 1e-6 * start);
  EXPECT_NEAR(outcome.reduction, s.true_residual() / start, 1e-9);
  EXPECT_NEAR(outcome.relativeResidual, s.true_residual(), 1e-15);
}

TEST(Solve, AZeroRightHandSideNeedsNoIteration) {
  System s;
  s.b->putScalar(0.0);
  s.x->putScalar(7.0);
  auto const outcome = solve({}, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_TRUE(outcome.converged);
  EXPECT_EQ(outcome.iterations, 0);
  EXPECT_EQ(s.x->getVector(0)->norm2(), 0.0);
}

TEST(Solve, AnIndefiniteMatrixIsNotConverged) {
  System s;
  s.A->resumeFill();
  s.A->scale(-1.0);
  s.A->fillComplete();
  auto const outcome = solve({}, s.A, Teuchos::null, s.b, s.x, false);
  EXPECT_FALSE(outcome.converged);
  EXPECT_EQ(outcome.status, SolveStatus::breakdown);
  EXPECT_NE(outcome.reason, "");
}

/// GCRO-DR recycles five vectors, which is more than a system of one row has.
TEST(Solve, ASolverThatDoesNotFitTheSystemBreaksDown) {
  auto const A = test::laplace(1);
  auto const b = Teuchos::rcp(new MultiVector(A->getRowMap(), 1)),
             x = Teuchos::rcp(new MultiVector(A->getRowMap(), 1));
  b->putScalar(1.0);
  KrylovChoice choice;
  choice.solver = "GCRODR";
  auto const outcome = solve(choice, A, Teuchos::null, b, x, false);
  EXPECT_FALSE(outcome.converged);
  EXPECT_NE(outcome.reason.find("recycled blocks"), std::string::npos) << outcome.reason;
}

/// A x overflows. MINRES throws an exception without text.
TEST(Solve, NanIsABreakdownForEveryException) {
  for (auto const* solver : {"Pseudo Block CG", "Block GMRES", "MINRES"}) {
    System s;
    s.x->putScalar(1e308);
    KrylovChoice choice;
    choice.solver = solver;
    auto const outcome = solve(choice, s.A, Teuchos::null, s.b, s.x, false);
    EXPECT_EQ(outcome.status, SolveStatus::breakdown) << solver;
    EXPECT_NE(outcome.reason.find(" is not a number; look for"), std::string::npos)
        << solver << outcome.reason;
    EXPECT_EQ(outcome.reason.find("NaN"), std::string::npos) << outcome.reason;
  }
}

TEST(Solve, PcpgGetsItsPreconditionerFromTheLeftUnderEachName) {
  Teuchos::ParameterList list;
  list.set("Prec Type", "CHEBYSHEV");
  list.sublist("Ifpack2 Settings").set("chebyshev: degree", 4);
  int plain = 0;
  for (auto const* name : {"PCPG", "pcpg", "SEED CG", "Seed CG", "CGPOLY", "CGPoly"}) {
    System s;
    KrylovChoice choice;
    choice.solver = name;
    auto const M =
        baselines::make_preconditioner("Ifpack2", list, {s.A, Teuchos::null, Teuchos::null, 1}).apply;
    if (plain == 0) plain = solve(choice, s.A, Teuchos::null, s.b, s.x, false).iterations;
    s.x->putScalar(0.0);
    auto const outcome = solve(choice, s.A, M, s.b, s.x, false);
    EXPECT_TRUE(outcome.converged) << name;
    EXPECT_LT(2 * outcome.iterations, plain) << name;
  }
}

TEST(Validate, RefusesParametersThatTheSolverLacks) {
  KrylovChoice choice;
  choice.parameters.set("Convergence Tolerence", 1e-3);
  EXPECT_THROW(validate(choice), core::InvalidInput);
  choice.parameters = Teuchos::ParameterList();
  choice.parameters.set("Convergence Tolerance", "small");
  EXPECT_THROW(validate(choice), core::InvalidInput);
  choice.solver = "Conjugate Gradient";
  EXPECT_THROW(validate(choice), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::belos
