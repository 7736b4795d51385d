// Floating components that carry a load: every method reports them, and names one.
#include "belos/nullspace.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "Tessera_ReadXml.hpp"
#include "Tessera_Solve.hpp"
#include "core/hash.hpp"
#include "ifpack2/problems.hpp"

namespace Tessera::test {
namespace {

struct Network {
  RCP<CrsMatrix> A;
  RCP<MultiVector> b;
};

/// weight(i, j), i < j: of the edge between both, 0 if there is none; held(i): coupling of a row to the
/// ground.
Network network(long long n, std::function<double(long long, long long)> const& weight,
                std::function<double(long long)> const& held, std::function<double(long long)> const& load) {
  auto const map = scattered_map(n);
  Network made{rcp(new CrsMatrix(map, 8)), rcp(new MultiVector(map, 1))};
  for (int local = 0; map->isNodeLocalElement(local); ++local) {
    long long const i = map->getGlobalElement(local);
    double diagonal = held(i);
    for (long long j = 0; j < n; ++j) {
      double const w = i == j ? 0 : weight(std::min(i, j), std::max(i, j)), coupling = -w;
      if (w == 0) continue;
      diagonal += w;
      made.A->insertGlobalValues(i, 1, &coupling, &j);
    }
    made.A->insertGlobalValues(i, 1, &diagonal, &i);
    made.b->replaceLocalValue(local, 0, load(i));
  }
  made.A->fillComplete();
  return made;
}

/// The 5-point stencil on 3 x 3 points, and a floating pair with a small load.
Network stencil_and_pair() {
  auto const weight = [](long long i, long long j) {
    if (i >= 9) return 1.0;
    return j < 9 && (j == i + 3 || (j == i + 1 && j % 3 != 0)) ? 1.0 : 0.0;
  };
  auto const held = [&](long long i) {
    double sum = i < 9 ? 4 : 0;
    for (long long j = 0; j < 9 && i < 9; ++j) sum -= weight(std::min(i, j), std::max(i, j));
    return sum;
  };
  return network(11, weight, held, [](long long i) { return i < 9 ? 1.0 : 1e-3; });
}

constexpr long long grid = 24, strap = 12, strap_begin = 100;

/// A power grid of grid x grid nodes with pads at two corners, and a strap of `strap` nodes that no via
/// connects to it. All nodes carry loads.
Network grid_with_strap() {
  auto const in_strap = [](long long i) { return i >= strap_begin && i < strap_begin + strap; };
  auto const node = [](long long i) { return i < strap_begin ? i : i - strap; };
  auto const weight = [=](long long i, long long j) {
    if (in_strap(i) != in_strap(j)) return 0.0;
    double const w = 0.05 * (1 + core::uniform(i * 1000 + j, 1));
    if (in_strap(i)) return j == i + 1 ? w : 0.0;
    long long const v = node(i), u = node(j);
    return u == v + grid ? 40 * w : u == v + 1 && u % grid != 0 ? w : 0.0;
  };
  auto const held = [](long long i) { return i == 0 || i == grid * grid + strap - 1 ? 100.0 : 0.0; };
  return network(grid * grid + strap, weight, held,
                 [=](long long i) { return -1e-3 * (1 + core::uniform(i, 2)); });
}

/// The presets whose preconditioner is Tessera's: file and list.
std::vector<std::pair<std::string, RCP<Teuchos::ParameterList>>> presets() {
  std::vector<std::pair<std::string, RCP<Teuchos::ParameterList>>> all;
  for (auto const& file : std::filesystem::directory_iterator(TESSERA_XML)) {
    auto const list = readXml(file.path().string(), *world());
    if (list->get<std::string>("Preconditioner Type") != "Tessera") continue;
    list->sublist("Preconditioner Types").sublist("Tessera").set("backend: type", "host");
    all.emplace_back(file.path().filename().string(), list);
  }
  return all;
}

void expect_named(Network const& system, std::string const& component, double share) {
  char percent[32];
  std::snprintf(percent, sizeof percent, "%.3g %%", 100 * share);
  auto const expected = "the matrix is singular, and " + std::string(percent) +
                        " of the right-hand side lies in its nullspace, where no solution reaches: the "
                        "component of " +
                        component + ", floats";
  auto const expect = [&](std::string const& name, Teuchos::ParameterList& list) {
    MultiVector x(system.A->getRowMap(), 1);
    auto const report = Tessera::solve(system.A, *system.b, x, list);
    EXPECT_EQ(report.status, SolveStatus::notConverged) << name;
    EXPECT_NE(report.reason.find(expected), std::string::npos) << name << ": " << report.reason;
    EXPECT_NE(report.reason.find("; rows count from 0"), std::string::npos) << name << ": " << report.reason;
    EXPECT_EQ(report.reason.find("precision: hierarchy"), std::string::npos) << name << ": " << report.reason;
  };
  for (auto const& [name, list] : presets()) expect(name, *list);
  for (std::string const solver : {"TESSERA CG", "TESSERA FLEXIBLE CG", "Pseudo Block CG", "Block GMRES"}) {
    Teuchos::ParameterList list("Stratimikos");
    list.set("Preconditioner Type", "None");
    list.sublist("Linear Solver Types").sublist("Belos").set("Solver Type", solver);
    expect(solver, list);
  }
}

TEST(FloatingLoad, OfAFloatingPairIsNamedByAllMethods) {
  auto const system = stencil_and_pair();
  expect_named(system, "row 9, of 2 rows", std::sqrt(2e-6 / (9 + 2e-6)));
}

TEST(FloatingLoad, OfAStrapIsNamedByAllMethods) {
  auto const system = grid_with_strap();
  double sum = 0;
  for (long long i = strap_begin; i < strap_begin + strap; ++i) sum += 1e-3 * (1 + core::uniform(i, 2));
  expect_named(system, "row 100, of 12 rows", sum / std::sqrt(strap * dot(*system.b, *system.b)));
}

TEST(FloatingLoad, OfSeveralComponentsIsThatOfTheLargestWithTheirNumber) {
  // Pairs 0-1, 2-3, 4-5, 6-7; the second is grounded, the last one has nearly no load.
  auto const weight = [](long long i, long long j) { return i % 2 == 0 && j == i + 1 ? 0.3 : 0.0; };
  auto const system = network(
      8, weight, [](long long i) { return i == 2 ? 1.0 : 0.0; },
      [](long long i) {
        return i < 2 ? 1.0 : i < 4 ? 9.0 : i < 6 ? 2.0 : 1e-12;
      });
  auto const load = belos::floating_load(*system.A, Teuchos::null, *system.b, 1e-8);
  EXPECT_EQ(load.row, 4);
  EXPECT_EQ(load.rows, 2);
  EXPECT_EQ(load.others, 1);
  EXPECT_NEAR(load.share, std::sqrt((2.0 + 8.0) / (2 + 162 + 8)), 1e-14);
  EXPECT_NE(belos::text_of(load).find("the component of row 4, of 2 rows, floats, and so does 1 other"),
            std::string::npos)
      << belos::text_of(load);
}

TEST(FloatingLoad, IsZeroIfTheLoadsOfAComponentBalance) {
  auto const weight = [](long long i, long long j) { return j == i + 1 && j != 5 ? 0.3 : 0.0; };
  auto const system = network(
      10, weight, [](long long i) { return i == 0 ? 1.0 : 0.0; },
      [](long long i) { return i == 5   ? 1.0
                               : i == 9 ? -1.0
                                        : 0.5 * (i < 5); });
  EXPECT_EQ(belos::floating_load(*system.A, Teuchos::null, *system.b, 1e-8).share, 0);
}

}  // namespace
}  // namespace Tessera::test
