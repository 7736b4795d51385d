#include <gtest/gtest.h>

#include "Tessera_Factory.hpp"
#include "Tessera_Solve.hpp"
#include "belos/iterate.hpp"
#include "belos/verdict.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 30;
using Preconditioner = Ifpack2::Preconditioner<double, int, long long>;

/// The 5-point Laplacian with Neumann boundaries: rows sum to zero. lower: what stands below the diagonal.
RCP<CrsMatrix> neumann(RCP<Map const> const& map, double lower = -1) {
  auto const A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row / side;
    double diagonal = 0;
    auto const couple = [&](bool inside, long long column) {
      if (!inside) return;
      double const value = column < row ? lower : -1;
      A->insertGlobalValues(row, 1, &value, &column);
      ++diagonal;
    };
    couple(i > 0, row - 1);
    couple(i + 1 < side, row + 1);
    couple(j > 0, row - side);
    couple(j + 1 < side, row + side);
    A->insertGlobalValues(row, 1, &diagonal, &row);
  }
  A->fillComplete();
  return A;
}

Teuchos::ParameterList list_for(std::string const& solver, std::string const& preconditioner,
                                double tolerance = 1e-8, int iterations = 1000) {
  Teuchos::ParameterList list("Stratimikos");
  list.set("Preconditioner Type", preconditioner);
  auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", solver);
  auto& parameters = belos.sublist("Solver Types").sublist(solver);
  parameters.set("Convergence Tolerance", tolerance);
  parameters.set("Maximum Iterations", iterations);
  if (preconditioner == "Tessera") {
    auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
    own.set("backend: type", "host");
    own.set("precision: hierarchy", "double");
    own.set("coarse: max size", 50);
  }
  return list;
}

std::vector<std::string> const solvers{"TESSERA CG", "Pseudo Block CG"};
std::vector<std::string> const preconditioners{"Tessera", "None"};

SolveReport solve(RCP<CrsMatrix> const& A, MultiVector const& b, MultiVector& x,
                  Teuchos::ParameterList list) {
  return Tessera::solve(A, b, x, list);
}

/// Random, without mean: from a hash of the row.
RCP<MultiVector> without_mean(RCP<Map const> const& map) {
  auto const b = waves(map);
  double const n = static_cast<double>(map->getGlobalNumElements());
  MultiVector one(map, 1);
  one.putScalar(1);
  b->update(-dot(*b, one) / n, one, 1);
  return b;
}

TEST(Status, ConvergedHasNoReasonButABackwardError) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  for (auto const& solver : solvers) {
    MultiVector x(A->getRowMap(), 1);
    auto const report = solve(A, *b, x, list_for(solver, "Tessera"));
    EXPECT_TRUE(report.converged);
    EXPECT_EQ(report.status, SolveStatus::converged);
    EXPECT_EQ(report.reason, "");
    EXPECT_GT(report.roundingLevel, 1e-17);
    EXPECT_LT(report.roundingLevel, 1e-13);
    double const eps = std::numeric_limits<double>::epsilon();
    EXPECT_NEAR(report.backwardError / eps, report.relativeResidual / report.roundingLevel,
                1e-6 * report.backwardError / eps);
  }
}

TEST(Status, TheRoundingLevelIsOneOfItsOwn) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  for (auto const& solver : solvers) {
    for (auto const& preconditioner : preconditioners) {
      MultiVector x(A->getRowMap(), 1);
      auto const report = solve(A, *b, x, list_for(solver, preconditioner, 1e-17));
      EXPECT_FALSE(report.converged);
      EXPECT_EQ(report.status, SolveStatus::roundingLevel) << solver << report.reason;
      EXPECT_STREQ(name(report.status), "rounding level");
      EXPECT_EQ(report.reason.find("reached the rounding level"), 0u) << report.reason;
      EXPECT_NE(report.reason.find("asked for 1e-17; backward error"), std::string::npos) << report.reason;
      EXPECT_LT(report.relativeResidual, 16 * report.roundingLevel);
      if (solver == "TESSERA CG") {
        EXPECT_LT(report.iterations, preconditioner == "None" ? 300 : 70);
      }
    }
  }
}

