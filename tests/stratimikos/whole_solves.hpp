#pragma once
/// \file
/// Tests of `Linear Solver Type` = Tessera for both back ends.
#include <gtest/gtest.h>

#include <Thyra_LinearOpWithSolveFactoryHelpers.hpp>
#include <Thyra_PreconditionerFactoryHelpers.hpp>
#include <Thyra_TpetraThyraWrappers.hpp>

#include <algorithm>

#include "Tessera_Solve.hpp"
#include "Tessera_StratimikosHelpers.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {

using Operator = Tpetra::Operator<double, int, long long>;
using Solver = Thyra::LinearOpWithSolveBase<double>;
using Solvers = Thyra::LinearOpWithSolveFactoryBase<double>;
using Criteria = Thyra::SolveCriteria<double>;
using Status = Thyra::SolveStatus<double>;

constexpr int side = 40;

inline RCP<Thyra::LinearOpBase<double> const> wrapped(RCP<CrsMatrix> const& matrix) {
  return Thyra::createConstLinearOp<double, int, long long>(RCP<Operator const>(matrix));
}

/// linear: Tessera or Belos, whose sublists have the same parameters.
inline RCP<Teuchos::ParameterList> list_of(std::string const& linear, std::string const& backend,
                                           std::string const& solver = "Pseudo Block CG") {
  auto list = rcp(new Teuchos::ParameterList("a.xml"));
  list->set("Linear Solver Type", linear).set<std::string>("Preconditioner Type", "Tessera");
  auto& own = list->sublist("Linear Solver Types").sublist(linear);
  own.set("Solver Type", solver);
  own.sublist("VerboseObject").set<std::string>("Verbosity Level", "none");
  own.sublist("Solver Types")
      .sublist(solver)
      .set("Convergence Tolerance", 1e-8)
      .set("Maximum Iterations", 200);
  auto& preconditioner = list->sublist("Preconditioner Types").sublist("Tessera");
  preconditioner.set("coarse: max size", 100)
      .set("backend: type", backend)
      .set<std::string>("verbosity", "none");
  return list;
}

inline Teuchos::ParameterList& preconditioner_of(Teuchos::ParameterList& list) {
  return list.sublist("Preconditioner Types").sublist("Tessera");
}
inline Teuchos::ParameterList& solver_of(Teuchos::ParameterList& list) {
  auto& own = list.sublist("Linear Solver Types").sublist(list.get<std::string>("Linear Solver Type"));
  return own.sublist("Solver Types").sublist(own.get<std::string>("Solver Type"));
}

inline RCP<Solvers> factory_of(RCP<Teuchos::ParameterList> const& list) {
  ::Stratimikos::DefaultLinearSolverBuilder builder;
  ::Stratimikos::enableTessera(builder);
  builder.setParameterList(list);
  return Thyra::createLinearSolveStrategy(builder);
}

inline Status solve(Solver const& solver, MultiVector const& b, RCP<MultiVector> const& x,
                    Criteria const* criteria = nullptr) {
  auto const B = Thyra::createConstMultiVector<double, int, long long>(Teuchos::rcpFromRef(b));
  auto const X = Thyra::createMultiVector<double, int, long long>(x);
  return solver.solve(Thyra::NOTRANS, *B, X.ptr(), Teuchos::Ptr<Criteria const>(criteria));
}

inline int iterations(Status const& status) {
  return status.extraParameters->get<int>("Iteration Count");
}
inline std::string text_of(Status const& status, char const* what) {
  return status.extraParameters->get<std::string>(what);
}
inline long long bytes(Status const& status, char const* what) {
  return status.extraParameters->get<long long>(what);
}

/// The largest relative residual of all columns.
inline double residual(CrsMatrix const& A, MultiVector const& x, MultiVector const& b) {
  double largest = 0;
  for (std::size_t j = 0; j < b.getNumVectors(); ++j)
    largest = std::max(largest, relative_residual(A, *x.getVector(j), *b.getVector(j)));
  return largest;
}

