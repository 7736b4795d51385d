#include <gtest/gtest.h>

#include <utility>

#include "multigrid/coarsenings.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "support/stored.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

/// Levels and an application are bitwise alike.
template <class T>
void expect_alike(Hierarchy<T, Host>& a, Hierarchy<T, Host>& b, Index rows) {
  test::expect_same_levels(a.report(), b.report());
  Vector const rhs(rows, 1.0);
  EXPECT_TRUE(oracle::same_bits(test::precondition(a, rhs), test::precondition(b, rhs)));
}

/// Small levels of each way to coarsen, with few rows a rank and with many, and in half; of the first way in
/// each format.
std::vector<std::pair<char const*, Parameters>> ways_and_storages() {
  std::vector<std::pair<int, MatrixFormat>> const both{{0, MatrixFormat::automatic},
                                                       {600, MatrixFormat::automatic}};
  auto storages = both;
  for (auto const& [name, format] : test::formats())
    storages.emplace_back(storages.size() % 2 ? 0 : 600, format);
  std::vector<std::pair<char const*, Parameters>> all;
  for (auto const& way : test::ways_to_coarsen()) {
    for (auto const& [rows_per_rank, format] : std::exchange(storages, both)) {
      Parameters p;
      p.format = format;
      p.coarse_max_size = 30;
      p.rows_per_rank = rows_per_rank;
      way.choose(p);
      all.emplace_back(way.name, p);
    }
    all.emplace_back(way.name, all.back().second);
    all.back().second.half = HalfLevels::all;
  }
  return all;
}

TEST(Refresh, ThereAndBackIsBitwiseTheFirstSetup) {
  auto const old_values = oracle::anisotropic_laplace(20, 14, 9, 1.0, 2.0, 3.0);
  auto const new_values = oracle::anisotropic_laplace(20, 14, 9, 1.5, 1.7, 2.9);
  for (auto [way, p] : ways_and_storages()) {
    SCOPED_TRACE(way);
    p.strength.drop_tolerance = 0;
    p.aggregation.extra_phases = 0;
    auto const rows = test::share(test::world(), 2520, false);
    auto const before = test::distribute(old_values, rows), after = test::distribute(new_values, rows);
    Hierarchy<float, Host> refreshed(Host{}, before, test::node_ids_on(Host{}, rows), {}, p);
    refreshed.refresh(before);
    refreshed.refresh(after);
    Vector x;
    EXPECT_LE(test::conjugate_gradients(after, refreshed, Vector(rows.local_size(), 1.0), x), 25);
    refreshed.refresh(before);
    Hierarchy<float, Host> original(Host{}, before, test::node_ids_on(Host{}, rows), {}, p);
    expect_alike(refreshed, original, rows.local_size());
  }
}

TEST(Refresh, IsBitwiseAFreshSetupWhicheverSetupPreparesIt) {
  auto const whole = oracle::anisotropic_laplace(20, 14, 9, 1.0, 2.0, 3.0);
  auto scaled = oracle::anisotropic_laplace(20, 14, 9, 1.0, 2.0, 3.0);
  for (auto& a : scaled.value) a *= 16;
  auto const rows = test::share(test::world(), 2520, false);
  auto const before = test::distribute(whole, rows), after = test::distribute(scaled, rows);
  for (auto const method : {sparse::SpgemmMethod::hash, sparse::SpgemmMethod::esc}) {
    for (auto const& [way, parameters] : ways_and_storages()) {
      SCOPED_TRACE(way);
      auto p = parameters;
      p.spgemm = method;
      if (p.coarsening == CoarseningType::unsmoothed && method != sparse::SpgemmMethod::hash) continue;
      auto const made_of = [&](comm::DistCsr<double, Host> const& A, RefreshPreparation preparation) {
        p.prepare_refresh = preparation;
        return Hierarchy<float, Host>(Host{}, A, test::node_ids_on(Host{}, rows), {}, p);
      };
      auto prepared = made_of(before, RefreshPreparation::first),
           lean = made_of(before, RefreshPreparation::second),
           fresh = made_of(after, RefreshPreparation::second);
      expect_alike(prepared, lean, rows.local_size());
      auto const kept = prepared.report().refresh_bytes;
      EXPECT_GT(kept, lean.report().refresh_bytes);
      for (auto* M : {&prepared, &lean}) {
        M->refresh(after);
        expect_alike(*M, fresh, rows.local_size());
        EXPECT_EQ(M->report().refresh_bytes, kept);
      }
      auto original = made_of(before, RefreshPreparation::second);
      for (auto* M : {&prepared, &lean}) {
        M->refresh(before);
        expect_alike(*M, original, rows.local_size());
      }
    }
  }
}

TEST(Refresh, FollowsAScalingOfTheMatrixBitwise) {
  auto const whole = oracle::laplace(40, 30);
  auto scaled = oracle::laplace(40, 30);
  for (auto& a : scaled.value)
    a *= 16;  // an even power of two: strength, aggregates and prolongators are the same bits
  auto const rows = test::share(test::world(), 1200);
  auto const before = test::distribute(whole, rows), after = test::distribute(scaled, rows);
  for (auto smoother : {SmootherType::chebyshev, SmootherType::fsai}) {
    Parameters p;
    p.coarse_max_size = 30;
    p.smoother.type = smoother;
    Hierarchy<double, Host> refreshed(Host{}, before, test::node_ids_on(Host{}, rows), {}, p);
    refreshed.refresh(after);
    Hierarchy<double, Host> fresh(Host{}, after, test::node_ids_on(Host{}, rows), {}, p);
    expect_alike(refreshed, fresh, rows.local_size());
  }
}

}  // namespace
}  // namespace Tessera::multigrid
