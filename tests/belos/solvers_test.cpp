#include <BelosCGIteration.hpp>
#include <Ifpack2_Factory.hpp>
#include <Teuchos_TimeMonitor.hpp>
#include <algorithm>
#include <map>
#include <sstream>

#include "belos/solver_checks.hpp"
#include "core/error.hpp"
#include "krylov/lanczos.hpp"
#include "support/matrices.hpp"
#include "tpetra/import_matrix.hpp"
#include "tpetra/matrix_market.hpp"

namespace Tessera::test {
namespace {

TEST(Solvers, EveryManagerSolves) {
  every_manager_solves("host");
}

TEST(Solvers, OurCgTakesAsManyIterationsAsBelos) {
  our_cg_takes_as_many_iterations_as_belos("host");
}

TEST(Solvers, OperatorsOfTheUserPrecondition) {
  operators_of_the_user_precondition("host");
}

TEST(Solvers, OurManagersTakeTpetraVectors) {
  our_managers_take_tpetra_vectors("host");
}

TEST(Solvers, VectorsOfOtherRowsAreRefused) {
  vectors_of_other_rows_are_refused("host");
}

TEST(Solvers, RightHandSidesBeyondFloatTakeTheSameIterations) {
  right_hand_sides_beyond_float_take_the_same_iterations("host");
}

TEST(Solvers, ConjugateGradientsAreFlexibleWithAKCycle) {
  conjugate_gradients_are_flexible_with_a_k_cycle("host");
}

TEST(Solvers, ASystemMayHaveAnotherMatrixThanItsPreconditioner) {
  a_system_may_have_another_matrix_than_its_preconditioner("host");
}

TEST(Solvers, OneCallSolves) {
  one_call_solves("host");
}

TEST(Solvers, ArgumentsOfOneCallAreChecked) {
  arguments_of_one_call_are_checked();
}

TEST(Solvers, OneCallChoosesThePrecisionThatTheSolverNeeds) {
  one_call_chooses_the_precision_that_the_solver_wants("host");
}

/// Otherwise the ranks would deadlock.
TEST(Solvers, ListsThatDifferBetweenRanksAreRefusedOnAll) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  MultiVector x(A->getRowMap(), 1);
  auto const comm = A->getComm();
  bool const last = comm->getRank() + 1 == comm->getSize() && comm->getRank() > 0;
  auto const other_solver = stratimikos_list("Block GMRES", "host");
  auto other_tolerance = stratimikos_list("Pseudo Block CG", "host"), bad = other_tolerance;
  auto& types = other_tolerance.sublist("Linear Solver Types").sublist("Belos").sublist("Solver Types");
  types.sublist("Pseudo Block CG").set("Convergence Tolerance", 1e-3);
  bad.sublist("Preconditioner Types").sublist("Tessera").set("max level", 3);
  for (auto const& other : {other_solver, other_tolerance, bad}) {
    auto list = last ? other : stratimikos_list("Pseudo Block CG", "host");
    if (comm->getSize() == 1) {
      EXPECT_TRUE(solve(A, *b, x, list).converged);
    } else {
      EXPECT_THROW(solve(A, *b, x, list), core::InvalidInput);
    }
  }
}

TEST(Solvers, ASparseInverseIsChosenByTheListAlone) {
  one_call_solves_with_a_sparse_inverse("host");
}

/// Tessera's conjugate gradients, which throw for an indefinite preconditioner, with steep polynomials.
/// max_eigenvalue: used as rho(D^-1 A) if it is not 0.
SolveReport solve_by_steep_polynomials(RCP<CrsMatrix> const& A, MultiVector const& b, std::string const& kind,
                                       double max_eigenvalue = 0) {
  MultiVector x(A->getRowMap(), 1);
  auto list = stratimikos_list("TESSERA CG", "host");
  auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
  own.set("chebyshev: algorithm", kind).set("chebyshev: degree", kind == "first" ? 2 : 8);
  if (max_eigenvalue > 0) own.set("sa: max eigenvalue", max_eigenvalue);
  return solve(A, b, x, list);
}

/// Seven steps of Lanczos find 0.82 of this matrix' rho(D^-1 A), which makes steep polynomials indefinite.
TEST(SharedSolvers, SteepPolynomialsArePositiveDefiniteWhereTheEstimateIsShort) {
  TESSERA_SKIP_WITHOUT_MATRIX("bcsstk15");
  auto const A = tpetra::read_matrix(support::matrix_path("bcsstk15"), world());
  auto const b = waves(A->getRowMap());
  for (std::string const kind : {"first", "opt_fourth"}) {
    auto const report = solve_by_steep_polynomials(A, *b, kind);
    EXPECT_EQ(report.reason, "") << kind;
    EXPECT_TRUE(report.converged) << kind;
  }
}

/// The entries of v. The start vector of Lanczos has nearly no part along v.
std::map<long long, double> const hidden{{643, 1}, {843, -1}, {1043, 1}};

/// The Laplacian plus 7 v v^T: v determines its rho(D^-1 A), 2.356.
RCP<CrsMatrix> with_a_hidden_eigenvector() {
  auto const laplace = laplacian(uniform_map(side * side), side);
  auto const map = laplace->getRowMap();
  auto const local = laplace->getLocalMatrixHost();
  auto const A = rcp(new CrsMatrix(map, 7));
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    auto const row = map->getGlobalElement(i);
    for (auto k = local.graph.row_map(i); k < local.graph.row_map(i + 1); ++k) {
      auto const column = laplace->getColMap()->getGlobalElement(local.graph.entries(k));
      A->insertGlobalValues(row, Teuchos::tuple(column), Teuchos::tuple(local.values(k)));
    }
    if (hidden.count(row) == 0) continue;
    for (auto const& [column, v] : hidden)
      A->insertGlobalValues(row, Teuchos::tuple(column), Teuchos::tuple(7 * hidden.at(row) * v));
  }
  A->fillComplete();
  return A;
}

