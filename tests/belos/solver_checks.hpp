#pragma once
/// \file
/// Checks of solvers for either back end.
#include <gtest/gtest.h>

#include <BelosLinearProblem.hpp>
#include <BelosSolverFactory_Tpetra.hpp>
#include <BelosTpetraAdapter.hpp>

#include <algorithm>

#include "Tessera_BelosSolvers.hpp"
#include "Tessera_Factory.hpp"
#include "Tessera_ResidentSystem.hpp"
#include "Tessera_Solve.hpp"
#include "ifpack2/problems.hpp"
#include "tpetra/vectors.hpp"

namespace Tessera::test {

using Operator = Tpetra::Operator<double, int, long long>;
using ResidentProblem = Belos::LinearProblem<double, ResidentMultiVector, ResidentOperator>;
using ResidentSolver = Belos::SolverManager<double, ResidentMultiVector, ResidentOperator>;
using TpetraProblem = Belos::LinearProblem<double, MultiVector, Operator>;

constexpr int side = 40;

/// A Laplacian on a map that is not contiguous, with the preconditioner on a back end.
struct System {
  RCP<CrsMatrix> A = laplacian(scattered_map(side * side), side);
  RCP<Ifpack2::Preconditioner<double, int, long long>> M;

  explicit System(std::string const& backend, std::string const& name = "SA-AMG")
      : M(Factory::create<CrsMatrix>(name, A)) {
    Teuchos::ParameterList list;
    list.set("backend: type", backend);
    if (name == "SA-AMG") list.set("coarse: max size", 100);
    list.set("precision: hierarchy", "double");  // GMRES loses accuracy with levels in float
    M->setParameters(list);
    M->compute();
  }
};

inline RCP<Teuchos::ParameterList> solver_list(double tolerance = 1e-8, int iterations = 200) {
  auto const list = rcp(new Teuchos::ParameterList);
  list->set("Convergence Tolerance", tolerance);
  list->set("Maximum Iterations", iterations);
  return list;
}

struct Outcome {
  Belos::ReturnType result;
  int iterations;
  double achieved;
  std::vector<double> residuals;  ///< of each column, by Tpetra
};

inline std::vector<double> residuals(CrsMatrix const& A, MultiVector const& x, MultiVector const& b) {
  std::vector<double> all;
  for (std::size_t j = 0; j < b.getNumVectors(); ++j)
    all.push_back(relative_residual(A, *x.getVector(j), *b.getVector(j)));
  return all;
}

/// Belos on Tessera's vectors, from zero; M may be null.
inline Outcome solve_resident(CrsMatrix const& A, ResidentSystem const& system,
                              RCP<ResidentOperator const> const& M, std::string const& solver, int columns,
                              RCP<Teuchos::ParameterList> const& list) {
  auto const b = waves(A.getRowMap(), columns);
  auto const B = system.upload(*b), X = system.vectors(columns);
  X->fill(0);
  auto const problem = rcp(new ResidentProblem(system.matrix(), X, B));
  if (!M.is_null()) problem->setRightPrec(M);
  problem->setHermitian();
  EXPECT_TRUE(problem->setProblem());
  auto const manager =
      Belos::SolverFactory<double, ResidentMultiVector, ResidentOperator>().create(solver, list);
  manager->setProblem(problem);
  auto const result = manager->solve();
  MultiVector x(A.getRowMap(), columns);
  system.download(*X, x);
  return {result, manager->getNumIters(), manager->achievedTol(), residuals(A, x, *b)};
}

inline void every_manager_solves(std::string const& backend) {
  System const s(backend);
  ResidentSystem const system(s.M);
  ASSERT_STREQ(system.backend(), backend.c_str());
  EXPECT_EQ(system.stream() != nullptr, backend == "cuda");
  for (std::string const solver : {"Pseudo Block CG", "Block CG", "Block GMRES", "Pseudo Block GMRES",
                                   "Flexible GMRES", "TESSERA CG", "Tessera Flexible CG"}) {
    for (int const columns : {1, 3}) {
      auto const list = solver_list();
      if (solver.find("Block ") == 0) list->set("Block Size", columns);
      auto const outcome = solve_resident(*s.A, system, system.preconditioner(), solver, columns, list);
      EXPECT_EQ(outcome.result, Belos::Converged) << solver;
      EXPECT_LE(outcome.iterations, 25) << solver;
      EXPECT_GE(outcome.iterations, 3) << solver;
      for (double residual : outcome.residuals) EXPECT_LE(residual, 1.1e-8) << solver;
    }
  }
}

/// The same mathematics: at most one iteration of difference.
inline void our_cg_takes_as_many_iterations_as_belos(std::string const& backend) {
  for (auto const* name : {"SA-AMG", "FSAI"}) {
    System const s(backend, name);
    ResidentSystem const system(s.M);
    for (auto const& M : {system.preconditioner(), RCP<ResidentOperator const>()}) {
      auto const ours = solve_resident(*s.A, system, M, "TESSERA CG", 1, solver_list());
      auto const theirs = solve_resident(*s.A, system, M, "Pseudo Block CG", 1, solver_list());
      EXPECT_NEAR(ours.iterations, theirs.iterations, 1) << name;
      EXPECT_EQ(ours.result, Belos::Converged) << name;
      EXPECT_NEAR(ours.achieved, ours.residuals[0], 1e-12) << name;
    }
  }
}

/// A preconditioner of the user's own.
class Tenth final : public ResidentOperator {
 public:
  void apply(ResidentMultiVector const& X, ResidentMultiVector& Y) const override { Y.combine(0.1, X, 0, X); }
};

inline void operators_of_the_user_precondition(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const system = ResidentSystem::ofMatrix(A, backend);
  EXPECT_TRUE(system.preconditioner().is_null());
  int const plain = solve_resident(*A, system, Teuchos::null, "TESSERA CG", 1, solver_list()).iterations;
  for (auto const solver : {"TESSERA CG", "Pseudo Block CG"}) {
    auto const outcome = solve_resident(*A, system, rcp(new Tenth), solver, 1, solver_list());
    EXPECT_EQ(outcome.result, Belos::Converged);
    EXPECT_NEAR(outcome.iterations, plain, 1);
  }
}

/// Tpetra's vectors: one copy, and a solve on the preconditioner's back end.
inline void our_managers_take_tpetra_vectors(std::string const& backend) {
  registerBelosSolvers();
  System const s(backend);
  auto const b = waves(s.A->getRowMap(), 2), x = rcp(new MultiVector(s.A->getRowMap(), 2));
  for (auto const solver : {"TESSERA CG", "TESSERA FLEXIBLE CG"}) {
    x->putScalar(0);
    auto const problem = rcp(new TpetraProblem(s.A, x, b));
    problem->setLeftPrec(s.M);
    EXPECT_TRUE(problem->setProblem());
    auto const manager =
        Belos::SolverFactory<double, MultiVector, Operator>().create(solver, solver_list(1e-10));
    manager->setProblem(problem);
    EXPECT_EQ(manager->solve(), Belos::Converged);
    EXPECT_LE(manager->getNumIters(), 30);
    EXPECT_LE(manager->achievedTol(), 1e-10);
    EXPECT_FALSE(manager->isLOADetected());
    for (double residual : residuals(*s.A, *x, *b)) EXPECT_LE(residual, 1.1e-10);
  }
}

inline Teuchos::ParameterList stratimikos_list(std::string const& solver, std::string const& backend) {
  Teuchos::ParameterList list("Stratimikos");
  list.set("Preconditioner Type", "Tessera");
  auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", solver);
  belos.sublist("Solver Types").sublist(solver).set("Convergence Tolerance", 1e-9);
  list.sublist("Preconditioner Types").sublist("Tessera").set("backend: type", backend);
  return list;
}

/// A sparse inverse that is chosen by the list alone.
inline void one_call_solves_with_a_sparse_inverse(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap(), 2);
  MultiVector x(A->getRowMap(), 2);
  auto list = stratimikos_list("Pseudo Block CG", backend);
  list.sublist("Preconditioner Types").sublist("Tessera").set<std::string>("multigrid algorithm", "fsai");
  auto const report = solve(A, *b, x, list);
  EXPECT_TRUE(report.converged);
  EXPECT_GE(report.iterations, 10);
  EXPECT_LE(report.iterations, 60);
  EXPECT_EQ(report.backend, backend);
}

