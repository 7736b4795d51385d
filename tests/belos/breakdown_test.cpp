// The operator that caused a breakdown, and the number of iterations before it.
#include <gtest/gtest.h>

#include <Teuchos_VerboseObject.hpp>
#include <functional>
#include <sstream>

#include "Tessera_Solve.hpp"
#include "belos/linear_solver.hpp"
#include "core/error.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {
namespace {

using belos::KrylovChoice;
using belos::SolveOutcome;

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

/// A preconditioner given by a function of the global row and of the residual's entry.
class Rowwise : public Tpetra::Operator<> {
 public:
  using Factor = std::function<double(long long)>;
  Rowwise(RCP<Map const> map, Factor factor) : map_(std::move(map)), factor_(std::move(factor)) {}
  RCP<Map const> getDomainMap() const override { return map_; }
  RCP<Map const> getRangeMap() const override { return map_; }
  void apply(MultiVector const& X, MultiVector& Y, Teuchos::ETransp, double, double) const override {
    for (std::size_t j = 0; j < X.getNumVectors(); ++j) {
      auto const from = X.getData(j);
      auto const to = Y.getDataNonConst(j);
      for (int i = 0; i < to.size(); ++i) to[i] = factor_(map_->getGlobalElement(i)) * from[i];
    }
  }

 private:
  RCP<Map const> map_;
  Factor factor_;
};

constexpr int side = 40;

SolveOutcome solved(RCP<RowMatrix const> const& A, RCP<Tpetra::Operator<> const> const& M, char const* solver,
                    int columns = 1, bool with_history = false) {
  KrylovChoice choice;
  choice.solver = solver;
  auto const b = waves(A->getRowMap(), columns), x = rcp(new MultiVector(A->getRowMap(), columns));
  return belos::solve(choice, A, M, b, x, with_history);
}

char const* const managers[] = {"Pseudo Block CG", "pseudo block cg", "TESSERA CG"};

TEST(Breakdown, APreconditionerThatIsNotDefiniteIsNamedByEveryManager) {
  auto const A = laplacian(uniform_map(side * side), side);
  // At once, and after some iterations.
  for (double const share : {0.0, 0.9}) {
    auto const M = rcp(new Rowwise(A->getRowMap(), [share](long long row) {
      return static_cast<double>(row % 100) < 100 * share ? 1.0 : -5.0;
    }));
    for (auto const* manager : managers) {
      for (int const columns : {1, 2}) {
        auto const outcome = solved(A, M, manager, columns);
        if (outcome.status != SolveStatus::breakdown) continue;  // some columns converge nevertheless
        EXPECT_TRUE(has(outcome.reason, "so the preconditioner is not positive definite"))
            << manager << outcome.reason;
        EXPECT_FALSE(has(outcome.reason, "matrix is not positive")) << manager << outcome.reason;
      }
    }
  }
  EXPECT_EQ(
      solved(A, rcp(new Rowwise(A->getRowMap(), [](long long) { return -1.0; })), "Pseudo Block CG").status,
      SolveStatus::breakdown);
}

TEST(Breakdown, AnIndefinitePreconditionerOfAListIsNotReportedAsTheMatrix) {
  auto const A = laplacian(uniform_map(side * side), side);
  for (double const eigenvalue : {1.0, 1.2}) {
    for (auto const* manager : {"Pseudo Block CG", "TESSERA CG"}) {
      Teuchos::ParameterList list("Stratimikos");
      list.set("Preconditioner Type", "Tessera");
      list.sublist("Linear Solver Types").sublist("Belos").set("Solver Type", manager);
      auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
      own.set("backend: type", "host").set("verbosity", "none");
      own.set("coarse: max size", 50).set("sa: max eigenvalue", eigenvalue);
      auto const b = waves(A->getRowMap());
      MultiVector x(A->getRowMap(), 1);
      auto const report = Tessera::solve(A, *b, x, list);
      EXPECT_FALSE(has(report.reason, "matrix is not positive")) << manager << eigenvalue << report.reason;
      EXPECT_EQ(report.status, SolveStatus::breakdown) << manager << eigenvalue << report.reason;
      EXPECT_TRUE(has(report.reason, "preconditioner is not")) << manager << report.reason;
    }
  }
}

TEST(Breakdown, AnIndefiniteMatrixIsNamedWithADefinitePreconditioner) {
  auto const A = laplacian(uniform_map(side * side), side, 1, -0.3);
  auto const M = rcp(new Rowwise(A->getRowMap(), [](long long row) { return 1 + 0.1 * (row % 3); }));
  for (auto const* manager : managers) {
    for (RCP<Tpetra::Operator<> const> const& one :
         {RCP<Tpetra::Operator<> const>(M), RCP<Tpetra::Operator<> const>()}) {
      auto const outcome = solved(A, one, manager);
      EXPECT_EQ(outcome.status, SolveStatus::breakdown) << manager;
      EXPECT_TRUE(has(outcome.reason, "matrix")) << manager << outcome.reason;
      EXPECT_FALSE(has(outcome.reason, "so the preconditioner")) << manager << outcome.reason;
    }
  }
}

TEST(Breakdown, IterationsBeforeABreakdownAreCounted) {
  auto const A = laplacian(uniform_map(side * side), side, 1, -0.3);
  int const ours = solved(A, Teuchos::null, "TESSERA CG").iterations;
  EXPECT_GT(ours, 1);
  for (auto const* manager : {"Pseudo Block CG", "CG"}) {
    auto const outcome = solved(A, Teuchos::null, manager, 1, true);
    EXPECT_EQ(outcome.status, SolveStatus::breakdown) << manager;
    EXPECT_EQ(outcome.iterations, ours) << manager;
    if (world()->getRank() == 0) {
      EXPECT_EQ(outcome.history.back().first, outcome.iterations);
    }
  }
}

/// Upwinding: the coupling to the previous row is larger by the factor 1 + wind.
RCP<CrsMatrix> convection(RCP<Map const> const& map, double wind) {
  auto const A = rcp(new CrsMatrix(map, 5));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row / side;
    auto const couple = [&](bool inside, long long column, double value) {
      if (inside) A->insertGlobalValues(row, 1, &value, &column);
    };
    couple(true, row, 4 + 2 * wind);
    couple(i > 0, row - 1, -1 - wind);
    couple(i + 1 < side, row + 1, -1);
    couple(j > 0, row - side, -1 - wind);
    couple(j + 1 < side, row + side, -1);
  }
  A->fillComplete();
  return A;
}