TEST(Status, ASingularSystemIsNamedWhereItsRightHandSideIsOutOfRange) {
  auto const A = neumann(scattered_map(side * side));
  for (auto const& solver : solvers) {
    for (auto const& preconditioner : preconditioners) {
      for (double const mean : {1.0, 1e-3}) {
        auto const b = without_mean(A->getRowMap());
        double const range = std::sqrt(dot(*b, *b));
        MultiVector one(A->getRowMap(), 1), x(A->getRowMap(), 1);
        one.putScalar(mean);
        b->update(1, one, 1);
        auto const report = solve(A, *b, x, list_for(solver, preconditioner));
        EXPECT_EQ(report.status, SolveStatus::notConverged) << solver << preconditioner << report.reason;
        EXPECT_NE(report.reason.find("the matrix is singular"), std::string::npos)
            << solver << preconditioner << report.reason;
        char share[64];
        std::snprintf(share, sizeof share, "%.3g %% of the right-hand side",
                      100 * mean * side / std::hypot(mean * side, range));
        EXPECT_NE(report.reason.find(share), std::string::npos) << report.reason << share;
        if (preconditioner == "Tessera") {  // whose near-nullspace Belos' managers are spared with
          EXPECT_LE(report.iterations, solver == "TESSERA CG" ? 30 : 0);
        }
      }
    }
  }
}

TEST(Status, AConsistentSingularSystemConverges) {
  auto const A = neumann(scattered_map(side * side));
  auto const b = without_mean(A->getRowMap());
  for (auto const& solver : solvers) {
    for (auto const& preconditioner : preconditioners) {
      MultiVector x(A->getRowMap(), 1);
      auto const report = solve(A, *b, x, list_for(solver, preconditioner));
      EXPECT_TRUE(report.converged) << solver << preconditioner << report.reason;
    }
  }
}

TEST(Status, ABreakdownHasItsReason) {
  auto const A = laplacian(uniform_map(side * side), side, 1, -0.3);  // eigenvalues of both signs
  auto const b = waves(A->getRowMap());
  for (auto const& solver : solvers) {
    MultiVector x(A->getRowMap(), 1);
    auto const report = solve(A, *b, x, list_for(solver, "None"));
    EXPECT_EQ(report.status, SolveStatus::breakdown) << solver;
    EXPECT_NE(report.reason.find("positive"), std::string::npos) << report.reason;
    EXPECT_EQ(report.reason.find("Throw"), std::string::npos) << report.reason;
    EXPECT_EQ(report.reason.find("symmetric"), std::string::npos) << report.reason;
  }
}

TEST(Status, AMatrixThatIsNotSymmetricIsNamedWhenASolveFails) {
  auto const A = neumann(scattered_map(side * side), -0.2);
  auto const b = waves(A->getRowMap());
  for (auto const& solver : solvers) {
    MultiVector x(A->getRowMap(), 1);
    auto const report = solve(A, *b, x, list_for(solver, "None", 1e-10, 60));
    EXPECT_FALSE(report.converged) << solver;
    EXPECT_NE(report.reason.find("the matrix is not symmetric: a("), std::string::npos) << report.reason;
  }
  MultiVector x(A->getRowMap(), 1);
  auto const report = solve(A, *b, x, list_for("Block GMRES", "None", 1e-8));
  EXPECT_TRUE(report.converged);
  EXPECT_EQ(report.reason, "");
}

TEST(Status, RightHandSidesThatCannotBeSquaredAreScaled) {
  auto const A = laplacian(scattered_map(side * side), side);
  for (auto const& solver : solvers) {
    for (auto const& preconditioner : preconditioners) {
      MultiVector unit(A->getRowMap(), 2);
      auto const b = waves(A->getRowMap(), 2);
      auto const expected = solve(A, *b, unit, list_for(solver, preconditioner));
      for (int const exponent : {-700, 700, 150, -100}) {
        MultiVector x(A->getRowMap(), 2), scaled(*b, Teuchos::Copy);
        scaled.scale(std::ldexp(1.0, exponent));
        auto const report = solve(A, scaled, x, list_for(solver, preconditioner));
        EXPECT_TRUE(report.converged) << solver << preconditioner << exponent << report.reason;
        EXPECT_EQ(report.iterations, expected.iterations);
        x.scale(std::ldexp(1.0, -exponent));
        EXPECT_EQ(values(x), values(unit)) << solver << preconditioner << exponent;
      }
    }
  }
}

TEST(Status, TooFewIterationsAreSaidInNumbers) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  for (auto const& solver : solvers) {
    MultiVector x(A->getRowMap(), 1);
    auto const report = solve(A, *b, x, list_for(solver, "None", 1e-8, 7));
    EXPECT_EQ(report.status, SolveStatus::notConverged);
    EXPECT_EQ(report.iterations, 7);
    EXPECT_EQ(report.reason, "the largest number of iterations, 7, was reached");
  }
}

}  // namespace
}  // namespace Tessera::test
