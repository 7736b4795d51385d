// `Project Nullspace`: right-hand sides out of the range of a singular matrix.
#include <gtest/gtest.h>

#include <sstream>

#include "neumann.hpp"
#include "solver_checks.hpp"

namespace Tessera::test {
namespace {

constexpr int width = 20;

/// waves without mean over each of `pieces` grids, scaled to norm 1 an entry, plus `share` of a constant in
/// the first `shared` pieces.
RCP<MultiVector> right_hand_side(RCP<Map const> const& map, int pieces, double share, int shared) {
  auto const b = waves(map);
  for (int piece = 0; piece < pieces; ++piece) {
    MultiVector one(map, 1);
    for (int local = 0; map->isNodeLocalElement(local); ++local)
      if (map->getGlobalElement(local) / (width * width) == piece) one.replaceLocalValue(local, 0, 1.0);
    double const n = width * width;
    b->update(-dot(*b, one) / n, one, 1);
  }
  b->scale(std::sqrt(width * width * pieces / dot(*b, *b)));
  for (int local = 0; map->isNodeLocalElement(local); ++local)
    if (map->getGlobalElement(local) / (width * width) < shared) b->sumIntoLocalValue(local, 0, share);
  return b;
}

Teuchos::ParameterList list_for(std::string const& preconditioner, bool project,
                                std::string const& solver = "TESSERA CG") {
  Teuchos::ParameterList list("Stratimikos");
  list.set("Preconditioner Type", preconditioner);
  auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", solver);
  if (project) belos.sublist("Solver Types").sublist(solver).set("Project Nullspace", true);
  if (preconditioner == "Tessera") {
    auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
    own.set("backend: type", "host");
    own.set("coarse: max size", 50);
  }
  return list;
}

TEST(ProjectNullspace, SolvesSystemsOutOfRangeAndReportsTheShare) {
  auto const map = scattered_map(width * width);
  auto const A = neumann_laplacian(map, width);
  for (std::string const preconditioner : {"Tessera", "None"}) {
    for (double const share : {1.0, 1e-3, 1e-9}) {
      auto const b = right_hand_side(map, 1, share, 1), in_range = right_hand_side(map, 1, 0, 0);
      MultiVector x(map, 1), unprojected(map, 1);
      auto list = list_for(preconditioner, true), plain = list_for(preconditioner, false);
      auto const report = Tessera::solve(A, *b, x, list);
      EXPECT_TRUE(report.converged) << report.reason;
      EXPECT_EQ(report.reason, "");
      EXPECT_NEAR(report.projectedShare, share / std::hypot(1.0, share), 1e-6 * share);
      EXPECT_LE(relative_residual(*A, x, *in_range), 1.1e-8);
      auto const without = Tessera::solve(A, *b, unprojected, plain);
      EXPECT_EQ(without.converged, share < 1e-8) << without.reason;
      EXPECT_EQ(without.projectedShare, 0);
    }
  }
}

TEST(ProjectNullspace, ARightHandSideInTheNullspaceIsSolvedByZero) {
  auto const map = scattered_map(width * width);
  auto const A = neumann_laplacian(map, width);
  MultiVector b(map, 1), x(map, 1);
  b.putScalar(3);
  auto list = list_for("Tessera", true);
  auto const report = Tessera::solve(A, b, x, list);
  EXPECT_TRUE(report.converged) << report.reason;
  EXPECT_NEAR(report.projectedShare, 1, 1e-12);
  EXPECT_EQ(dot(x, x), 0);
}

TEST(ProjectNullspace, LeavesARegularMatrixAlone) {
  auto const map = scattered_map(width * width);
  auto const A = laplacian(map, width);
  auto const b = right_hand_side(map, 1, 1, 1);
  MultiVector x(map, 1), y(map, 1);
  auto list = list_for("Tessera", true), plain = list_for("Tessera", false);
  EXPECT_EQ(Tessera::solve(A, *b, x, list).projectedShare, 0);
  EXPECT_TRUE(Tessera::solve(A, *b, y, plain).converged);
  EXPECT_EQ(values(x), values(y));
}

// One constant over both grids is in the nullspace, which has a constant for each grid. Their difference
// remains in b, unless the near-nullspace has a vector for each grid.
TEST(ProjectNullspace, OfSeveralComponentsUsesTheNearNullspace) {
  auto const map = scattered_map(2 * width * width);
  auto const A = neumann_laplacian(map, width);
  auto const b = right_hand_side(map, 2, 1, 1);
  MultiVector x(map, 1);
  auto list = list_for("Tessera", true);
  auto const report = Tessera::solve(A, *b, x, list);
  EXPECT_FALSE(report.converged);
  EXPECT_NEAR(report.projectedShare, std::sqrt(0.5 / 3), 1e-6);
  EXPECT_NE(report.reason.find("the matrix is singular"), std::string::npos) << report.reason;
  EXPECT_NE(report.reason.find("% of the right-hand side, in the matrix's nullspace, was taken out"),
            std::string::npos)
      << report.reason;
  auto const pieces = rcp(new MultiVector(map, 2));
  for (int local = 0; map->isNodeLocalElement(local); ++local)
    pieces->replaceLocalValue(local, map->getGlobalElement(local) < width * width ? 0 : 1, 1.0);
  auto known = list_for("Tessera", true);
  known.sublist("Preconditioner Types")
      .sublist("Tessera")
      .sublist("user data")
      .set("Nullspace", RCP<MultiVector const>(pieces));
  MultiVector y(map, 1);
  auto const whole = Tessera::solve(A, *b, y, known);
  EXPECT_TRUE(whole.converged) << whole.reason;
  EXPECT_NEAR(whole.projectedShare, std::sqrt(1.0 / 3), 1e-6);
}

/// By the manager, with vectors of either kind.
template <class Problem, class Solver>
void expect_solved(Problem& problem, Solver& solver) {
  std::ostringstream out;
  auto const parameters = solver_list();
  parameters->set("Project Nullspace", true);
  parameters->set("Verbosity", static_cast<int>(Belos::Warnings));
  parameters->set("Output Stream", RCP<std::ostream>(Teuchos::rcpFromRef(out)));
  solver.setParameters(parameters);
  ASSERT_TRUE(problem.setProblem());
  solver.setProblem(Teuchos::rcpFromRef(problem));
  EXPECT_EQ(solver.solve(), Belos::Converged);
  int const rank = world()->getRank();
  EXPECT_EQ(out.str().find("70.7 % of the right-hand side") != std::string::npos, rank == 0) << out.str();
}

TEST(ProjectNullspace, IsAParameterOfOurManagersWithVectorsOfEitherKind) {
  auto const map = scattered_map(width * width);
  auto const A = neumann_laplacian(map, width);
  auto const b = right_hand_side(map, 1, 1, 1), in_range = right_hand_side(map, 1, 0, 0);
  auto const M = Factory::create<CrsMatrix>("SA-AMG", A);
  Teuchos::ParameterList list;
  list.set("backend: type", "host");
  M->setParameters(list);
  M->compute();
  registerBelosSolvers();
  for (std::string const name : {"TESSERA CG", "TESSERA FLEXIBLE CG"}) {
    auto const x = rcp(new MultiVector(map, 1));
    TpetraProblem problem(A, x, b);
    problem.setRightPrec(M);
    expect_solved(problem,
                  *Belos::SolverFactory<double, MultiVector, Operator>().create(name, Teuchos::null));
    EXPECT_LE(relative_residual(*A, *x, *in_range), 1.1e-8);

    ResidentSystem const system(M);
    auto const there = system.upload(*b), found = system.vectors(1);
    found->fill(0);
    ResidentProblem resident(system.matrix(), found, there);
    resident.setRightPrec(system.preconditioner());
    expect_solved(resident, *Belos::SolverFactory<double, ResidentMultiVector, ResidentOperator>().create(
                                name, Teuchos::null));
    system.download(*found, *x);
    EXPECT_LE(relative_residual(*A, *x, *in_range), 1.1e-8);
  }
}

}  // namespace
}  // namespace Tessera::test