/// A system on a map that is not contiguous.
struct TestSystem {
  RCP<CrsMatrix> A = laplacian(scattered_map(side * side), side);
  RCP<MultiVector> b, x;
  explicit TestSystem(int columns = 1)
      : b(waves(A->getRowMap(), columns)), x(rcp(new MultiVector(A->getRowMap(), columns))) {}
  double residual() const { return test::residual(*A, *x, *b); }
};

inline void iterations_are_those_of_belos(std::string const& backend) {
  for (int const columns : {1, 3, 8}) {
    TestSystem ours(columns), theirs(columns);
    auto const whole = Thyra::linearOpWithSolve(*factory_of(list_of("Tessera", backend)), wrapped(ours.A));
    auto const belos = Thyra::linearOpWithSolve(*factory_of(list_of("Belos", backend)), wrapped(theirs.A));
    auto const mine = solve(*whole, *ours.b, ours.x);
    auto const reference = solve(*belos, *theirs.b, theirs.x);
    EXPECT_EQ(mine.solveStatus, Thyra::SOLVE_STATUS_CONVERGED) << mine.message;
    EXPECT_NEAR(iterations(mine), iterations(reference), backend == "host" ? 0 : 1);
    EXPECT_EQ(mine.extraParameters->get<int>("Belos/Iteration Count"), iterations(mine));
    EXPECT_LE(ours.residual(), 1.001e-8);
    EXPECT_NEAR(mine.achievedTol, ours.residual(), 1e-12);
    EXPECT_EQ(text_of(mine, "Status"), "converged");
    EXPECT_EQ(text_of(mine, "Backend"), backend);
    EXPECT_EQ(text_of(mine, "Setup"), "setup");
    EXPECT_GT(mine.extraParameters->get<double>("Setup Seconds"), 0);
    EXPECT_GT(mine.extraParameters->get<double>("Solve Seconds"), 0);
    EXPECT_LT(mine.extraParameters->get<double>("Rounding Level"), 1e-13);
    ours.x->update(-1, *theirs.x, 1);
    for (int j = 0; j < columns; ++j)
      EXPECT_LT(ours.x->getVector(j)->norm2(), 1e-6 * theirs.x->getVector(j)->norm2());
  }
}

/// Tessera::solve() with the same parameter list gives the same result.
inline void one_call_does_the_same(std::string const& backend) {
  for (std::string const preconditioner : {"Tessera", "None"}) {
    TestSystem ours(2), one_call(2);
    auto const list = list_of("Tessera", backend);
    list->set("Preconditioner Type", preconditioner);
    auto const whole = Thyra::linearOpWithSolve(*factory_of(list), wrapped(ours.A));
    auto const status = solve(*whole, *ours.b, ours.x);
    auto const report = Tessera::solve(one_call.A, *one_call.b, *one_call.x, *list);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(iterations(status), report.iterations);
    EXPECT_EQ(values(*ours.x), values(*one_call.x)) << preconditioner;
    EXPECT_EQ(text_of(status, "Solver"), report.solver);
    EXPECT_EQ(text_of(status, "Backend"), report.backend);
    EXPECT_EQ(report.backend, preconditioner == "None" ? "host" : backend);
    EXPECT_EQ(bytes(status, "Setup Bytes To Device") + bytes(status, "Bytes To Device"),
              static_cast<long long>(report.bytesToDevice));
  }
}

