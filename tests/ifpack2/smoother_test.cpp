// Ifpack2's preconditioners as smoothers of our hierarchies.
#include <gtest/gtest.h>

#include <Ifpack2_Factory.hpp>
#include <cstdio>
#include <sstream>

#include "Tessera_CreateTpetraPreconditioner.hpp"
#include "core/error.hpp"
#include "gallery/problem.hpp"
#include "kinds.hpp"
#include "support/thrown.hpp"
#include "tpetra/types.hpp"

namespace Tessera::test {
namespace {

using Teuchos::ParameterList;

constexpr int side = 30;

struct Smoother {
  std::string name, type;
  ParameterList list;
  bool symmetric;
};

ParameterList relaxation(char const* type, int sweeps = 1) {
  ParameterList list;
  list.set<std::string>("relaxation: type", type).set("relaxation: sweeps", sweeps);
  return list;
}

ParameterList schwarz(char const* inner, int overlap, char const* combine, ParameterList const& of_inner) {
  ParameterList list;
  list.set<std::string>("schwarz: inner preconditioner name", inner);
  list.set("schwarz: overlap level", overlap);
  list.set<std::string>("schwarz: combine mode", combine);
  list.sublist("schwarz: inner preconditioner parameters").setParameters(of_inner);
  return list;
}

ParameterList with(char const* name, double value) {
  return ParameterList().set(name, value);
}

/// Blocks of four rows.
ParameterList blocks(RCP<Map const> const& map, char const* sweeps) {
  ParameterList list;
  list.set<std::string>("relaxation: type", sweeps).set<std::string>("partitioner: type", "linear");
  list.set("partitioner: local parts", std::max(1, static_cast<int>(tpetra::local_size(*map)) / 4));
  return list;
}

std::vector<Smoother> smoothers() {
  auto const map = uniform_map(side * side);
  ParameterList const ilu0 = with("fact: iluk level-of-fill", 0.0);
  return {
      {"Jacobi", "RELAXATION", relaxation("Jacobi").set("relaxation: damping factor", 0.6), true},
      {"symmetric Gauss-Seidel", "RELAXATION", relaxation("Symmetric Gauss-Seidel"), true},
      {"two symmetric sweeps", "RELAXATION", relaxation("Symmetric Gauss-Seidel", 2), true},
      {"Gauss-Seidel", "RELAXATION", relaxation("Gauss-Seidel"), false},
      {"Chebyshev", "CHEBYSHEV",
       ParameterList().set("chebyshev: degree", 3).set("chebyshev: max eigenvalue", 2.0), true},
      {"ILU(0)", "RILUK", {}, true},
      {"ILU(2)", "RILUK", with("fact: iluk level-of-fill", 2.0), true},
      {"ILUT", "ILUT", with("fact: ilut level-of-fill", 2.0).set("fact: drop tolerance", 0.1), false},
      {"Schwarz", "SCHWARZ", schwarz("RILUK", 0, "ZERO", ilu0), true},
      {"added Schwarz", "SCHWARZ", schwarz("RILUK", 1, "ADD", ilu0), true},
      {"restricted Schwarz", "SCHWARZ", schwarz("RILUK", 1, "ZERO", ilu0), false},
      {"Schwarz of ILUT", "SCHWARZ",
       schwarz("ILUT", 0, "ZERO", with("fact: ilut level-of-fill", 2.0).set("fact: drop tolerance", 0.1)),
       false},
      {"block Jacobi", "BLOCK_RELAXATION", blocks(map, "Jacobi"), true},
      {"symmetric block Gauss-Seidel", "BLOCK_RELAXATION", blocks(map, "Symmetric Gauss-Seidel"), true},
  };
}

ParameterList list_with(Smoother const& smoother) {
  ParameterList list("list.xml");
  list.set("verbosity", "none").set("coarse: max size", 40).set("backend: type", "host");
  list.set("precision: hierarchy", "double");
  // How many blocks there are is said for one level.
  auto& where = smoother.type == "BLOCK_RELAXATION" ? list.sublist("level 0") : list;
  where.set("smoother: type", "IFPACK2").set("smoother: ifpack2 type", smoother.type);
  where.sublist("smoother: ifpack2 list").setParameters(smoother.list);
  return list;
}

Smoother const& named(std::string const& name) {
  static auto const all = smoothers();
  return *std::find_if(all.begin(), all.end(), [&](auto const& one) { return one.name == name; });
}

void expect_in(std::string const& text, std::initializer_list<char const*> parts) {
  for (auto const* part : parts) EXPECT_NE(text.find(part), std::string::npos) << part << " in: " << text;
}

TEST(Ifpack2Smoother, OneLevelIsWhatIfpack2DoesAlone) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side);
  for (auto const& smoother : smoothers()) {
    SCOPED_TRACE(smoother.name);
    auto list = list_with(smoother);
    list.set("max levels", 1).set("coarse: type", "smoother").set("coarse: sweeps", 1);
    auto const M = createTpetraPreconditioner(A, list);
    Ifpack2::Factory factory;
    auto const N = factory.create<RowMatrix>(smoother.type, A);
    N->setParameters(smoother.list);
    N->initialize();
    N->compute();
    auto const b = waves(map, 2);
    MultiVector x(map, 2), y(map, 2);
    M->apply(*b, x);
    N->apply(*b, y);
    auto const ours = values(x), theirs = values(y);
    for (std::size_t i = 0; i < ours.size(); ++i) ASSERT_NEAR(ours[i], theirs[i], 1e-13) << i;
    // A second time: x + M^-1 (b - A x).
    list.set("coarse: sweeps", 2);
    auto const twice = createTpetraPreconditioner(A, list);
    MultiVector r(*b, Teuchos::Copy), z(map, 2);
    A->apply(y, r, Teuchos::NO_TRANS, -1, 1);
    N->apply(r, z);
    y.update(1, z, 1);
    twice->apply(*b, x);
    auto const second = values(x), expected = values(y);
    for (std::size_t i = 0; i < second.size(); ++i) ASSERT_NEAR(second[i], expected[i], 1e-13) << i;
  }
}