/// A list of Tessera's, to at most 30 iterations.
Teuchos::ParameterList list_of(char const* algorithm, char const* solver, char const* verbosity = "none") {
  Teuchos::ParameterList list("Stratimikos");
  list.set("Preconditioner Type", "Tessera");
  auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", solver);
  belos.sublist("Solver Types").sublist(solver).set("Maximum Iterations", 30);
  auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
  own.set("multigrid algorithm", algorithm).set("backend: type", "host").set("verbosity", verbosity);
  if (algorithm != std::string("fsai")) own.set("coarse: max size", 50);
  return list;
}

TEST(Breakdown, AnUnsymmetricMatrixIsNamedInEveryFailure) {
  auto const A = convection(uniform_map(side * side), 100);
  auto const b = waves(A->getRowMap());
  for (auto const* algorithm : {"sa", "unsmoothed", "matching", "fsai"}) {
    MultiVector x(A->getRowMap(), 1);
    auto list = list_of(algorithm, "Pseudo Block CG");
    std::string said;
    try {
      said = Tessera::solve(A, *b, x, list).reason;
    } catch (core::NumericalError const& error) {  // in the setup
      said = error.what();
    }
    EXPECT_TRUE(has(said, "the matrix is not symmetric: a(")) << algorithm << said;
    EXPECT_TRUE(has(said, "; rows count from 0")) << algorithm << said;
  }
}

TEST(Breakdown, FsaiWarnsOfAnUnsymmetricMatrixBeforeItsFirstIteration) {
  auto const A = convection(uniform_map(side * side), 0.3);
  auto const printed = [](RCP<CrsMatrix> const& matrix, char const* verbosity) {
    auto list = list_of("fsai", "Pseudo Block CG", verbosity);
    std::ostringstream text;
    auto const before = Teuchos::VerboseObjectBase::getDefaultOStream();
    Teuchos::VerboseObjectBase::setDefaultOStream(
        Teuchos::fancyOStream(Teuchos::rcpFromRef<std::ostream>(text)));
    auto const b = waves(matrix->getRowMap());
    MultiVector x(matrix->getRowMap(), 1);
    Tessera::solve(matrix, *b, x, list);
    Teuchos::VerboseObjectBase::setDefaultOStream(before);
    return text.str();
  };
  auto const said = printed(A, "low");
  if (world()->getRank() == 0) {
    EXPECT_TRUE(has(said, "Tessera: warning: the matrix is not symmetric: a(")) << said;
    EXPECT_TRUE(has(said, "take GMRES")) << said;
  }
  EXPECT_EQ(printed(A, "none"), "");
  EXPECT_EQ(printed(laplacian(A->getRowMap(), side), "low"), "");
}

TEST(Breakdown, AKCycleIsNamedWithASolverThatNeedsALinearPreconditioner) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const b = waves(A->getRowMap());
  for (auto const* solver : {"Block GMRES", "TESSERA FLEXIBLE CG"}) {
    auto list = list_of("unsmoothed", solver);
    list.sublist("Linear Solver Types")
        .sublist("Belos")
        .sublist("Solver Types")
        .sublist(solver)
        .set("Maximum Iterations", 2);
    MultiVector x(A->getRowMap(), 1);
    auto const report = Tessera::solve(A, *b, x, list);
    ASSERT_FALSE(report.converged);
    EXPECT_EQ(has(report.reason, "K-cycle is not linear"), solver == std::string("Block GMRES"))
        << report.reason;
    list.sublist("Preconditioner Types").sublist("Tessera").set("cycle type", "V");
    auto const linear = Tessera::solve(A, *b, x, list);
    EXPECT_FALSE(has(linear.reason, "cycle")) << linear.reason;
  }
}

TEST(Breakdown, MatricesOfOtherShapesAreRefusedWithTheirKind) {
  auto const map = uniform_map(12), narrow = uniform_map(5);
  auto const A = rcp(new CrsMatrix(map, 1));
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    long long const row = map->getGlobalElement(i), column = row % 5;
    double const one = 1;
    A->insertGlobalValues(row, 1, &one, &column);
  }
  A->fillComplete(narrow, map);
  auto const b = waves(map);
  MultiVector x(narrow, 1);
  auto list = list_of("sa", "Pseudo Block CG");
  try {
    Tessera::solve(A, *b, x, list);
    FAIL() << "not refused";
  } catch (core::InvalidInput const& error) {
    EXPECT_TRUE(has(error.what(), "Tessera::solve: the matrix is rectangular, 12 x 5")) << error.what();
  }
}

}  // namespace
}  // namespace Tessera::test
