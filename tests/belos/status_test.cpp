#include <gtest/gtest.h>

#include <map>

#include "Tessera_Factory.hpp"
#include "Tessera_Solve.hpp"
#include "belos/diagnosis.hpp"
#include "core/hash.hpp"
#include "ifpack2/problems.hpp"
#include "neumann.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 30;
using Preconditioner = Ifpack2::Preconditioner<double, int, long long>;

/// The 5-point Laplacian with Neumann boundaries: rows sum to zero. lower: the entries below the diagonal.
RCP<CrsMatrix> neumann(RCP<Map const> const& map, double lower = -1) {
  return neumann_laplacian(map, side, lower);
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

/// Random numbers from a hash of the row, with zero mean.
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

TEST(Status, TheRoundingLevelIsAStatusOfItsOwn) {
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
      EXPECT_LE(report.relativeResidual, report.roundingLevel);
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
        if (preconditioner == "Tessera") {  // its near-nullspace is checked before Belos' managers run
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

TEST(Status, RightHandSidesThatOverflowWhenSquaredAreScaled) {
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

TEST(Status, ASolutionThatDoubleCannotHoldIsNoConvergence) {
  auto const A = laplacian(scattered_map(side * side), side, 1e-3);
  for (auto const& solver : solvers) {
    for (auto const& preconditioner : preconditioners) {
      MultiVector x(A->getRowMap(), 1), b(A->getRowMap(), 1);
      b.putScalar(1e308);
      auto const report = solve(A, b, x, list_for(solver, preconditioner));
      EXPECT_EQ(report.status, SolveStatus::notConverged) << solver << preconditioner << report.reason;
      EXPECT_NE(report.reason.find("too large or too small for double precision"), std::string::npos)
          << report.reason;
    }
  }
}

TEST(Status, TheSmallestRightHandSidesAreSolvedToo) {
  auto const A = laplacian(scattered_map(side * side), side);
  for (auto const& solver : solvers) {
    for (double const b_i : {1e-300, 1e-310}) {
      MultiVector x(A->getRowMap(), 1), one(A->getRowMap(), 1), b(A->getRowMap(), 1);
      one.putScalar(1);
      b.putScalar(b_i);
      auto const report = solve(A, b, x, list_for(solver, "Tessera"));
      EXPECT_TRUE(report.converged) << solver << b_i << report.reason;
      EXPECT_GT(dot(x, one), 0);  // no NaN
    }
  }
}

/// A penalty fixes u = 1 in every 100th row of the Laplacian. The exact x is 1 everywhere.
struct Held {
  RCP<CrsMatrix> A;
  RCP<MultiVector> b;
  explicit Held(double penalty) : A(laplacian(scattered_map(side * side), side)) {
    auto const map = A->getRowMap();
    auto const copy = rcp(new CrsMatrix(*A, Teuchos::Copy));
    copy->resumeFill();
    for (int i = 0; map->isNodeLocalElement(i); ++i) {
      long long const row = map->getGlobalElement(i);
      if (row % 100 == 0) copy->sumIntoGlobalValues(row, 1, &penalty, &row);
    }
    copy->fillComplete();
    A = copy;
    MultiVector one(map, 1);
    one.putScalar(1);
    b = rcp(new MultiVector(map, 1));
    A->apply(one, *b);
  }
  double error(MultiVector const& x) const {
    MultiVector off(A->getRowMap(), 1);
    off.putScalar(-1);
    off.update(1, x, 1);
    return off.getVector(0)->normInf();
  }
};

TEST(Status, PenaltiesThatHideOtherRowsAreWarnedOf) {
  Held const held(1e12);
  for (auto const& solver : solvers) {
    MultiVector x(held.A->getRowMap(), 1);
    auto const report = solve(held.A, *held.b, x, list_for(solver, "Tessera"));
    EXPECT_TRUE(report.converged);
    EXPECT_GT(held.error(x), 0.01);
    EXPECT_GT(report.rowError, 1e-4);
    ASSERT_EQ(report.warnings.size(), 1u) << solver;
    EXPECT_EQ(report.warnings[0].find(
                  "9 of 900 rows, with large diagonal entries as penalties have them, hold all but"),
              0u)
        << report.warnings[0];
    EXPECT_NE(report.warnings[0].find("`stopping: test` to row-wise"), std::string::npos);
  }
  auto const A = laplacian(scattered_map(side * side), side);
  MultiVector x(A->getRowMap(), 1);
  EXPECT_TRUE(solve(A, *waves(A->getRowMap()), x, list_for("TESSERA CG", "Tessera")).warnings.empty());
}

TEST(Status, PenaltiesWithTheWholeLoadAreReported) {
  Held const held(1e12);
  auto const map = held.A->getRowMap();
  MultiVector b(map, 1), x(map, 1);
  for (int i = 0; map->isNodeLocalElement(i); ++i)
    if (map->getGlobalElement(i) % 100 == 0) b.replaceLocalValue(i, 0, 1e12);
  auto const report = solve(held.A, b, x, list_for("TESSERA CG", "Tessera"));
  EXPECT_TRUE(report.converged);
  ASSERT_EQ(report.warnings.size(), 1u);
  EXPECT_NE(report.warnings[0].find("hold all of ||b||, so"), std::string::npos) << report.warnings[0];
}

// x decays within a few rows to far below the errors of other rows.
TEST(Status, PointSourcesAreNoPenalties) {
  auto const A = laplacian(scattered_map(side * side), side, 1, 2);
  auto const map = A->getRowMap();
  MultiVector b(map, 1), x(map, 1);
  for (int i = 0; map->isNodeLocalElement(i); ++i)
    if (map->getGlobalElement(i) < 2) b.replaceLocalValue(i, 0, 1.0);
  auto const report = solve(A, b, x, list_for("TESSERA CG", "Tessera"));
  EXPECT_TRUE(report.converged);
  EXPECT_GT(report.rowError, 1e-4) << "else nothing is tested";
  EXPECT_TRUE(report.warnings.empty()) << report.warnings[0];
}

// A = diag(1e6, 1, 1, ...), b = (5e-4, 1, 1, ...): the first step raises the first entry of r.
TEST(Status, AResidualThatGrowsUnderConjugateGradientsIsNoDivergence) {
  auto const map = uniform_map(2 * world()->getSize());
  auto const A = diagonal(map);
  MultiVector b(map, 1);
  b.putScalar(1e-3);
  b.replaceGlobalValue(1, 0, 1.0);
  double const large = 1e6;
  long long const first = 0;
  A->resumeFill();
  if (map->isNodeGlobalElement(first)) A->replaceGlobalValues(first, 1, &large, &first);
  A->fillComplete();
  for (auto const& solver : solvers) {
    MultiVector x(map, 1);
    auto const report = solve(A, b, x, list_for(solver, "None", 1e-8, 1));
    EXPECT_EQ(report.status, SolveStatus::notConverged) << solver;
    EXPECT_NE(report.reason.find("the largest number of iterations, 1, was reached; b - A x is "),
              std::string::npos)
        << solver << report.reason;
    EXPECT_NE(report.reason.find("as it may be under conjugate gradients while the error falls"),
              std::string::npos)
        << solver << report.reason;
    EXPECT_EQ(report.reason.find("Krylov"), std::string::npos) << solver << report.reason;
  }
  MultiVector x(map, 1);
  auto const report = solve(A, b, x, list_for("Fixed Point", "None", 1e-8, 5));
  EXPECT_NE(report.reason.find("the method diverges"), std::string::npos) << report.reason;
}

/// Weights up to 1e9 couple each node to 25 nodes of low index, and 0.01 couples it to the ground.
RCP<CrsMatrix> uneven_network(long long n, VertexId seed) {
  auto const unit = [](VertexId id, std::uint64_t round) { return 0.5 * (1 + core::uniform(id, round)); };
  std::map<std::pair<long long, long long>, double> entries;
  for (long long i = 0; i < n; ++i) entries[{i, i}] = 0.01;
  for (long long k = 0; k < 25 * n; ++k) {
    long long const i = k % n;
    auto const j = static_cast<long long>(std::pow(unit(k, 2 * seed), 3) * static_cast<double>(n));
    double const weight = std::pow(10.0, 9 * std::pow(unit(k, 2 * seed + 1), 4));
    if (i == j || entries.count({i, j}) > 0) continue;
    entries[{i, j}] = entries[{j, i}] = -weight;
    entries[{i, i}] += weight;
    entries[{j, j}] += weight;
  }
  auto const A = rcp(new CrsMatrix(uniform_map(n), static_cast<std::size_t>(n)));
  for (auto const& [at, value] : entries)
    if (A->getRowMap()->isNodeGlobalElement(at.first)) A->insertGlobalValues(at.first, 1, &value, &at.second);
  A->fillComplete();
  return A;
}

TEST(Status, TheRoundingLevelOfLongRowsIsOne) {
  for (VertexId seed = 0; seed < 4; ++seed) {
    auto const A = uneven_network(400, seed);
    MultiVector ones(A->getRowMap(), 1);
    ones.putScalar(1);
    for (auto const* solver : {"TESSERA CG", "Pseudo Block CG"}) {
      for (auto const* method : {"sa", "rootnode", "classical", "matching"}) {
        MultiVector x(A->getRowMap(), 1);
        auto list = list_for(solver, "Tessera");
        list.sublist("Preconditioner Types").sublist("Tessera").set("multigrid algorithm", method);
        auto const report = solve(A, ones, x, list);
        EXPECT_EQ(report.status, SolveStatus::roundingLevel) << seed << solver << method << report.reason;
        EXPECT_LE(report.backwardError, 1e-15) << seed << solver << method;
      }
    }
  }
}

TEST(Status, TheRowWiseTestIsMetInEveryRow) {
  for (double const penalty : {1e6, 1e12, 1e20, 1e27, 1e30}) {
    Held const held(penalty);
    for (auto const& solver : solvers) {
      MultiVector x(held.A->getRowMap(), 1);
      auto list = list_for(solver, "Tessera");
      auto& parameters =
          list.sublist("Linear Solver Types").sublist("Belos").sublist("Solver Types").sublist(solver);
      parameters.set<std::string>("stopping: test", "row-wise");
      auto const report = solve(held.A, *held.b, x, list);
      EXPECT_TRUE(report.converged) << solver << penalty << report.reason;
      EXPECT_LE(report.rowError, 1e-8);
      EXPECT_LT(held.error(x), 1e-5);
      EXPECT_LT(report.iterations, 100);
      EXPECT_TRUE(report.warnings.empty());
    }
  }
}

TEST(Status, TheAbsoluteTestIsMet) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  double const norm = std::sqrt(dot(*b, *b));
  for (auto const& solver : {"TESSERA CG", "Pseudo Block CG", "Block GMRES"}) {
    for (double const scale : {1.0, 0x1p-100}) {
      for (auto const* test : {"absolute", "either"}) {
        auto list = list_for(solver, "Tessera", 1e-13);
        auto& parameters =
            list.sublist("Linear Solver Types").sublist("Belos").sublist("Solver Types").sublist(solver);
        parameters.set<std::string>("stopping: test", test);
        parameters.set("stopping: absolute tolerance", 1e-5 * scale);
        MultiVector x(A->getRowMap(), 1), scaled(*b, Teuchos::Copy);
        scaled.scale(scale);
        auto const report = solve(A, scaled, x, list);
        EXPECT_TRUE(report.converged) << solver << test << report.reason;
        EXPECT_LE(report.relativeResidual * norm, 1.001e-5);
        EXPECT_GT(report.relativeResidual * norm, 1e-9);
      }
    }
  }
}

TEST(Status, ContradictoryStoppingParametersAreRefused) {
  auto const A = laplacian(scattered_map(side * side), side);
  auto const b = waves(A->getRowMap());
  auto const refused = [&](std::string const& solver, char const* test, double tolerance, char const* said) {
    auto list = list_for(solver, "Tessera");
    auto& parameters =
        list.sublist("Linear Solver Types").sublist("Belos").sublist("Solver Types").sublist(solver);
    parameters.set<std::string>("stopping: test", test);
    if (tolerance != 0) parameters.set("stopping: absolute tolerance", tolerance);
    MultiVector x(A->getRowMap(), 1);
    try {
      solve(A, *b, x, list);
      FAIL() << solver << test << tolerance;
    } catch (std::invalid_argument const& error) {
      EXPECT_NE(std::string(error.what()).find(said), std::string::npos) << error.what();
    }
  };
  for (auto const& solver : solvers) {
    refused(solver, "rowwise", 0, "did you mean \"row-wise\"");
    refused(solver, "absolute", 0, "needs a positive");
    refused(solver, "relative", 1e-3, "would have no effect");
    refused(solver, "either", -1, "not negative");
  }
  refused("Block GMRES", "row-wise", 0, "Block GMRES cannot be held to; take TESSERA CG");
}

/// Contrasts below the resolution of float: the warning names the parameter that helps.
TEST(Status, LevelsInFloatAreNamedIfTheyMayBeTheCause) {
  auto const A = neumann(scattered_map(side * side));
  auto const map = A->getRowMap();
  A->resumeFill();
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    long long const row = map->getGlobalElement(i);
    double const little = 1e-12;
    A->sumIntoGlobalValues(row, 1, &little, &row);
  }
  A->fillComplete();
  MultiVector b(map, 1);
  b.putScalar(1);
  for (auto const* precision : {"float", "double"}) {
    auto list = list_for("TESSERA CG", "Tessera", 1e-13, 2);
    list.sublist("Preconditioner Types")
        .sublist("Tessera")
        .set<std::string>("precision: hierarchy", precision);
    MultiVector x(map, 1);
    auto const report = solve(A, b, x, list);
    EXPECT_FALSE(report.converged);
    bool const said = report.reason.find("`precision: hierarchy` = double may help") != std::string::npos;
    EXPECT_EQ(said, std::string(precision) == "float") << report.reason;
  }
}

TEST(Status, ADivergenceIsNotTheRoundingLevel) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  for (int const iterations : {30, 1000}) {
    MultiVector x(A->getRowMap(), 1);
    auto const report = solve(A, *b, x, list_for("Fixed Point", "None", 1e-8, iterations));
    EXPECT_FALSE(report.converged);
    EXPECT_NE(report.status, SolveStatus::roundingLevel) << report.reason;
    EXPECT_EQ(report.reason.find("rounding"), std::string::npos) << report.reason;
  }
}

TEST(Status, TooFewIterationsAreReportedWithTheirNumber) {
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