using Vector = Tpetra::Vector<double, int, long long>;

/// The estimate of rho(D^-1 A) by seven steps of Lanczos.
double estimate(CrsMatrix const& A, Vector const& D) {
  auto const imported = tpetra::import_matrix(A);
  auto const ids = tpetra::row_ids(*A.getRowMap());
  std::vector<VertexId> names(ids.size);
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = ids[i];
  auto const d = D.getData();
  double found = 0;
  krylov::spectral_radius(Host{}, imported.A, {d.getRawPtr(), names.size()}, {names.data(), names.size()}, 7,
                          {}, &found);
  return found;
}

/// With the usual safety factor of the estimate of rho(D^-1 A), the cycle is indefinite. b = A u with the
/// eigenvector u shows it.
TEST(SmallSolvers, SteepPolynomialsArePositiveDefiniteWhereTheEstimateIsShort) {
  auto const A = with_a_hidden_eigenvector();
  Vector D(A->getRowMap()), u(A->getRowMap()), b(A->getRowMap());
  A->getLocalDiagCopy(D);
  for (auto const& [row, v] : hidden) {
    if (A->getRowMap()->isNodeGlobalElement(row)) u.replaceGlobalValue(row, v);
  }
  for (int power = 0; power < 30; ++power) {
    A->apply(u, b);
    for (std::size_t i = 0; i < u.getLocalLength(); ++i)
      u.replaceLocalValue(static_cast<int>(i), b.getData()[i] / D.getData()[i] / 2.356);
  }
  double const found = estimate(*A, D);
  EXPECT_NEAR(found / 2.356, 0.82, 0.005);
  for (std::string const kind : {"first", "opt_fourth"}) {
    EXPECT_FALSE(solve_by_steep_polynomials(A, b, kind, 1.1 * found).converged) << kind;
    auto const report = solve_by_steep_polynomials(A, b, kind);
    EXPECT_EQ(report.reason, "") << kind;
    EXPECT_TRUE(report.converged) << kind;
  }
}

TEST(Solvers, TheFactoriesKnowTheNames) {
  Belos::SolverFactory<double, ResidentMultiVector, ResidentOperator> resident;
  EXPECT_TRUE(resident.isSupported("tessera cg"));
  EXPECT_TRUE(resident.isSupported("TESSERA FLEXIBLE CG"));
  EXPECT_FALSE(resident.isSupported("TESSERA GMRES"));
  EXPECT_THROW(resident.create("MINRES", Teuchos::null), std::invalid_argument);
  registerBelosSolvers();
  Belos::SolverFactory<double, MultiVector, Operator> tpetra;
  EXPECT_TRUE(tpetra.isSupported("TESSERA CG"));
  auto const names = tpetra.supportedSolverNames();
  EXPECT_EQ(std::count(names.begin(), names.end(), "TESSERA CG"), 1);  // several calls register it once
}

/// A x = b without preconditioner by "TESSERA CG" on Tpetra's vectors.
struct Plain {
  RCP<CrsMatrix> A = laplacian(uniform_map(side * side), side);
  RCP<MultiVector> b = waves(A->getRowMap()), x = rcp(new MultiVector(A->getRowMap(), 1));
  RCP<TpetraProblem> problem = rcp(new TpetraProblem(A, x, b));
  RCP<Belos::SolverManager<double, MultiVector, Operator>> manager;

