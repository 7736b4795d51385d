#include "galerkin/energy_minimisation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aggregation/coarse_rounding.hpp"
#include "energy.hpp"
#include "oracle/lapack.hpp"
#include "support/threads.hpp"

namespace Tessera {
namespace {

using oracle::Dense;
using test::Energy;
using test::problems;

/// 1 where P has an entry.
Dense pattern_of(comm::DistCsr<double, Host> P) {
  for (auto& x : P.local.value.span()) x = 1;
  return test::gathered(P);
}

/// The random walk's matrix, of a graph on one rank.
Dense walk_of(aggregation::StrengthGraph<Host> const& graph) {
  Dense W(graph.nodes(), graph.nodes());
  for (Index v = 0; v < W.rows; ++v) {
    double sum = 0;
    for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e) sum += std::abs(graph.weight[e]);
    W(v, v) = sum > 0 ? 1.0 / 3 : 1.0;
    for (auto e = graph.offsets[v]; e < graph.offsets[v + 1]; ++e)
      W(v, graph.neighbour[e]) += 2.0 / 3 * std::abs(graph.weight[e]) / sum;
  }
  return W;
}

/// The aggregate of each vertex in a dense row of its own.
Dense members_of(test::Problem const& p) {
  std::vector<GlobalIndex> roots;
  for (std::size_t v = 0; v < p.root.size(); ++v)
    if (p.root[v] == static_cast<GlobalIndex>(v)) roots.push_back(p.root[v]);
  Dense M(static_cast<Index>(p.root.size()), static_cast<Index>(roots.size()));
  for (Index v = 0; v < M.rows; ++v) {
    for (Index a = 0; a < M.columns; ++a) M(v, a) = p.root[v] == roots[a] ? 1 : 0;
  }
  return M;
}

TEST(EnergyMinimisation, APatternIsWhereARandomWalkLikelyEnds) {
  for (auto const& p : problems()) {
    comm::Communicator const self(MPI_COMM_SELF);
    auto const alone = test::distribute(p.A, comm::Distribution(self, p.A.rows));
    auto const graph = aggregation::strength(Host{}, alone, {}, test::strength_of(p));
    auto const M = members_of(p);
    for (int reach : {1, 2, 3}) {
      Dense shares = M;
      for (int s = 0; s < reach; ++s) shares = oracle::product(walk_of(graph), shares);
      Dense expected(p.A.rows, M.columns * p.vectors);
      for (Index i = 0; i < expected.rows; ++i) {
        Index const v = i / p.equations;
        double largest = 0;
        for (Index a = 0; a < M.columns; ++a) largest = std::max(largest, shares(v, a));
        for (Index a = 0; a < M.columns && p.root[v] >= 0; ++a) {
          using aggregation::coarsely_rounded;
          bool const likely = p.root[v] != v && shares(v, a) > 0 &&
                              coarsely_rounded(shares(v, a)) >= coarsely_rounded(0.1 * largest);
          for (int c = 0; c < p.vectors; ++c) expected(i, a * p.vectors + c) = likely || M(v, a) > 0 ? 1 : 0;
        }
      }
      for (auto const how : test::all_splits) {
        Energy<Host> const made(Host{}, p, how, {reach, 0.1, 0});
        EXPECT_TRUE(pattern_of(made.prolongator(Host{}, 0)) == expected) << "reach " << reach;
      }
    }
  }
}

/// trace(P^T A P)
double energy(Dense const& A, Dense const& P) {
  auto const coarse = oracle::triple_product(P, A);
  double trace = 0;
  for (Index c = 0; c < coarse.rows; ++c) trace += coarse(c, c);
  return trace;
}

/// Of the gradient on the pattern what is orthogonal to B_coarse's rows, beside the gradient that T has.
double steepness(Dense const& A, Dense const& P, Dense const& pattern, Dense const& B_coarse) {
  auto const AP = oracle::product(A, P);
  double worst = 0;
  for (Index i = 0; i < P.rows; ++i) {
    std::vector<Index> columns;
    for (Index c = 0; c < P.columns; ++c) {
      double size = 0;
      for (Index k = 0; k < B_coarse.columns; ++k) size += std::abs(B_coarse(c, k));
      if (pattern(i, c) != 0 && size > 0) columns.push_back(c);
    }
    if (columns.empty()) continue;
    Dense B(static_cast<Index>(columns.size()), B_coarse.columns);
    std::vector<double> g;
    for (Index s = 0; s < B.rows; ++s) {
      g.push_back(AP(i, columns[s]));
      for (Index k = 0; k < B.columns; ++k) B(s, k) = B_coarse(columns[s], k);
    }
    auto const in_B = oracle::product(B, oracle::solve_least_squares(B, g));
    worst = std::max(worst, oracle::largest_difference(g, in_B) / A(i, i));
  }
  return worst;
}

TEST(EnergyMinimisation, FindsTheLeastEnergyThatKeepsTheNearNullspace) {
  for (auto const& p : problems()) {
    if (p.A.rows == 0) continue;
    SCOPED_TRACE(p.A.rows * 100 + p.equations * 10 + p.vectors);
    auto const A = oracle::to_dense(p.A.view());
    Dense const B(p.A.rows, p.vectors, p.nullspace);
    for (auto const how : test::all_splits) {
      Energy<Host> const made(Host{}, p, how, {2, 0.1, 0});
      SCOPED_TRACE(static_cast<int>(how));
      auto const T = test::gathered(made.prolongator(Host{}, 0));
      auto const pattern = pattern_of(made.prolongator(Host{}, 0));
      auto const B_coarse = oracle::product(oracle::transposed(T), B);
      auto const kept = oracle::product(T, B_coarse);
      double before = energy(A, T);
      for (int const steps : {1, 2, 4, 200}) {
        auto const P = test::gathered(made.prolongator(Host{}, steps));
        EXPECT_LE(oracle::largest_difference(oracle::product(P, B_coarse), kept), 1e-13) << steps;
        EXPECT_LE(energy(A, P), before * (1 + 1e-13)) << steps;
        before = energy(A, P);
        for (Index i = 0; i < P.rows; ++i) {
          for (Index c = 0; c < P.columns; ++c) {
            bool const is_root = p.root[i / p.equations] == i / p.equations;
            if (pattern(i, c) == 0 || is_root) {
              EXPECT_EQ(P(i, c), is_root ? T(i, c) : 0.0) << is_root;
            }
          }
        }
        if (steps == 200) {
          EXPECT_LE(steepness(A, P, pattern, B_coarse), 1e-8);
        }
      }
    }
  }
}

TEST(EnergyMinimisation, IsOneAtRootsWhereTheNearNullspaceIs) {
  auto const all = problems();
  auto const& p = all.front();
  for (auto const how : test::all_splits) {
    auto const P = test::gathered(Energy<Host>(Host{}, p, how, {2, 0.1, 0}, true).prolongator(Host{}, 4));
    for (Index i = 0; i < P.rows; ++i) {
      double sum = 0;
      for (Index c = 0; c < P.columns; ++c) sum += P(i, c);
      EXPECT_NEAR(sum, 1, 1e-14);
    }
    auto const M = members_of(p);
    for (Index v = 0; v < P.rows; ++v) {
      for (Index a = 0; a < P.columns && p.root[v] == v; ++a) EXPECT_EQ(P(v, a), M(v, a));
    }
  }
}

TEST(EnergyMinimisation, IsTheSameOnAnyNumberOfThreads) {
  auto const all = problems();
  auto const& p = all[4];
  auto const made = [&] {
    return Energy<Host>(Host{}, p, test::Split::even, {2, 0.1, 0}).prolongator(Host{}, 4);
  };
  auto const one = testing::with_threads(1, made), three = testing::with_threads(3, made);
  EXPECT_TRUE(oracle::same_bits(one.local.value, three.local.value));
}

}  // namespace
}  // namespace Tessera