inline void new_values_are_refreshed(std::string const& backend) {
  TestSystem s;
  auto const factory = factory_of(list_of("Tessera", backend));
  auto const op = wrapped(s.A);
  auto const solver = factory->createOp();
  Thyra::initializeOp(*factory, op, solver.ptr());
  EXPECT_EQ(text_of(solve(*solver, *s.b, s.x), "Setup"), "setup");
  for (bool const reuse : {false, true}) {
    s.A->resumeFill();
    s.A->scale(3);
    s.A->fillComplete();
    s.x->putScalar(0);
    if (reuse) {
      Thyra::initializeAndReuseOp(*factory, op, solver.ptr());
    } else {
      Thyra::uninitializeOp(*factory, solver.ptr());
      EXPECT_TRUE(solver->range().is_null());
      Thyra::initializeOp(*factory, op, solver.ptr());
    }
    auto const status = solve(*solver, *s.b, s.x);
    EXPECT_EQ(text_of(status, "Setup").find("refresh"), 0u) << text_of(status, "Setup");
    EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
    EXPECT_LE(s.residual(), 1.001e-8);
  }
}

/// Sets the couplings in x to `strong`, and in y to 1.
inline void set_strength_of_x(CrsMatrix& A, double strong) {
  A.resumeFill();
  for (int local = 0; A.getRowMap()->isNodeLocalElement(local); ++local) {
    long long const row = A.getRowMap()->getGlobalElement(local);
    std::vector<long long> columns{row};
    std::vector<double> values{2 * strong + 2};
    for (auto const to : {row - 1, row + 1})
      if (to >= 0 && to / side == row / side) columns.push_back(to), values.push_back(-strong);
    for (auto const to : {row - side, row + side})
      if (to >= 0 && to < side * side) columns.push_back(to), values.push_back(-1);
    A.replaceGlobalValues(row, static_cast<int>(columns.size()), values.data(), columns.data());
  }
  A.fillComplete();
}

/// When strong couplings change their direction, the retained aggregates follow weak couplings.
inline void values_that_change_direction_get_a_setup(std::string const& backend, std::string const& linear) {
  int kept = 0;
  for (int const allowed : {0, 20}) {
    TestSystem s;
    auto const list = list_of(linear, backend);
    preconditioner_of(*list).set("reuse: excess iterations", allowed);
    auto const factory = factory_of(list);
    auto const solver = factory->createOp();
    int total = 0;
    for (int step = 0; step < 8; ++step) {
      if (step > 0) Thyra::uninitializeOp(*factory, solver.ptr());
      set_strength_of_x(*s.A, step == 0 ? 1e3 : 1e-3);
      Thyra::initializeOp(*factory, wrapped(s.A), solver.ptr());
      s.x->putScalar(0);
      auto const status = solve(*solver, *s.b, s.x);
      EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_CONVERGED) << status.message;
      EXPECT_LE(s.residual(), 1.1e-8);
      total += iterations(status);
    }
    if (allowed == 0) {
      kept = total;
    } else {
      EXPECT_LT(total, 0.6 * kept) << linear;
    }
  }
}

/// The solve is for the new matrix, whatever part of the preconditioner is reused.
inline void a_new_matrix_is_solved(std::string const& backend) {
  struct {
    char const *reuse, *setup;
  } const choices[] = {{"none", "setup"}, {"tP", "refresh"}, {"full", "reuse"}};
  for (auto const& choice : choices) {
    TestSystem s;
    auto const list = list_of("Tessera", backend);
    preconditioner_of(*list).set<std::string>("reuse: type", choice.reuse);
    auto const factory = factory_of(list);
    auto const solver = factory->createOp();
    Thyra::initializeOp(*factory, wrapped(s.A), solver.ptr());
    solve(*solver, *s.b, s.x);
    s.A = laplacian(s.A->getRowMap(), side, 2, 0.1);
    Thyra::initializeOp(*factory, wrapped(s.A), solver.ptr());
    auto const status = solve(*solver, *s.b, s.x);
    EXPECT_EQ(text_of(status, "Setup").find(choice.setup), 0u)
        << choice.reuse << ": " << text_of(status, "Setup");
    EXPECT_EQ(status.solveStatus, Thyra::SOLVE_STATUS_CONVERGED) << status.message;
    EXPECT_LE(s.residual(), 1.001e-8) << choice.reuse;
    EXPECT_NEAR(status.achievedTol, s.residual(), 1e-12) << choice.reuse;
  }
}

