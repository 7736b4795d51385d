// Levels copied to the host, and the observer of levels.
#include <gtest/gtest.h>

#include <tuple>

#include "multigrid/coarsenings.hpp"
#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

/// What all ranks have of a matrix; an entry that two of them had would be twice as large.
oracle::Dense whole(comm::HostMatrix const& A) {
  std::vector<double> flat;
  for (Index i = 0; i < A.local.rows; ++i)
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k)
      flat.insert(flat.end(), {static_cast<double>(A.row[i]),
                               static_cast<double>(A.column[A.local.column[k]]), A.local.value[k]});
  oracle::Dense dense(static_cast<Index>(A.rows), static_cast<Index>(A.columns));
  auto const all = test::world().all_gather(flat);
  for (std::size_t k = 0; k < all.size(); k += 3)
    dense(static_cast<Index>(all[k]), static_cast<Index>(all[k + 1])) += all[k + 2];
  return dense;
}

oracle::Dense rounded_to_float(oracle::Dense A) {
  for (auto& a : A.value) a = static_cast<double>(static_cast<float>(a));
  return A;
}

template <class T>
Hierarchy<T, Host> make(sparse::Csr<double, Host> const& matrix, Parameters const& p,
                        NearNullspace const& nullspace = {}) {
  auto const rows = test::share(test::world(), matrix.rows, false, p.equations);
  return {Host{}, test::distribute(matrix, rows), test::node_ids_on(Host{}, rows, p.equations), nullspace, p};
}

/// The two ends of each way to store levels: all on all ranks, and coarse ones on fewer.
std::vector<Parameters> parameters_of(test::WayToCoarsen const& way) {
  std::vector<Parameters> all(2);
  for (auto& p : all) {
    p.coarse_max_size = 30;
    p.rows_per_rank = &p == &all.front() ? 0 : 300;
    way.choose(p);
  }
  return all;
}

TEST(FetchedLevels, CoarseMatricesAreRAPOfThoseAbove) {
  auto const matrix = oracle::anisotropic_laplace(9, 8, 7, 1.0, 2.0, 3.0);
  for (auto const& way : test::ways_to_coarsen()) {
    for (auto const& p : parameters_of(way)) {
      SCOPED_TRACE(way.name);
      auto M = make<double>(matrix, p);
      auto const& levels = M.report().levels;
      ASSERT_EQ(M.level_count(), levels.size());
      ASSERT_GT(levels.size(), 1u);
      auto A = whole(M.fetch_matrices(0).A);
      EXPECT_EQ(A, oracle::to_dense(matrix.view()));
      for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
        auto const fetched = M.fetch_matrices(l);
        ASSERT_TRUE(fetched.P && fetched.R);
        auto const P = whole(*fetched.P);
        EXPECT_EQ(whole(*fetched.R), oracle::transposed(P));
        A = oracle::triple_product(P, A);
        EXPECT_LE(oracle::largest_difference(whole(M.fetch_matrices(l + 1).A), A), 1e-12);
      }
      EXPECT_FALSE(M.fetch_matrices(levels.size() - 1).P);
    }
  }
}

TEST(FetchedLevels, AggregatesAreThoseOfTheReportAndOfP) {
  auto const matrix = oracle::anisotropic_laplace(9, 8, 7, 1.0, 2.0, 3.0);
  for (auto const& way : test::ways_to_coarsen()) {
    for (auto const& p : parameters_of(way)) {
      SCOPED_TRACE(way.name);
      auto M = make<float>(matrix, p);
      auto const& levels = M.report().levels;
      for (std::size_t l = 0; l + 1 < levels.size(); ++l) {
        auto const found = M.fetch_aggregates(l);
        EXPECT_EQ(found.vectors, 1);
        std::vector<double> const mine(found.aggregate.begin(), found.aggregate.end());
        auto const aggregate = test::world().all_gather(mine);
        EXPECT_EQ(static_cast<GlobalIndex>(aggregate.size()), levels[l].rows);
        std::vector<GlobalIndex> size(static_cast<std::size_t>(levels[l].aggregates));
        auto const P = whole(*M.fetch_matrices(l).P);
        EXPECT_EQ(P.columns, levels[l].aggregates);
        for (std::size_t v = 0; v < aggregate.size(); ++v) {
          if (aggregate[v] < 0) continue;
          auto const a = static_cast<Index>(aggregate[v]);
          ++size.at(a);
          if (p.coarsening == CoarseningType::unsmoothed) {
            EXPECT_GT(P(static_cast<Index>(v), a), 0) << v;
          }
        }
        EXPECT_EQ(*std::min_element(size.begin(), size.end()), levels[l].smallest_aggregate);
        EXPECT_EQ(*std::max_element(size.begin(), size.end()), levels[l].largest_aggregate);
      }
    }
  }
}

