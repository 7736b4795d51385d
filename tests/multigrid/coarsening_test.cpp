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

  Coarsened(comm::DistCsr<double, Host> const& A, CoarseningType kind, RefreshPreparation preparation) {
    parameters.coarsening = kind;
    parameters.prepare_refresh = preparation;
    fine.A = &A;
    fine.ids = Array<VertexId, Host>(space, A.local.rows);
    for (Index i = 0; i < A.local.rows; ++i) fine.ids[i] = A.rows.begin() + i;
    Array<double, Host> ones(space, A.local.rows);
    core::fill(space, ones.span(), 1.0);
    look();
    auto found = aggregate(space, fine, parameters, at_once);
    EXPECT_EQ(why_stalled(fine, found), "");
    coarsening.emplace(space, fine, std::move(ones), std::move(found), parameters, at_once);
  }
  void look() {
    fine.numbers = numbers.data();
    fine.find(space, parameters);
    fine.check(space, parameters);
  }
  void refresh(comm::DistCsr<double, Host> const& A, bool prepare) {
    fine.A = &A;
    look();
    coarsening->refresh(space, fine, parameters, prepare, at_once);
  }
  oracle::Dense P() const { return test::gathered(coarsening->made.P); }
  oracle::Dense coarse() const { return test::gathered(coarsening->made.coarse()); }
};

constexpr CoarseningType all_kinds[] = {CoarseningType::smoothed, CoarseningType::unsmoothed};

/// On a 10 x 9 grid, whose couplings in x are weak.
comm::DistCsr<double, Host> grid(double scale, comm::Distribution const& rows) {
  auto whole = oracle::anisotropic_laplace(10, 9, 1, 0.01, 1, 0);
  for (auto& a : whole.value) a *= scale;
  return test::distributed(whole, rows, rows);
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
  auto const& stored = plain.coarsening->made.P.local;
  EXPECT_EQ(stored.column.size(), static_cast<std::size_t>(stored.rows));
}

// Values times an even power of two: the same strong entries, aggregates and prolongators.
TEST(Coarsening, ARefreshOfEveryKindIsBitwiseWhatItWouldMake) {
  auto const rows = shared_rows();
  auto const before = grid(1, rows), after = grid(16, rows);
  for (auto const kind : all_kinds) {
    Coarsened const fresh(after, kind, RefreshPreparation::second);
    for (auto const preparation : {RefreshPreparation::second, RefreshPreparation::first}) {
      Coarsened refreshed(before, kind, preparation);
      if (preparation == RefreshPreparation::second) refreshed.refresh(before, true);
      for (auto const* A : {&after, &before, &after}) refreshed.refresh(*A, false);
      EXPECT_TRUE(oracle::same_bits(refreshed.P().value, fresh.P().value));
      EXPECT_TRUE(oracle::same_bits(refreshed.coarse().value, fresh.coarse().value));
    }
  }
}

}  // namespace
}  // namespace Tessera::multigrid