/// What is said to be symmetric is; the rest has no transpose.
TEST(Ifpack2Smoother, SymmetryIsKnownByNamesAndParameters) {
  auto const scattered = scattered_map(side * side);
  for (auto const& map : {uniform_map(side * side), scattered}) {
    auto const A = laplacian(map, side);
    for (auto const& smoother : smoothers()) {
      if (smoother.type == "BLOCK_RELAXATION" && map == scattered) continue;  // a rank has no blocks
      SCOPED_TRACE(smoother.name);
      auto const M = createTpetraPreconditioner(A, list_with(smoother));
      EXPECT_EQ(M->hasTransposeApply(), smoother.symmetric);
      auto const two = waves(map, 2);
      auto const u = two->getVectorNonConst(0), v = two->getVectorNonConst(1);
      MultiVector of_u(map, 1), of_v(map, 1);
      M->apply(*u, of_u);
      M->apply(*v, of_v);
      double const one = dot(*v, of_u), other = dot(*u, of_v),
                   size = std::sqrt(dot(*v, *v) * dot(of_u, of_u));
      if (smoother.symmetric) {
        EXPECT_LT(std::abs(one - other), 1e-12 * size);
      }
    }
  }
}

struct Solved {
  bool converged;
  int iterations;
};

/// Flexible conjugate gradients to 1e-8.
Solved solved(gallery::Problem const& problem, ParameterList list) {
  list.set("number of equations", problem.equations);
  if (!problem.nullspace.is_null())
    list.sublist("user data").set<RCP<MultiVector const>>("Nullspace", problem.nullspace);
  auto const M = createTpetraPreconditioner(problem.matrix, list);
  auto const map = problem.matrix->getRowMap();
  MultiVector x(map, 1), r(*problem.rhs, Teuchos::Copy), z(map, 1), p(map, 1), q(map, 1);
  double const start = dot(r, r);
  double pq = 1;
  for (int k = 0; k < 100; ++k) {
    if (std::sqrt(dot(r, r) / start) <= 1e-8) return {true, k};
    M->apply(r, z);
    p.update(1, z, k == 0 ? 0 : -dot(z, q) / pq);
    problem.matrix->apply(p, q);
    pq = dot(p, q);
    double const alpha = dot(p, r) / pq;
    x.update(alpha, p, 1);
    r.update(-alpha, q, 1);
  }
  return {false, 100};
}

/// But for sums of overlapping solves: what overlaps is corrected twice, which does not contract.
TEST(Ifpack2Smoother, EachSolves) {
  auto const laplace = gallery::make_problem("Laplace2D", {{"nx", side}, {"ny", side}}, world());
  for (auto const& smoother : smoothers()) {
    SCOPED_TRACE(smoother.name);
    if (smoother.name == "added Schwarz") continue;
    for (auto const* precision : {"float", "double"}) {
      auto list = list_with(smoother);
      list.set("precision: hierarchy", precision);
      auto const end = solved(laplace, list);
      EXPECT_TRUE(end.converged);
      EXPECT_LE(end.iterations, smoother.name == "Jacobi" ? 25 : 18);
    }
  }
}

