#include "galerkin/classical_interpolation.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "aggregation/pmis.hpp"
#include "aggregation/strength.hpp"
#include "cases.hpp"
#include "galerkin/triple_product.hpp"
#include "oracle/classical_oracle.hpp"

namespace Tessera {
namespace {

using oracle::Dense;

std::vector<sparse::Csr<double, Host>> matrices() {
  std::vector<sparse::Csr<double, Host>> all;
  all.push_back(oracle::laplace(13, 11));
  all.push_back(oracle::laplace(6, 5, 7));
  all.push_back(oracle::neumann_laplace(12, 9));
  all.push_back(oracle::jumping_diffusion(12, 11, 6, 1e-9, 3));
  all.push_back(oracle::random_spd(150, 6, 5));
  all.push_back(oracle::laplace(1));
  return all;
}

/// A matrix of this rank's rows with its coarse vertices.
struct Split {
  comm::DistCsr<double, Host> A;
  std::vector<VertexId> ids;  ///< of all rows
  Array<VertexId, Host> own_ids;
  aggregation::DependenceGraph<Host> graph;
  galerkin::Tentative<Host> T;
  galerkin::ClassicalParameters parameters;
  galerkin::ReachedAggregates<Host> reached;
  galerkin::ClassicalPlan<Host> plan;
  galerkin::TwoStages<Host> stages;  ///< of the aggressive coarsening with T