inline void one_call_solves(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap(), 2);
  for (std::string const solver : {"Pseudo Block CG", "TESSERA FLEXIBLE CG", "MINRES"}) {
    MultiVector x(A->getRowMap(), 2);
    auto list = stratimikos_list(solver, backend);
    auto const report = solve(A, *b, x, list);
    EXPECT_TRUE(report.converged) << solver;
    EXPECT_LE(report.iterations, 30);
    EXPECT_GE(report.iterations, 3);
    EXPECT_LE(report.relativeResidual, 1.001e-9);
    auto const all = residuals(*A, x, *b);
    EXPECT_NEAR(report.relativeResidual, std::max(all[0], all[1]), 1e-13);
    // There is no MINRES for Tessera's vectors: it runs on the host, wherever the preconditioner runs.
    EXPECT_EQ(report.backend, solver == "MINRES" ? "host" : backend);
    bool const ours = backend == "cuda" && solver == "Pseudo Block CG";
    EXPECT_EQ(report.solver, ours ? "TESSERA CG" : solver);
    EXPECT_GT(report.setupSeconds, 0);
    EXPECT_GT(report.solveSeconds, 0);
    EXPECT_GT(report.uploadSeconds, 0);
    if (!tpetra::vectors_on_device) {
      EXPECT_EQ(report.bytesToDevice > 0 && report.bytesToHost > 0, backend == "cuda");
    }
  }
}