TEST(Ifpack2Smoother, EveryMethodAndCycleTakesOne) {
  auto const laplace = gallery::make_problem("Laplace3D", {{"nx", 14}, {"ny", 13}, {"nz", 12}}, world());
  for (auto const* method : {"sa", "unsmoothed", "matching", "rootnode", "classical"}) {
    for (auto const* cycle : {"V", "W", "F", "K"}) {
      for (auto const* when : {"pre", "post", "both"}) {
        SCOPED_TRACE(std::string(method) + ", " + cycle + ", " + when);
        auto list = list_with(named("symmetric Gauss-Seidel"));
        list.set("multigrid algorithm", method).set("cycle type", cycle).set("smoother: pre or post", when);
        auto const end = solved(laplace, list);
        EXPECT_TRUE(end.converged);
        EXPECT_LE(end.iterations, 40);
      }
    }
  }
}

/// The figures of docs/results/details.md.
TEST(Ifpack2Smoother, IterationsAreThoseOfGoodSmoothers) {
  struct Case {
    char const* problem;
    gallery::Options options;
    int sgs, ilu;
  };
  for (auto const& one : std::vector<Case>{{"Laplace3D", {{"nx", 16}, {"ny", 16}, {"nz", 16}}, 10, 10},
                                           {"Elasticity3D", {{"nx", 8}, {"ny", 8}, {"nz", 8}}, 16, 16}}) {
    auto const problem = gallery::make_problem(one.problem, one.options, world());
    auto const sgs = solved(problem, list_with(named("symmetric Gauss-Seidel")));
    auto const ilu = solved(problem, list_with(named("ILU(0)")));
    EXPECT_TRUE(sgs.converged && ilu.converged) << one.problem;
    EXPECT_LE(sgs.iterations, one.sgs) << one.problem;
    EXPECT_LE(ilu.iterations, one.ilu) << one.problem;
    if (world()->getRank() == 0)
      std::printf("%s: symmetric Gauss-Seidel %d, ILU(0) %d\n", one.problem, sgs.iterations, ilu.iterations);
  }
}

TEST(Ifpack2Smoother, LevelsMayHaveOthers) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side);
  ParameterList list("list.xml");
  list.set("verbosity", "none").set("coarse: max size", 40).set("precision: hierarchy", "double");
  auto const chebyshev = applied(*createTpetraPreconditioner(A, list));
  auto& level = list.sublist("level 0");
  level.set("smoother: type", "IFPACK2").set("smoother: ifpack2 type", "RELAXATION");
  level.sublist("smoother: ifpack2 list").setParameters(relaxation("Symmetric Gauss-Seidel"));
  auto const M = createTpetraPreconditioner(A, list);
  EXPECT_NE(applied(*M), chebyshev);
  EXPECT_TRUE(M->hasTransposeApply());
  level.sublist("smoother: ifpack2 list").set("relaxation: type", "Gauss-Seidel");
  EXPECT_FALSE(createTpetraPreconditioner(A, list)->hasTransposeApply());
}

TEST(Ifpack2Smoother, NewValuesAreBitwiseASetup) {
  auto const map = uniform_map(side * side);
  auto const A = laplacian(map, side), B = laplacian(map, side, 3, 0.5);
  for (auto const& smoother : smoothers()) {
    SCOPED_TRACE(smoother.name);
    auto list = list_with(smoother);
    list.set("reuse: type", "tP");
    auto const M = createTpetraPreconditioner(A, list);
    auto const first = applied(*M);
    for (int k = 0; k < 2; ++k) {
      reuseTpetraPreconditioner(B, *M);
      EXPECT_NE(applied(*M), first);
      reuseTpetraPreconditioner(A, *M);
      EXPECT_EQ(M->lastCompute().find("refresh"), 0U);
      EXPECT_EQ(applied(*M), first);
    }
  }
}

TEST(Ifpack2Smoother, ColumnsAreBitwiseWhatTheyAreAlone) {
  auto const map = uniform_map(side * side);
  auto const M = createTpetraPreconditioner(laplacian(map, side), list_with(named("ILU(0)")));
  auto const B = waves(map, 5);
  MultiVector X(map, 5), x(map, 1);
  M->apply(*B, X);
  for (int c = 0; c < 5; ++c) {
    M->apply(*B->getVector(c), x);
    EXPECT_EQ(values(*X.getVector(c)), values(x)) << c;
  }
}

TEST(Ifpack2Smoother, ReportsNameIt) {
  auto const M =
      createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list_with(named("ILU(0)")));
  std::ostringstream text;
  Teuchos::FancyOStream out(Teuchos::rcpFromRef(text));
  M->describe(out);
  EXPECT_EQ(text.str().find("RILUK (Ifpack2)") != std::string::npos, world()->getRank() == 0) << text.str();
}

