// Connected matrices whose rows sum to zero are singular on every level, whatever their weights are.
#include <gtest/gtest.h>

#include <cmath>

#include "core/hash.hpp"
#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::multigrid {
namespace {

/// In [0, 1).
double unit(VertexId id, std::uint64_t round) {
  return 0.5 * (1 + core::uniform(id, round));
}

/// A random tree, each node tied to one before by a weight between 1e-2 and 1e2; the sums of weights on the
/// diagonal are those that assembly leaves there. held: added to the first diagonal entry.
sparse::Csr<double, Host> tree(Index n, VertexId seed, double held = 0) {
  oracle::Dense A(n, n);
  for (Index i = 1; i < n; ++i) {
    auto const j = static_cast<Index>(unit(i, 2 * seed) * i);
    double const weight = std::pow(10.0, 4 * unit(i, 2 * seed + 1) - 2);
    A(i, i) += weight, A(j, j) += weight;
    A(i, j) -= weight, A(j, i) -= weight;
  }
  A(0, 0) += held;
  return oracle::to_csr(A);
}

std::vector<double> without_mean(comm::Distribution const& rows) {
  std::vector<double> b;
  for (auto i = rows.begin(); i < rows.end(); ++i) b.push_back(unit(i, 12345));
  double sum = 0;
  for (double const value : b) sum += value;
  double const mean = rows.comm().sum(sum) / static_cast<double>(rows.global_size());
  for (double& value : b) value -= mean;
  return b;
}

/// Small coarsest levels, of which all nodes have a part.
Parameters parameters_of(test::WayToCoarsen const& way) {
  Parameters p;
  way.choose(p);
  p.coarse_max_size = 20;
  p.rows_per_rank = 20;
  if (p.coarsening != CoarseningType::root_nodes) p.strength.drop_tolerance = 0;
  return p;
}

/// Plain prolongators need many iterations for such weights, singular or not.
template <class T>
void expect_solved(Index n, VertexId seed, Parameters const& p, char const* name) {
  auto const A = test::distribute(tree(n, seed), test::share(test::world(), n, false));
  Hierarchy<T, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p);
  EXPECT_EQ(M.report().levels.back().smoother, "dense pseudo-inverse, nullspace of dimension 1")
      << name << ", tree " << seed;
  std::vector<double> x;
  auto const b = without_mean(A.rows);
  if (p.coarsening != CoarseningType::unsmoothed) {
    EXPECT_LE(test::conjugate_gradients(A, M, b, x), 100) << name << ", tree " << seed;
  }
  auto const before = test::precondition(M, b);
  for (int times = 0; times < 2; ++times) {
    M.refresh(A);
    EXPECT_TRUE(oracle::same_bits(test::precondition(M, b), before)) << name << ", tree " << seed;
  }
}

TEST(Singular, TreesOfManyScalesAreSoOnTheCoarsestLevelToo) {
  VertexId const trees = test::world().size() == 1 ? 24 : 1;
  for (auto const& way : test::ways_to_coarsen()) {
    for (VertexId seed = 0; seed < trees; ++seed) {
      expect_solved<double>(300, seed, parameters_of(way), way.name);
      auto p = parameters_of(way);
      expect_solved<float>(300, seed, p, way.name);
      p.half = HalfLevels::all;
      expect_solved<float>(300, seed, p, way.name);
    }
  }
}

// A tie far below the largest weights, but above what rounding leaves of them, holds.
TEST(Singular, IsNoMatrixThatAWeakTieHolds) {
  VertexId const trees = test::world().size() == 1 ? 4 : 1;
  for (auto const& way : test::ways_to_coarsen()) {
    for (VertexId seed = 0; seed < trees; ++seed) {
      auto const A = test::distribute(tree(300, seed, 1e-6), test::share(test::world(), 300, false));
      Hierarchy<double, Host> M(Host{}, A, test::node_ids_on(Host{}, A.rows), {}, parameters_of(way));
      EXPECT_EQ(M.report().levels.back().smoother, "dense inverse") << way.name << ", tree " << seed;
    }
  }
}

}  // namespace
}  // namespace Tessera::multigrid
