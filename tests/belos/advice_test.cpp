// The advice that a solve adds to its result.
#include <gtest/gtest.h>

#include <cmath>

#include "Tessera_Solve.hpp"
#include "ifpack2/problems.hpp"
#include "neumann.hpp"

namespace Tessera::test {
namespace {

constexpr int side = 30;
constexpr long long nodes = side * side;

/// Two squares of `nodes` points with Dirichlet boundaries. d(i): scales row and column i; spring(i, j):
/// weight of a further coupling; ground(i): added to the diagonal.
template <class Scale, class Spring, class Ground>
RCP<CrsMatrix> two_squares(Scale const& d, Spring const& spring, Ground const& ground) {
  auto const map = scattered_map(2 * nodes);
  auto const A = rcp(new CrsMatrix(map, 6));
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const row = map->getGlobalElement(local), i = row % side, j = row % nodes / side;
    auto const add = [&](long long column, double value) {
      double const scaled = d(row) * d(column) * value;
      A->insertGlobalValues(row, 1, &scaled, &column);
    };
    add(row, 4 + ground(row));
    if (i > 0) add(row - 1, -1);
    if (i + 1 < side) add(row + 1, -1);
    if (j > 0) add(row - side, -1);
    if (j + 1 < side) add(row + side, -1);
    for (long long const other : {row - side, row + side}) {
      bool const inside = 0 <= other && other < 2 * nodes && other / nodes != row / nodes;
      double const k = inside ? spring(row, other) : 0;
      if (k == 0) continue;
      add(row, k);
      add(other, -k);
    }
  }
  A->fillComplete();
  return A;
}

double none(long long) {
  return 0;
}
double no_spring(long long, long long) {
  return 0;
}
double one(long long) {
  return 1;
}

/// The reason after two iterations, which are too few.
std::string reason(RCP<CrsMatrix> const& A, std::string const& precision = "float",
                   std::string const& algorithm = "sa") {
  Teuchos::ParameterList list("Stratimikos");
  list.set("Preconditioner Type", "Tessera");
  auto& belos = list.sublist("Linear Solver Types").sublist("Belos");
  belos.set("Solver Type", "TESSERA CG");
  belos.sublist("Solver Types").sublist("TESSERA CG").set("Convergence Tolerance", 1e-13);
  belos.sublist("Solver Types").sublist("TESSERA CG").set("Maximum Iterations", 2);
  auto& own = list.sublist("Preconditioner Types").sublist("Tessera");
  own.set("backend: type", "host");
  own.set("precision: hierarchy", precision);
  own.set("multigrid algorithm", algorithm);
  if (algorithm != "fsai") own.set("coarse: max size", 50);
  MultiVector b(A->getRowMap(), 1), x(A->getRowMap(), 1);
  b.putScalar(1);
  auto const report = solve(A, b, x, list);
  EXPECT_EQ(report.status, SolveStatus::notConverged);
  return report.reason;
}

bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

TEST(Advice, PenaltiesThatTieBodiesGetAdvice) {
  auto const tied = two_squares(
      one, [](long long, long long) { return 1e6; }, none);
  auto const text = reason(tied);
  EXPECT_TRUE(has(text, "60 of 1800 rows couple ")) << text;
  EXPECT_TRUE(has(text, "fsai_adaptive.xml")) << text;
  EXPECT_FALSE(has(text, "precision: hierarchy")) << text;
  auto const of_inverse = reason(tied, "float", "fsai");
  EXPECT_FALSE(has(of_inverse, "penalties")) << of_inverse;
}

TEST(Advice, PenaltiesThatTieNoBodiesGetNoAdvice) {
  auto const plain = two_squares(one, no_spring, none);
  auto const held = two_squares(one, no_spring, [](long long i) { return i < side ? 1e8 : 0.0; });
  auto const graded =
      two_squares([](long long i) { return std::exp2(15.0 * i / (2.0 * nodes)); }, no_spring, none);
  for (auto const& A : {plain, held, graded}) {
    auto const text = reason(A);
    EXPECT_FALSE(has(text, "penalties")) << text;
  }
}

/// Neumann boundaries with a shift of the diagonal: x is nearly constant.
RCP<CrsMatrix> nearly_singular(double shift) {
  auto const A = neumann_laplacian(scattered_map(nodes), side);
  A->resumeFill();
  for (int i = 0; A->getRowMap()->isNodeLocalElement(i); ++i) {
    long long const row = A->getRowMap()->getGlobalElement(i);
    A->sumIntoGlobalValues(row, 1, &shift, &row);
  }
  A->fillComplete();
  return A;
}

TEST(Advice, DoubleIsAdvisedOnlyIfFloatDoesNotResolveA) {
  std::string const advice = "`precision: hierarchy` = double may help";
  auto const lost = nearly_singular(1e-12), known = nearly_singular(0x1p-18);
  EXPECT_TRUE(has(reason(lost), advice)) << reason(lost);
  EXPECT_FALSE(has(reason(lost, "double"), advice)) << reason(lost, "double");
  EXPECT_FALSE(has(reason(known), advice)) << reason(known);
}

}  // namespace
}  // namespace Tessera::test