/// M belongs to other values than the system.
inline void a_system_may_have_another_matrix_than_its_preconditioner(std::string const& backend) {
  System const s(backend);
  auto const A = laplacian(s.A->getRowMap(), side, 2, 0.1);
  ResidentSystem const system(A, s.M);
  EXPECT_EQ(system.backend(), backend);
  auto const solved = solve_resident(*A, system, system.preconditioner(), "TESSERA CG", 2, solver_list());
  EXPECT_EQ(solved.result, Belos::Converged);
  for (double const residual : solved.residuals) EXPECT_LE(residual, 1.001e-8);
  EXPECT_THROW(ResidentSystem(Teuchos::null, s.M), std::invalid_argument);
}

/// Operators of one system and vectors of another, whose rows differ on the last rank only.
inline void vectors_of_other_rows_are_refused(std::string const& backend) {
  System const s(backend);
  ResidentSystem const system(s.M);
  auto const rows = MultiVector(s.A->getRowMap(), 1).getLocalLength() +
                    (world()->getRank() + 1 == world()->getSize() ? 3 : 0);
  auto const longer =
      diagonal(rcp(new Map(Teuchos::OrdinalTraits<Tpetra::global_size_t>::invalid(), rows, 0, world())));
  auto const other = ResidentSystem::ofMatrix(longer, backend);
  auto const right = system.vectors(2), wrong = other.vectors(2), narrow = system.vectors(1);
  for (auto const& op : {system.matrix(), system.preconditioner()}) {
    EXPECT_THROW(op->apply(*wrong, *right), std::invalid_argument);
    EXPECT_THROW(op->apply(*right, *wrong), std::invalid_argument);
    EXPECT_THROW(op->apply(*right, *narrow), std::invalid_argument);
    right->fill(1);
    auto const sound = system.vectors(2);
    EXPECT_NO_THROW(op->apply(*right, *sound));
  }
  EXPECT_THROW(other.matrix()->apply(*right, *wrong), std::invalid_argument);
  MultiVector on_host(longer->getRowMap(), 2);
  EXPECT_THROW(right->upload(on_host), std::invalid_argument);
  EXPECT_THROW(right->download(on_host), std::invalid_argument);
  // A preconditioner of another matrix.
  wrong->fill(1);
  auto const problem = rcp(new ResidentProblem(other.matrix(), other.vectors(2), wrong));
  problem->setRightPrec(system.preconditioner());
  problem->setInitResVec(wrong);
  ASSERT_TRUE(problem->setProblem());
  auto const manager = Belos::SolverFactory<double, ResidentMultiVector, ResidentOperator>().create(
      "TESSERA CG", solver_list());
  manager->setProblem(problem);
  EXPECT_THROW(manager->solve(), std::invalid_argument);
}