/// P = T, with which B = T B_coarse holds on every level.
TEST(FetchedLevels, AnUnsmoothedProlongatorTakesTheCoarseNullspaceToTheFineOne) {
  auto const matrix = oracle::clamped_beam(120);
  Parameters p;
  p.coarsening = CoarseningType::unsmoothed;
  p.equations = 2;
  p.coarse_max_size = 20;
  p.rows_per_rank = 0;
  auto M = make<double>(matrix, p);
  ASSERT_GT(M.level_count(), 2u);
  oracle::Dense B(matrix.rows, 2);
  for (Index i = 0; i < matrix.rows; ++i) B(i, i % 2) = 1;
  for (std::size_t l = 0; l + 1 < M.level_count(); ++l) {
    auto const found = M.fetch_aggregates(l);
    ASSERT_EQ(found.vectors, 2);
    auto const P = whole(*M.fetch_matrices(l).P);
    oracle::Dense const coarse(P.columns, 2, test::world().all_gather(found.coarse_nullspace));
    EXPECT_LE(oracle::largest_difference(oracle::product(P, coarse), B), 1e-13) << "level " << l;
    B = coarse;
  }
}

TEST(FetchedLevels, AreTheSameInEveryFormatAndRoundedWhereTheCycleIsInFloat) {
  auto const matrix = oracle::anisotropic_laplace(9, 8, 7, 1.0, 2.0, 3.1);
  Parameters p;
  p.coarse_max_size = 30;
  auto in_double = make<double>(matrix, p);
  auto const A1 = whole(in_double.fetch_matrices(1).A);
  auto const P0 = whole(*in_double.fetch_matrices(0).P);
  for (auto const& [name, format] : test::formats()) {
    SCOPED_TRACE(name);
    p.format = format;
    auto M = make<double>(matrix, p);
    EXPECT_EQ(whole(M.fetch_matrices(1).A), A1);
    EXPECT_EQ(whole(*M.fetch_matrices(0).P), P0);
    EXPECT_EQ(whole(*M.fetch_matrices(0).R), oracle::transposed(P0));
    auto in_float = make<float>(matrix, p);
    EXPECT_EQ(whole(in_float.fetch_matrices(0).A), rounded_to_float(oracle::to_dense(matrix.view())));
  }
}

TEST(FetchedLevels, OfABootstrapAreThoseOfAllComponents) {
  auto const matrix = oracle::anisotropic_laplace(30, 30, 1, 1.0, 1e-3, 1.0);
  auto const rows = test::share(test::world(), matrix.rows, false);
  Parameters p;
  p.aggregation.scheme = aggregation::AggregationScheme::matching;
  p.coarse_max_size = 30;
  p.bootstrap.components = 2;
  p.bootstrap.convergence_rate = 1e-3;
  Bootstrap<double, Host> M(Host{}, test::distribute(matrix, rows), test::node_ids_on(Host{}, rows), {}, p);
  auto const& report = M.report();
  ASSERT_EQ(report.components.size(), 2u);
  std::size_t const second = report.components[0].levels;
  for (std::size_t l = 0; l < report.levels.size(); ++l) {
    auto const fetched = M.fetch_matrices(l);
    EXPECT_EQ(fetched.A.rows, report.levels[l].rows);
    bool const coarsest = l + 1 == second || l + 1 == report.levels.size();
    EXPECT_EQ(fetched.P.has_value(), !coarsest);
    if (!coarsest) {
      EXPECT_EQ(fetched.P->columns, M.fetch_matrices(l + 1).A.rows);
    }
  }
  EXPECT_EQ(whole(M.fetch_matrices(second).A), oracle::to_dense(matrix.view()));
  EXPECT_FALSE(whole(*M.fetch_matrices(second).P) == whole(*M.fetch_matrices(0).P));
}

TEST(ComingLevels, AreToldOnEveryRankBySetupsAlone) {
  using Told = std::vector<std::tuple<int, GlobalIndex, GlobalIndex>>;
  auto const matrix = oracle::anisotropic_laplace(9, 8, 7, 1.0, 2.0, 3.0);
  auto const rows = test::share(test::world(), matrix.rows, false);
  auto const A = test::distribute(matrix, rows);
  Told told, expected;
  Parameters p;
  p.coarse_max_size = 30;
  Hierarchy<float, Host> M(
      Host{}, A, test::node_ids_on(Host{}, rows), {}, p,
      [&](int level, GlobalIndex n, GlobalIndex entries) { told.emplace_back(level, n, entries); });
  for (auto const& level : M.report().levels)
    expected.emplace_back(static_cast<int>(expected.size()), level.rows, level.nonzeros);
  EXPECT_GT(told.size(), 1u);
  EXPECT_EQ(told, expected);
  M.refresh(A);
  M.refresh(A);
  EXPECT_EQ(told, expected);
}

}  // namespace
}  // namespace Tessera::multigrid