  Split(sparse::Csr<double, Host> const& whole, test::Split how, double theta, int most,
        bool aggressive = false)
      : A(test::distribute(whole, test::split(test::world(), how, whole.rows))) {
    for (Index i = 0; i < whole.rows; ++i) ids.push_back((i * 7919 + 13) % 100003);
    own_ids = core::to_space(Host{}, test::part(A.rows, ids));
    auto const diagonal = aggregation::checked_diagonal(Host{}, A);
    graph = aggregation::dependence(Host{}, A, diagonal.view(), theta);
    auto found = aggregation::pmis(Host{}, graph, own_ids.view(), 0);
    if (aggressive) {
      auto first = std::move(found);
      found = aggregation::pmis(Host{}, graph, own_ids.view(), 0, &first);
      stages.first = galerkin::indicator(first.coarse, std::move(first.aggregate));
    }
    T = galerkin::indicator(found.coarse, std::move(found.aggregate));
    parameters.most_entries = most;
  }
  comm::DistCsr<double, Host> interpolation(bool keep = false) {
    return galerkin::classical_interpolation(Host{}, A, graph.strong.view(), T, own_ids.view(), parameters,
                                             reached, keep ? &plan : nullptr);
  }
  comm::DistCsr<double, Host> two_stages(bool keep = false) {
    return galerkin::two_stage_interpolation(Host{}, A, graph.strong.view(), T, own_ids.view(), parameters,
                                             reached, stages, keep);
  }
  std::vector<bool> coarse() const { return coarse(T); }
  std::vector<bool> coarse(galerkin::Tentative<Host> const& of) const {
    std::vector<double> mine;
    for (auto const a : of.aggregate) mine.push_back(a >= 0 ? 1 : 0);
    auto const all = A.rows.comm().all_gather(mine);
    return {all.begin(), all.end()};
  }
};

Dense expected(sparse::Csr<double, Host> const& whole, Split const& split, double theta) {
  auto const A = oracle::to_dense(whole.view());
  return oracle::classical_interpolation(A, oracle::dependences(A, theta), split.coarse(), split.ids,
                                         split.parameters.most_entries);
}

Dense pattern(Dense P) {
  for (double& p : P.value) p = p != 0 ? 1 : 0;
  return P;
}

TEST(ClassicalInterpolation, IsTheFormulaOfTheNaiveLoops) {
  for (auto const& A : matrices()) {
    for (double const theta : {0.25, 0.5}) {
      for (int const most : {0, 2, 4}) {
        for (auto const how : test::all_splits) {
          Split split(A, how, theta, most);
          auto const P = test::gathered(split.interpolation());
          auto const oracle = expected(A, split, theta);
          EXPECT_TRUE(pattern(P) == pattern(oracle)) << A.rows << " rows, most " << most;
          EXPECT_LE(oracle::largest_difference(P, oracle), 1e-12) << A.rows << " rows, most " << most;
        }
      }
    }
  }
}

TEST(ClassicalInterpolation, IsBitwiseTheSameForAnyNumberOfRanks) {
  comm::Communicator const self(MPI_COMM_SELF);
  for (auto const& A : matrices()) {
    Split alone(A, test::Split::all_on_last, 0.5, 4);
    auto const P = test::gathered(alone.interpolation());
    for (auto const how : test::all_splits) {
      auto const other = Split(A, how, 0.5, 4).interpolation();
      EXPECT_TRUE(test::columns_ascend(other));
      EXPECT_TRUE(oracle::same_bits(test::gathered(other).value, P.value));
    }
  }
}

//     0 --2-- 1 --1-- 2 --2-- 3      0 and 3 are coarse; 0 and 2 have a weak coupling of 1/2, which is
//      \------1/2----/               added to the diagonal. 1 and 2 pass each other 2/3 on, 1/3 back:
//                                    1: (2, 2/3) / (3 - 1/3), 2: (2/3, 2) / (3 - 1/3).
TEST(ClassicalInterpolation, OfAPathIsInterpolationByTheStrongCouplings) {
  auto const A = oracle::to_csr({4, 4, {2.5, -2, -.5, 0, -2, 3, -1, 0, -.5, -1, 3.5, -2, 0, 0, -2, 2}});
  auto const strong = core::to_space(Host{}, std::vector<unsigned char>{1, 1, 0, 1, 1, 1, 0, 1, 1, 1, 1, 1});
  comm::Communicator const self(MPI_COMM_SELF);
  auto const alone = test::distribute(A, comm::Distribution(self, 4));
  auto const T = galerkin::indicator(comm::Distribution(self, 2),
                                     core::to_space(Host{}, std::vector<GlobalIndex>{0, -1, -1, 1}));
  auto const ids = core::to_space(Host{}, std::vector<VertexId>{0, 1, 2, 3});
  auto const with = [&](int most, double truncation) {
    galerkin::ReachedAggregates<Host> reached;
    return test::gathered(galerkin::classical_interpolation(Host{}, alone, strong.view(), T, ids.view(),
                                                            {0.5, most, truncation}, reached));
  };
  EXPECT_EQ(with(4, 0).value, (std::vector<double>{1, 0, .75, .25, .25, .75, 0, 1}));
  EXPECT_EQ(with(1, 0).value, (std::vector<double>{1, 0, 1, 0, 0, 1, 0, 1}));
  EXPECT_EQ(with(0, 0.3).value, with(4, 0).value);
  EXPECT_EQ(with(0, 0.4).value, with(1, 0).value);
}

TEST(ClassicalInterpolation, RowSumsAreOneWhereThoseOfTheMatrixAreZero) {
  for (auto const how : test::all_splits) {
    Split split(oracle::neumann_laplace(12, 9), how, 0.5, 4);
    auto const P = test::gathered(split.interpolation());
    for (Index i = 0; i < P.rows; ++i) {
      double sum = 0;
      for (Index c = 0; c < P.columns; ++c) sum += P(i, c);
      EXPECT_NEAR(sum, 1, 4e-16) << i;
    }
  }
}

TEST(ClassicalInterpolation, IsInjectionAtCoarseVertices) {
  for (auto const& A : matrices()) {
    Split split(A, test::Split::even, 0.5, 4);
    auto const P = split.interpolation();
    auto const columns = comm::global_columns(P.halo);
    for (Index i = 0; i < P.local.rows; ++i) {
      auto const a = split.T.aggregate[i];
      auto const k = P.local.offsets[i];
      if (a < 0) continue;
      ASSERT_EQ(P.local.offsets[i + 1], k + 1);
      EXPECT_EQ(columns[P.local.column[k]], a);
      EXPECT_EQ(P.local.value[k], 1.0);
    }
  }
}

TEST(ClassicalInterpolation, HasGhostColumnsThatItUsesOnly) {
  for (auto const how : test::all_splits) {
    Split split(oracle::laplace(13, 11), how, 0.5, 2);
    auto const P = split.interpolation();
    std::vector<bool> used(P.local.columns, false);
    for (auto const c : P.local.column) used[c] = true;
    for (Index c = P.columns().local_size(); c < P.local.columns; ++c) EXPECT_TRUE(used[c]);
  }
}

TEST(ClassicalInterpolation, RefreshedIsBitwiseWhatItWasAndWhatIsMadeOfNewValues) {
  for (auto const& A : matrices()) {
    for (auto const how : test::all_splits) {
      Split split(A, how, 0.5, 4);
      auto P = split.interpolation(true);
      auto const before = test::gathered(P);
      galerkin::refresh_classical_interpolation(Host{}, split.A, split.graph.strong.view(), split.plan, P);
      EXPECT_TRUE(oracle::same_bits(test::gathered(P).value, before.value));
      for (Index i = 0; i < split.A.local.rows; ++i)
        for (auto k = split.A.local.offsets[i]; k < split.A.local.offsets[i + 1]; ++k)
          split.A.local.value[k] *= 1 + 0.1 * std::sin(static_cast<double>(split.A.rows.begin() + i));
      auto const anew = test::gathered(split.interpolation());  // with the pattern that is known
      galerkin::refresh_classical_interpolation(Host{}, split.A, split.graph.strong.view(), split.plan, P);
      EXPECT_TRUE(oracle::same_bits(test::gathered(P).value, anew.value));
    }
  }
}

TEST(ClassicalInterpolation, LeavesRowsWithoutCouplingsEmpty) {
  auto const A = oracle::to_csr({4, 4, {1, 0, 0, 0, 0, 2, -1, 0, 0, -1, 2, 0, 0, 0, 0, 3}});
  for (auto const how : test::all_splits) {
    Split split(A, how, 0.5, 4);
    auto const P = test::gathered(split.interpolation());
    ASSERT_EQ(P.columns, 1);
    EXPECT_EQ(P(0, 0), 0);
    EXPECT_EQ(P(3, 0), 0);
    EXPECT_EQ(P(1, 0) + P(2, 0), 1.5);
  }
}

TEST(TwoStageInterpolation, IsTheProductOfTheNaiveLoops) {
  for (auto const& whole : matrices()) {
    for (int const most : {0, 4}) {
      for (auto const how : test::all_splits) {
        Split split(whole, how, 0.5, most, true);
        auto const P = test::gathered(split.two_stages());
        auto const A = oracle::to_dense(whole.view());
        auto const expected =
            oracle::two_stage_interpolation(A, oracle::dependences(A, 0.5), split.coarse(split.stages.first),
                                            split.coarse(), split.ids, most);
        EXPECT_TRUE(pattern(P) == pattern(expected)) << whole.rows << " rows, most " << most;
        EXPECT_LE(oracle::largest_difference(P, expected), 1e-12) << whole.rows << " rows, most " << most;
      }
    }
  }
}

TEST(TwoStageInterpolation, IsBitwiseTheSameForAnyNumberOfRanks) {
  for (auto const& A : matrices()) {
    Split alone(A, test::Split::all_on_last, 0.5, 4, true);
    auto const P = test::gathered(alone.two_stages());
    for (auto const how : test::all_splits) {
      auto const other = Split(A, how, 0.5, 4, true).two_stages();
      EXPECT_TRUE(test::columns_ascend(other));
      EXPECT_TRUE(oracle::same_bits(test::gathered(other).value, P.value));
    }
  }
}

TEST(TwoStageInterpolation, HasRowSumsOfOneAndInjectsAtCoarseVertices) {
  for (auto const how : test::all_splits) {
    Split split(oracle::neumann_laplace(12, 9), how, 0.5, 4, true);
    auto const P = test::gathered(split.two_stages());
    auto const coarse = split.coarse();
    for (Index i = 0, c = 0; i < P.rows; ++i) {
      double sum = 0;
      for (Index j = 0; j < P.columns; ++j) sum += P(i, j);
      EXPECT_NEAR(sum, 1, 1e-15) << i;
      if (coarse[i]) {
        EXPECT_EQ(P(i, c++), 1.0) << i;
      }
    }
  }
}

TEST(TwoStageInterpolation, RefreshedIsBitwiseWhatItWasAndWhatIsMadeOfNewValues) {
  for (auto const& A : matrices()) {
    for (auto const how : test::all_splits) {
      Split split(A, how, 0.5, 4, true);
      auto P = split.two_stages(true);
      auto const before = test::gathered(P);
      auto const refresh = [&] {
        galerkin::refresh_two_stage_interpolation(Host{}, split.A, split.graph.strong.view(), split.stages,
                                                  P);
      };
      refresh();
      EXPECT_TRUE(oracle::same_bits(test::gathered(P).value, before.value));
      for (Index i = 0; i < split.A.local.rows; ++i)
        for (auto k = split.A.local.offsets[i]; k < split.A.local.offsets[i + 1]; ++k)
          split.A.local.value[k] *= 1 + 0.1 * std::sin(static_cast<double>(split.A.rows.begin() + i));
      refresh();
      auto const refreshed = test::gathered(P);
      auto const anew = test::gathered(split.two_stages());  // with the patterns that are known
      EXPECT_TRUE(oracle::same_bits(refreshed.value, anew.value));
    }
  }
}

}  // namespace
}  // namespace Tessera