TEST(Ifpack2Smoother, WhatIfpack2RefusesIsSaidOnAllRanks) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto const refused = [&](char const* type, ParameterList const& own, auto kind) {
    return thrown<decltype(kind)>([&] { createTpetraPreconditioner(A, list_with({"", type, own, true})); });
  };
  core::InvalidInput const input("");
  core::NumericalError const numbers("");
  expect_in(refused("RILUC", {}, input), {"smoother: ifpack2 type", "did you mean \"RILUK\""});
  expect_in(refused("HYPRE", {}, input), {"`smoother: ifpack2 type` is \"HYPRE\"", "not in this Ifpack2"});
  expect_in(refused("CHEBYSHEV", ParameterList().set("chebyshev: degre", 2), input),
            {"`smoother: ifpack2 list`", "chebyshev: degre"});
  expect_in(refused("RELAXATION", relaxation("Gauss-Seidl"), numbers),
            {"RELAXATION cannot be made of a level of 900 rows", "fix `smoother: ifpack2 list`"});
  ParameterList rcp_inside;
  rcp_inside.set<RCP<Map const>>("partitioner: map", A->getRowMap());
  expect_in(refused("BLOCK_RELAXATION", rcp_inside, input), {"partitioner: map", "only programs write"});
}

/// A zero pivot in rows of the last rank.
TEST(Ifpack2Smoother, AZeroPivotIsAnErrorOnAllRanks) {
  auto const map = uniform_map(60);
  auto const A = rcp(new CrsMatrix(map, 2));
  for (int i = 0; map->isNodeLocalElement(i); ++i) {
    long long const row = map->getGlobalElement(i);
    bool const last = row >= 58;
    std::vector<long long> columns{row};
    if (last) columns.push_back(row == 58 ? 59 : 58);
    std::vector<double> const ones(columns.size(), 1.0);
    A->insertGlobalValues(row, static_cast<int>(columns.size()), ones.data(), columns.data());
  }
  A->fillComplete();
  auto list = list_with(named("ILU(0)"));
  list.set("max levels", 1).set("coarse: type", "smoother");
  auto const text = thrown<core::NumericalError>([&] { createTpetraPreconditioner(A, list); });
  expect_in(text, {"RILUK"});
}

TEST(Ifpack2Smoother, AGpuIsRefusedAndAutoStaysOnTheHost) {
  auto const A = laplacian(uniform_map(side * side), side);
  auto list = list_with(named("ILU(0)"));
  list.set("backend: type", "cuda");
  expect_in(thrown<core::InvalidInput>([&] { createTpetraPreconditioner(A, list); }),
            {"`backend: type` is cuda", "IFPACK2", "set it to host"});
  list.set("backend: type", "auto");
  expect_in(createTpetraPreconditioner(A, list)->description(), {"host (auto: Ifpack2 smooths there)"});
}

TEST(Ifpack2Smoother, ItIsNotSaved) {
  auto const M =
      createTpetraPreconditioner(laplacian(uniform_map(side * side), side), list_with(named("ILU(0)")));
  expect_in(thrown<std::invalid_argument>([&] { M->save("never-written.tessera"); }),
            {"smoothers of Ifpack2 cannot be saved"});
  EXPECT_EQ(std::fopen("never-written.tessera", "r"), nullptr);
}

TEST(Ifpack2Smoother, ParametersBesideAnotherSmootherAreRefused) {
  auto const A = laplacian(uniform_map(side * side), side);
  ParameterList list("list.xml");
  list.set("smoother: ifpack2 type", "RILUK");
  expect_in(thrown<core::InvalidInput>([&] { createTpetraPreconditioner(A, list); }),
            {"smoother: ifpack2 type", "smoother: type = IFPACK2"});
  ParameterList other("list.xml");
  other.sublist("smoother: ifpack2 list").set("relaxation: sweeps", 2);
  expect_in(thrown<core::InvalidInput>([&] { createTpetraPreconditioner(A, other); }),
            {"smoother: ifpack2 list", "smoother: type = IFPACK2"});
  other.set("smoother: ifpack2 list", "RILUK");
  EXPECT_THROW(createTpetraPreconditioner(A, other), core::InvalidInput);
}

/// Ranks with different lists of Ifpack2.
TEST(Ifpack2Smoother, ListsThatDifferBetweenRanksAreRefused) {
  if (world()->getSize() == 1) return;
  auto const A = laplacian(uniform_map(side * side), side);
  auto list = list_with(named("ILU(0)"));
  list.sublist("smoother: ifpack2 list").set("fact: iluk level-of-fill", world()->getRank() == 0 ? 0 : 1);
  expect_in(thrown<core::InvalidInput>([&] { createTpetraPreconditioner(A, list); }),
            {"smoother: ifpack2 list"});
}

}  // namespace
}  // namespace Tessera::test
