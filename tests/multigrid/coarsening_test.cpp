// Every kind of coarsening, as setups and refreshes go through it.
#include "multigrid/coarsening/coarsening_body.hpp"

#include <gtest/gtest.h>

#include "galerkin/cases.hpp"

namespace Tessera::multigrid {
namespace {

/// One level of a small problem, coarsened.
struct Coarsened {
  static constexpr auto at_once = [](char const*, auto const& work) { work(); };
  Host space;
  Parameters parameters;
  Array<LevelNumbers, Host> numbers{space, 1};
  LevelFacts<Host> fine;
  std::optional<Coarsening<Host>> coarsening;

  Coarsened(comm::DistCsr<double, Host> const& A, CoarseningType kind, RefreshPreparation preparation,
            bool known_ones = false, bool filtered = true) {
    parameters.coarsening = kind;
    parameters.filter.filtered = filtered;
    parameters.prepare_refresh = preparation;
    fine.A = &A;
    fine.ids = Array<VertexId, Host>(space, A.local.rows);
    for (Index i = 0; i < A.local.rows; ++i) fine.ids[i] = A.rows.begin() + i;
    Array<double, Host> ones(space, known_ones ? 0 : A.local.rows);
    core::fill(space, ones.span(), 1.0);
    fine.constant = fine.ones = known_ones;
    estimate();
    auto found = aggregate(space, fine, parameters, at_once);
    EXPECT_EQ(stall_reason(fine, found), "");
    coarsening.emplace(space, fine, std::move(ones), std::move(found), parameters, at_once);
  }
  void estimate() {
    fine.numbers = numbers.data();
    fine.estimate(space, parameters, true);
    fine.check(space, parameters);
  }
  void refresh(comm::DistCsr<double, Host> const& A, bool prepare) {
    fine.A = &A;
    estimate();
    coarsening->refresh(space, fine, parameters, prepare, at_once);
  }
  /// As it is stored, or by the aggregates.
  oracle::Dense P() const {
    if (!coarsening->operators.pairs) return test::gathered(coarsening->operators.P);
    auto const& T = coarsening->tentative();
    std::vector<double> mine;
    for (std::size_t i = 0; i < T.aggregate.size(); ++i)
      mine.insert(mine.end(), {static_cast<double>(T.aggregate[i]), T.indicator ? 1 : T.value[i]});
    auto const all = fine.A->rows.comm().all_gather(mine);
    oracle::Dense dense(static_cast<Index>(all.size() / 2), static_cast<Index>(T.coarse_rows.global_size()));
    for (Index i = 0; i < dense.rows; ++i) {
      if (all[2 * i] >= 0) dense(i, static_cast<Index>(all[2 * i])) = all[2 * i + 1];
    }
    return dense;
  }
  oracle::Dense coarse() const { return test::gathered(coarsening->operators.coarse()); }
};

constexpr CoarseningType all_kinds[] = {CoarseningType::smoothed, CoarseningType::unsmoothed};

/// On a 10 x 9 grid, whose couplings in x are weak.
comm::DistCsr<double, Host> grid(double scale, comm::Distribution const& rows) {
  auto whole = oracle::anisotropic_laplace(10, 9, 1, 0.01, 1, 0);
  for (auto& a : whole.value) a *= scale;
  return test::distribute(whole, rows);
}

comm::Distribution shared_rows() {
  return test::split(test::world(), test::Split::uneven, 90);
}

TEST(Coarsening, EveryKindMakesAGalerkinProduct) {
  auto const A = grid(1, shared_rows());
  for (auto const kind : all_kinds) {
    Coarsened const made(A, kind, RefreshPreparation::second);
    auto const expected = oracle::triple_product(made.P(), test::gathered(A));
    EXPECT_LT(oracle::largest_difference(made.coarse(), expected), 1e-14);
  }
}

// One entry a row, which is one over the square root of its aggregate's size.
TEST(Coarsening, UnsmoothedProlongatorsAreTheTentativeOnes) {
  auto const A = grid(1, shared_rows());
  Coarsened const plain(A, CoarseningType::unsmoothed, RefreshPreparation::second);
  auto const P = plain.P();
  std::vector<double> size(P.columns, 0.0);
  for (Index i = 0; i < P.rows; ++i) {
    for (Index j = 0; j < P.columns; ++j) size[j] += P(i, j) != 0;
  }
  for (Index i = 0; i < P.rows; ++i) {
    int entries = 0;
    for (Index j = 0; j < P.columns; ++j) {
      if (P(i, j) == 0) continue;
      ++entries;
      EXPECT_NEAR(P(i, j), 1 / std::sqrt(size[j]), 1e-15);
    }
    EXPECT_EQ(entries, 1) << "row " << i;
  }
  EXPECT_TRUE(plain.coarsening->operators.P.local.column.empty()) << "stored";
}

// Of ones that are known to be ones, T is not normalised: D A D of the other, D of square roots of sizes.
TEST(Coarsening, KnownOnesScaleUnsmoothedCoarseMatricesByTheSizesOfAggregates) {
  auto const A = grid(1, shared_rows());
  Coarsened const normalised(A, CoarseningType::unsmoothed, RefreshPreparation::second);
  Coarsened const plain(A, CoarseningType::unsmoothed, RefreshPreparation::second, true);
  auto const P = plain.P();
  EXPECT_TRUE(plain.coarsening->next(Host{}, 1).ones);
  EXPECT_TRUE(plain.coarsening->next(Host{}, 1).nullspace.empty());
  std::vector<double> size(P.columns, 0.0);
  for (Index i = 0; i < P.rows; ++i) {
    for (Index j = 0; j < P.columns; ++j) size[j] += P(i, j);
  }
  auto expected = normalised.coarse();
  for (Index i = 0; i < expected.rows; ++i) {
    for (Index j = 0; j < expected.columns; ++j) expected(i, j) *= std::sqrt(size[i] * size[j]);
  }
  EXPECT_LT(oracle::largest_difference(plain.coarse(), expected), 1e-13);
}

/// A path of 400 vertices, of which each draws so many partners far away, with weak couplings.
comm::DistCsr<double, Host> small_world(Index partners) {
  constexpr Index n = 400;
  oracle::Dense A(n, n);
  auto const tie = [&](Index i, Index j, double weight) {
    if (i == j || A(i, j) != 0) return;
    A(i, j) = A(j, i) = -weight;
    A(i, i) += weight;
    A(j, j) += weight;
  };
  for (Index i = 0; i < n; ++i) {
    A(i, i) += 0.1;
    if (i + 1 < n) tie(i, i + 1, 1);
    for (Index k = 0; k < partners; ++k) tie(i, static_cast<Index>((core::uniform(i, k) + 1) / 2 * n), 0.01);
  }
  return test::distribute(oracle::to_csr(A), test::split(test::world(), test::Split::uneven, n));
}

// Where rows of a smoothed P would reach more than 20 aggregates on average, P is the tentative one.
TEST(Coarsening, SmoothedProlongatorsThatWouldFillInArePlain) {
  auto const few = small_world(0), many = small_world(12);
  Coarsened const smoothed(few, CoarseningType::smoothed, RefreshPreparation::second, false, false);
  EXPECT_EQ(smoothed.coarsening->plain_reason(0), "");
  Coarsened plain(many, CoarseningType::smoothed, RefreshPreparation::second, false, false);
  EXPECT_NE(plain.coarsening->plain_reason(0).find("would reach"), std::string::npos);
  auto const P = plain.P();
  for (Index i = 0; i < P.rows; ++i) {
    int entries = 0;
    for (Index j = 0; j < P.columns; ++j) entries += P(i, j) != 0;
    EXPECT_EQ(entries, 1) << "row " << i;
  }
  auto const expected = oracle::triple_product(P, test::gathered(many));
  EXPECT_LT(oracle::largest_difference(plain.coarse(), expected), 1e-12);
  plain.refresh(many, true);
  plain.refresh(many, false);
  EXPECT_TRUE(oracle::same_bits(plain.P().value, P.value));
}

// Values times an even power of two: the same strong entries, aggregates and prolongators.
TEST(Coarsening, ARefreshOfEveryKindIsBitwiseWhatItWouldMake) {
  auto const rows = shared_rows();
  auto const before = grid(1, rows), after = grid(16, rows);
  for (auto const kind : all_kinds) {
    for (bool const ones : {false, true}) {
      if (ones && kind == CoarseningType::smoothed) continue;
      Coarsened const fresh(after, kind, RefreshPreparation::second, ones);
      for (auto const preparation : {RefreshPreparation::second, RefreshPreparation::first}) {
        Coarsened refreshed(before, kind, preparation, ones);
        if (preparation == RefreshPreparation::second) refreshed.refresh(before, true);
        for (auto const* A : {&after, &before, &after}) refreshed.refresh(*A, false);
        EXPECT_TRUE(oracle::same_bits(refreshed.P().value, fresh.P().value));
        EXPECT_TRUE(oracle::same_bits(refreshed.coarse().value, fresh.coarse().value));
      }
    }
  }
}

// Aggregates that stay within ranks change with the ranks that hold a level.
TEST(Coarsening, AllSpacesGatherLevelsAlikeWhereRanksAreNotCoupled) {
  Parameters p;
  EXPECT_LT(min_rows_per_rank<Host>(p), min_rows_per_rank<Cuda>(p));
  p.strength.coupled = false;
  EXPECT_EQ(min_rows_per_rank<Host>(p), min_rows_per_rank<Cuda>(p));
  p.rows_per_rank = 7;
  EXPECT_EQ(min_rows_per_rank<Host>(p), 7);
  EXPECT_EQ(min_rows_per_rank<Cuda>(p), 7);
}

}  // namespace
}  // namespace Tessera::multigrid