  explicit Plain(RCP<Teuchos::ParameterList> const& list) {
    registerBelosSolvers();
    problem->setProblem();
    manager = Belos::SolverFactory<double, MultiVector, Operator>().create("TESSERA CG", list);
    manager->setProblem(problem);
  }
};

TEST(Solvers, TooFewIterationsAreNoConvergence) {
  Plain s(solver_list(1e-8, 5));
  EXPECT_EQ(s.manager->solve(), Belos::Unconverged);
  EXPECT_EQ(s.manager->getNumIters(), 5);
  EXPECT_NEAR(s.manager->achievedTol(), relative_residual(*s.A, *s.x, *s.b), 1e-12);
  EXPECT_GT(s.manager->achievedTol(), 1e-3);
}

/// Parameters that a list lacks keep their values; unknown parameters are errors.
TEST(Solvers, ParametersAreCheckedAndKept) {
  Plain s(solver_list(1e-3));
  auto const wrong = rcp(new Teuchos::ParameterList);
  wrong->set("Convergence Tolerence", 1e-3);
  try {
    s.manager->setParameters(wrong);
    ADD_FAILURE() << "an unknown parameter was taken";
  } catch (Teuchos::Exceptions::InvalidParameter const& error) {  // without Teuchos' place and number
    EXPECT_EQ(std::string(error.what()).find("Throw number"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("Tolerence"), std::string::npos) << error.what();
  }
  wrong->remove("Convergence Tolerence");
  wrong->set("Convergence Tolerance", -1.0);
  EXPECT_THROW(s.manager->setParameters(wrong), Teuchos::Exceptions::InvalidParameter);
  for (std::string const text : {"abc", "1e-3"}) {
    wrong->set("Convergence Tolerance", text);
    EXPECT_THROW(s.manager->setParameters(wrong), Teuchos::Exceptions::InvalidParameter);
  }
  auto const more = rcp(new Teuchos::ParameterList);
  more->set("Maximum Iterations", 77);
  s.manager->setParameters(more);
  auto const current = s.manager->getCurrentParameters();
  EXPECT_EQ(current->get<double>("Convergence Tolerance"), 1e-3);
  EXPECT_EQ(current->get<int>("Maximum Iterations"), 77);
  EXPECT_EQ(s.manager->clone()->getCurrentParameters()->get<int>("Maximum Iterations"), 1000);
}

/// If r_0 = b / 2, the scalings differ by a factor of two.
TEST(Solvers, ResidualsAreComparedWithTheSelectedReference) {
  std::vector<double> achieved;
  for (auto const scaling : {"Norm of RHS", "Norm of Initial Residual"}) {
    auto const list = solver_list(1e-12, 500);
    Plain s(list);
    EXPECT_EQ(s.manager->solve(), Belos::Converged);
    s.x->scale(0.5);
    auto const few = solver_list(1e-12, 5);
    few->set("Implicit Residual Scaling", scaling);
    s.manager->setParameters(few);
    EXPECT_EQ(s.manager->solve(), Belos::Unconverged);
    achieved.push_back(s.manager->achievedTol());
  }
  EXPECT_NEAR(achieved[1] / achieved[0], 2, 1e-6);
}

TEST(Solvers, AnIndefiniteMatrixIsReported) {
  Plain s(solver_list());
  s.A->resumeFill();
  s.A->scale(-1.0);
  s.A->fillComplete();
  EXPECT_THROW(s.manager->solve(), Belos::CGIterateFailure);
}

TEST(Solvers, AToleranceBeyondDoublePrecisionIsALossOfAccuracy) {
  Plain s(solver_list(1e-18, 2000));
  EXPECT_EQ(s.manager->solve(), Belos::Unconverged);
  EXPECT_TRUE(s.manager->isLOADetected());
}

// `timer for phases`: one region for the solve, in which cycles are.
TEST(Solvers, OurCgIsATeuchosTimerOnRequest) {
  auto const calls = [](std::string const& name) {
    auto const timer = Teuchos::TimeMonitor::lookupCounter("Tessera: " + name);
    return timer.is_null() ? 0 : timer->numCalls();
  };
  System const s("host");
  for (bool const on : {false, true}) {
    Teuchos::ParameterList list;
    list.set("backend: type", "host").set("timer for phases", on);
    s.M->setParameters(list);
    s.M->compute();
    int const solves = calls("solve"), cycles = calls("cycle");
    ResidentSystem const system(s.M);
    auto const outcome =
        solve_resident(*s.A, system, system.preconditioner(), "TESSERA CG", 1, solver_list());
    EXPECT_EQ(calls("solve") - solves, on ? 1 : 0);
    if (on) {
      EXPECT_GE(calls("cycle") - cycles, outcome.iterations);
    } else {
      EXPECT_EQ(calls("cycle"), cycles);
    }
  }
}

TEST(Solvers, IterationsArePrintedAtTheOutputFrequency) {
  auto const list = solver_list(1e-8, 9);
  std::ostringstream text;
  list->set("Verbosity", static_cast<int>(Belos::Warnings + Belos::FinalSummary + Belos::StatusTestDetails));
  list->set("Output Frequency", 4);
  list->set("Output Stream", Teuchos::rcp_implicit_cast<std::ostream>(Teuchos::rcpFromRef(text)));
  Plain s(list);
  s.manager->solve();
  auto const printed = text.str();
  bool const root = s.A->getComm()->getRank() == 0;
  for (auto const line :
       {"Iter 0, [1] : 1\n", "Iter 4, [1]", "Iter 8, [1]", "Iter 9, [1]", "warning", "not converged in 9"})
    EXPECT_EQ(printed.find(line) != std::string::npos, root) << line;
  EXPECT_EQ(printed.find("Iter 3"), std::string::npos);
}

TEST(Solvers, ThirdPartyPreconditionersRunOnTheHost) {
  Plain s(solver_list());
  auto const M = Ifpack2::Factory::create<RowMatrix>("CHEBYSHEV", s.A);
  Teuchos::ParameterList list;
  list.set("chebyshev: degree", 4);
  M->setParameters(list);
  M->initialize();
  M->compute();
  EXPECT_EQ(s.manager->solve(), Belos::Converged);
  int const plain = s.manager->getNumIters();
  s.x->putScalar(0);
  s.problem->setRightPrec(M);
  s.problem->setProblem();
  EXPECT_EQ(s.manager->solve(), Belos::Converged);
  EXPECT_LT(2 * s.manager->getNumIters(), plain);
  EXPECT_LE(relative_residual(*s.A, *s.x, *s.b), 1.1e-8);
}

TEST(Solvers, TwoPreconditionersAreRefused) {
  Plain plain(solver_list());
  auto const M = Factory::create<CrsMatrix>("SA-AMG", plain.A);
  M->compute();
  plain.problem->setRightPrec(M);
  plain.problem->setLeftPrec(M);
  plain.problem->setProblem();
  EXPECT_THROW(plain.manager->solve(), std::invalid_argument);
}

TEST(ResidentSystem, RefusesUncomputedAndThirdPartyPreconditioners) {
  auto const A = laplacian(uniform_map(side * side), side);
  EXPECT_THROW(ResidentSystem(Factory::create<CrsMatrix>("SA-AMG", A)), std::invalid_argument);
  EXPECT_THROW(ResidentSystem(Factory::create<CrsMatrix>("CHEBYSHEV", A)), std::invalid_argument);
  EXPECT_THROW(ResidentSystem::ofMatrix(A, "gpu"), std::invalid_argument);
}

TEST(OneCall, TakesAListOfThePreconditionerAlone) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  MultiVector x(A->getRowMap(), 1);
  Teuchos::ParameterList list;
  list.set("backend: type", "host");
  auto const report = solve(A, *b, x, list);
  EXPECT_TRUE(report.converged);
  int const again = solve(A, *b, x, list).iterations;  // x is the initial guess
  EXPECT_LE(again, 1);
}

TEST(OneCall, SolvesWithoutPreconditioner) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  MultiVector x(A->getRowMap(), 1);
  auto list = stratimikos_list("TESSERA CG", "host");
  list.set("Preconditioner Type", "None");
  auto const report = solve(A, *b, x, list);
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.iterations, 30);
}

TEST(OneCall, RefusesWrongListsBeforeAnyWork) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  MultiVector x(A->getRowMap(), 1), two(A->getRowMap(), 2);
  auto list = stratimikos_list("Conjugate Gradients", "host");
  EXPECT_THROW(solve(A, *b, x, list), std::invalid_argument);
  list = stratimikos_list("TESSERA CG", "host");
  EXPECT_THROW(solve(A, *b, two, list), std::invalid_argument);
  list.set("Preconditioner Type", "ML");
  EXPECT_THROW(solve(A, *b, x, list), std::invalid_argument);
  list = stratimikos_list("TESSERA CG", "host");
  list.sublist("Preconditioner Types").sublist("Tessera").set("smoother: sweps", 1);
  EXPECT_THROW(solve(A, *b, x, list), std::invalid_argument);
}

}  // namespace
}  // namespace Tessera::test
