#include <gtest/gtest.h>

#include <Tpetra_Core.hpp>
#include <algorithm>
#include <cmath>
#include <set>

#include "cli/measure.hpp"

namespace Tessera::cli {
namespace {

/// nx x ny x nz points, x fastest, at distance 1, in z at distance z_step.
Points grid(int nx, int ny, int nz, double z_step = 1) {
  Points points;
  points.dimension = 3;
  for (int z = 0; z < nz; ++z)
    for (int y = 0; y < ny; ++y)
      for (int x = 0; x < nx; ++x)
        for (double const c : {1.0 * x, 1.0 * y, z * z_step}) points.coordinates.push_back(c);
  return points;
}

TEST(DrawnNodes, AreAllIfThereAreFewInAPlane) {
  auto const drawn = drawn_nodes(grid(5, 4, 1), 100);
  EXPECT_EQ(drawn.description, "All 20 nodes");
  ASSERT_EQ(drawn.node.size(), 20u);
  EXPECT_EQ(drawn.node[7], 7);
  EXPECT_EQ(drawn.x[7], 2);
  EXPECT_EQ(drawn.y[7], 1);
}

TEST(DrawnNodes, OfABoxAreOneLayerAcrossTheShortestAxis) {
  auto const drawn = drawn_nodes(grid(7, 8, 4), 100);
  ASSERT_EQ(drawn.node.size(), 56u);
  for (int const v : drawn.node) EXPECT_EQ(v / 56, 1);  // of the two next to the middle the lower
  EXPECT_NE(drawn.description.find("56 of 224 nodes: a slice at z = 1, "), std::string::npos)
      << drawn.description;
  auto const other = drawn_nodes(grid(4, 8, 7), 100);
  ASSERT_EQ(other.node.size(), 56u);
  for (int const v : other.node) EXPECT_EQ(v % 4, 1);
  EXPECT_NE(other.description.find("a slice at x = 1, "), std::string::npos) << other.description;
}

TEST(DrawnNodes, OfManyAreASquareAroundTheMiddle) {
  auto const drawn = drawn_nodes(grid(101, 101, 1), 450);
  EXPECT_EQ(drawn.node.size(), 441u);  // 21 x 21
  EXPECT_TRUE(std::is_sorted(drawn.node.begin(), drawn.node.end()));
  EXPECT_EQ(*std::min_element(drawn.x.begin(), drawn.x.end()), 40);
  EXPECT_EQ(*std::max_element(drawn.y.begin(), drawn.y.end()), 60);
  EXPECT_EQ(drawn.description, "441 of 10201 nodes: a window around the middle");
}

TEST(DrawnNodes, OnALineAndInAPointAreDrawnToo) {
  auto const line = drawn_nodes(grid(1, 6, 1), 4);
  EXPECT_EQ(line.node.size(), 4u);
  EXPECT_EQ(std::set<double>(line.y.begin(), line.y.end()), std::set<double>{0});
  Points same = grid(1, 1, 1);
  for (int k = 0; k < 8; ++k) same.coordinates.push_back(0);
  same.coordinates.push_back(0);
  EXPECT_EQ(drawn_nodes(same, 2).node.size(), 2u);
}

Choice list_of(Teuchos::ParameterList const& parameters) {
  Choice one;
  one.file = "ours.xml";
  one.preconditioner = "Tessera";
  one.parameters = parameters;
  return one;
}

WinnerAtNodes winner_of(LinearSystem const& system, Teuchos::ParameterList const& parameters,
                        SolveStatus status = SolveStatus::converged) {
  auto const list = list_of(parameters);
  Measurement one;
  one.list = list;
  one.preconditioner = "Tessera";
  one.setup = one.solve = {1.0};
  one.result.status = status;
  return winner_at_nodes(system, {list}, {one});
}

/// On n x n points at distance 1, x fastest.
LinearSystem laplace(int n) {
  ProblemOptions problem;
  problem.name = "Laplace2D";
  problem.values = {{"nx", n}, {"ny", n}};
  auto system = make_system(problem, 1, Tpetra::getDefaultComm());
  auto const map = system.data.matrix->getRowMap();
  system.data.coordinates = Teuchos::rcp(new baselines::MultiVector(map, 2));
  for (std::size_t i = 0; i < system.data.coordinates->getLocalLength(); ++i) {
    auto const row = static_cast<int>(i);
    auto const v = map->getGlobalElement(row);
    system.data.coordinates->replaceLocalValue(row, 0, static_cast<double>(v % n));
    system.data.coordinates->replaceLocalValue(row, 1, static_cast<double>(v / n));
  }
  return system;
}

bool is_root() {
  return Tpetra::getDefaultComm()->getRank() == 0;
}

/// One level with a smoother: the slowest error is the first eigenvector of the matrix, a product of sines.
TEST(Winner, TheSlowestErrorOfASmootherIsTheSmoothestOne) {
  int const n = 12;
  Teuchos::ParameterList list;
  list.set("max levels", 1);
  list.set("coarse: type", "smoother");
  auto const winner = winner_of(laplace(n), list);
  EXPECT_EQ(winner.missing, "");
  EXPECT_EQ(winner.aggregates, 0);
  EXPECT_GT(winner.rate, 1e-3);
  EXPECT_LT(winner.rate, 1);
  if (!is_root()) return;
  ASSERT_EQ(winner.error.size(), static_cast<std::size_t>(n * n));
  EXPECT_TRUE(winner.has_sign);
  double const pi = std::acos(-1.0), middle = winner.error[n / 2 * n + n / 2];
  auto const sine = [&](int k) {
    return std::sin(pi * (k + 1) / (n + 1)) / std::sin(pi * (n / 2 + 1) / (n + 1));
  };
  for (int i = 0; i < n * n; ++i) EXPECT_NEAR(winner.error[i] / middle, sine(i % n) * sine(i / n), 1e-2) << i;
}

TEST(Winner, AggregatesAndCouplingsAreThoseOfTheDrawnNodes) {
  int const n = 60;  // more than are drawn
  auto const winner = winner_of(laplace(n), {});
  EXPECT_GT(winner.aggregates, n * n / 20);
  if (!is_root()) return;
  auto const& node = winner.drawn.node;
  ASSERT_LE(node.size(), WinnerAtNodes::most_nodes);
  ASSERT_EQ(winner.aggregate.size(), node.size());
  auto const side = static_cast<int>(std::lround(std::sqrt(static_cast<double>(node.size()))));
  ASSERT_EQ(node.size(), static_cast<std::size_t>(side * side));
  EXPECT_EQ(winner.couplings.size(), static_cast<std::size_t>(2 * side * (side - 1)));
  for (auto const& [p, q] : winner.couplings) {
    int const apart = node[q] - node[p];
    EXPECT_TRUE(apart == 1 || apart == n) << node[p] << " " << node[q];
  }
}

TEST(Winner, WithoutCoordinatesOrConvergenceNothingIsDrawn) {
  auto system = laplace(6);
  system.data.coordinates = Teuchos::null;
  auto const without = winner_of(system, {});
  EXPECT_NE(winner_charts(without).find("no coordinates"), std::string::npos);
  EXPECT_EQ(winner_charts(winner_of(laplace(6), {}, SolveStatus::notConverged)), "");
  WinnerAtNodes exact;
  exact.list = "exact";
  EXPECT_NE(winner_charts(exact).find("nothing to draw"), std::string::npos);
}

TEST(Winner, AnotherSetupThatFailsIsReported) {
  Teuchos::ParameterList list;
  list.set("number of equations", 5);
  auto const winner = winner_of(laplace(6), list);
  EXPECT_NE(winner.missing.find("Another setup of the list failed"), std::string::npos);
  EXPECT_NE(winner_charts(winner).find("Another setup"), std::string::npos);
}

}  // namespace
}  // namespace Tessera::cli