/// Preconditioners of a matrix other than A, or of other values.
inline void preconditioners_may_be_of_another_matrix(std::string const& backend) {
  TestSystem s;
  auto const shifted = laplacian(s.A->getRowMap(), side, 1, 0.1);
  auto const factory = factory_of(list_of("Tessera", backend));
  EXPECT_TRUE(factory->supportsPreconditionerInputType(Thyra::PRECONDITIONER_INPUT_TYPE_AS_MATRIX));
  auto const solver = factory->createOp();
  Thyra::initializeApproxPreconditionedOp(*factory, wrapped(s.A), wrapped(shifted), solver.ptr());
  auto const approximate = solve(*solver, *s.b, s.x);
  EXPECT_EQ(approximate.solveStatus, Thyra::SOLVE_STATUS_CONVERGED) << approximate.message;
  EXPECT_LE(s.residual(), 1.001e-8);

  auto const preconditioners = factory->getPreconditionerFactory();
  auto const given = preconditioners->createPrec();
  Thyra::initializePrec(*preconditioners, wrapped(s.A), given.ptr());
  s.A->resumeFill();
  s.A->scale(3);  // the preconditioner keeps the old values
  s.A->fillComplete();
  s.x->putScalar(0);
  Thyra::initializePreconditionedOp<double>(*factory, wrapped(s.A), given, solver.ptr());
  auto const preconditioned = solve(*solver, *s.b, s.x);
  EXPECT_EQ(preconditioned.solveStatus, Thyra::SOLVE_STATUS_CONVERGED) << preconditioned.message;
  EXPECT_LE(s.residual(), 1.001e-8);
  EXPECT_EQ(text_of(preconditioned, "Backend"), backend);
  EXPECT_EQ(text_of(preconditioned, "Setup"), "");
}

inline void criteria_are_kept(std::string const& backend) {
  TestSystem s;
  auto const solver = Thyra::linearOpWithSolve(*factory_of(list_of("Tessera", backend)), wrapped(s.A));
  Criteria const loose({Thyra::SOLVE_MEASURE_NORM_RESIDUAL, Thyra::SOLVE_MEASURE_NORM_RHS}, 1e-3);
  auto const first = solve(*solver, *s.b, s.x, &loose);
  EXPECT_EQ(first.solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
  EXPECT_LE(s.residual(), 1.001e-3);
  EXPECT_GT(s.residual(), 1e-6);
  // Three more digits from the current solution.
  double const start = s.residual();
  Criteria const further({Thyra::SOLVE_MEASURE_NORM_RESIDUAL, Thyra::SOLVE_MEASURE_NORM_INIT_RESIDUAL}, 1e-3);
  auto const second = solve(*solver, *s.b, s.x, &further);
  EXPECT_EQ(second.solveStatus, Thyra::SOLVE_STATUS_CONVERGED);
  EXPECT_LE(s.residual(), 1.001e-3 * start);
  EXPECT_GT(s.residual(), 1e-6 * start);
  EXPECT_NEAR(second.achievedTol, s.residual() / start, 1e-9);
  Criteria few;
  few.extraParameters = rcp(new Teuchos::ParameterList);
  few.extraParameters->set("Maximum Iterations", 2);
  s.x->putScalar(0);
  auto const third = solve(*solver, *s.b, s.x, &few);
  EXPECT_EQ(third.solveStatus, Thyra::SOLVE_STATUS_UNCONVERGED);
  EXPECT_EQ(iterations(third), 2);
  EXPECT_NEAR(third.achievedTol, s.residual(), 1e-12);
  EXPECT_EQ(text_of(third, "Status"), "not converged");
  EXPECT_NE(third.message.find("the largest number of iterations, 2, was reached"), std::string::npos)
      << third.message;
}

}  // namespace Tessera::test