/// Tessera's conjugate gradients with a preconditioner in float.
inline void right_hand_sides_beyond_float_take_the_same_iterations(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  int iterations = 0;
  for (double const scale : {1.0, 1e45, 1e-45}) {
    auto const b = waves(A->getRowMap(), 2);
    b->getVectorNonConst(1)->scale(scale);
    MultiVector x(A->getRowMap(), 2);
    auto list = stratimikos_list("TESSERA CG", backend);
    auto const report = solve(A, *b, x, list);
    EXPECT_TRUE(report.converged) << report.reason;
    for (double residual : residuals(*A, x, *b)) EXPECT_LE(residual, 1.1e-9);
    if (scale == 1) iterations = report.iterations;
    EXPECT_EQ(report.iterations, iterations) << scale;
  }
}

inline void arguments_of_one_call_are_checked() {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  MultiVector x(A->getRowMap(), 1), no_columns(A->getRowMap(), 0), nothing;
  auto const refused = [&](RCP<RowMatrix const> const& matrix, MultiVector const& right, MultiVector& left,
                           char const* words) {
    auto list = stratimikos_list("Pseudo Block CG", "host");
    try {
      solve(matrix, right, left, list);
      ADD_FAILURE() << "not refused: " << words;
    } catch (std::invalid_argument const& error) {
      EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
    }
  };
  refused(Teuchos::null, *b, x, "the matrix is a null pointer");
  refused(A, no_columns, no_columns, "b has no columns");
  refused(A, nothing, nothing, "b has no columns");
  refused(A, *b, no_columns, "equally many columns");
  refused(A, x, x, "share memory");
  refused(A, *waves(uniform_map(7)), x, "row map");
  auto const open = rcp(new CrsMatrix(A->getRowMap(), 1));
  refused(open, *b, x, "not fill-complete");
  EXPECT_THROW(ResidentSystem::ofMatrix(Teuchos::null, "host"), std::invalid_argument);
  EXPECT_THROW(ResidentSystem(Teuchos::null), std::invalid_argument);
}

/// GMRES with levels in float would stop far above the tolerance and be restarted.
inline void one_call_chooses_the_precision_that_the_solver_wants(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  auto const iterations = [&](char const* precision) {
    MultiVector x(A->getRowMap(), 1);
    auto list = stratimikos_list("Pseudo Block GMRES", backend);
    auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
    if (precision != nullptr) own.set<std::string>("precision: hierarchy", precision);
    auto const report = solve(A, *b, x, list);
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(own.isParameter("precision: hierarchy"), precision != nullptr) << "the list is the user's";
    return report.iterations;
  };
  int const in_double = iterations("double");
  EXPECT_GT(iterations("float"), in_double);
  EXPECT_EQ(iterations(nullptr), in_double);
}

/// A K-cycle is not linear: Tessera's flexible conjugate gradients then replace Belos' CG.
inline void conjugate_gradients_are_flexible_with_a_k_cycle(std::string const& backend) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap(), 2);
  auto const solved = [&](std::string const& solver) {
    auto list = stratimikos_list(solver, backend);
    auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
    own.set("multigrid algorithm", "unsmoothed").set("cycle type", "K").set("coarse: max size", 20);
    MultiVector x(A->getRowMap(), 2);
    auto const report = solve(A, *b, x, list);
    EXPECT_TRUE(report.converged) << solver;
    EXPECT_EQ(report.solver, solver == "Pseudo Block CG" ? "TESSERA FLEXIBLE CG" : solver);
    EXPECT_EQ(report.backend, backend);
    return report.iterations;
  };
  int const flexible = solved("TESSERA FLEXIBLE CG");
  EXPECT_LE(flexible, 20);
  EXPECT_EQ(solved("TESSERA CG"), flexible);
  EXPECT_EQ(solved("Pseudo Block CG"), flexible);
  EXPECT_GE(solved("Block CG"), flexible);  // plain
}

}  // namespace Tessera::test
