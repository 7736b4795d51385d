#include "comm/ghost_rows.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "cases.hpp"
#include "core/memory.hpp"
#include "oracle/dense.hpp"
#include "support/short_memory.hpp"

namespace Tessera {
namespace {

using test::Share;

struct Case {
  comm::DistCsr<double, Host> A, B;
  test::Dense dense_B;
};

Case random_case(Share inner, Share outer) {
  auto const comm = test::world();
  auto const rows = test::share_rows(comm, inner, 6);
  auto const columns = test::share_rows(comm, outer, 4);
  Case c;
  c.dense_B = test::random_dense(rows.global_size(), columns.global_size(), 8);
  c.A = test::distributed(test::random_dense(rows.global_size(), rows.global_size(), 9), rows, rows);
  c.B = test::distributed(c.dense_B, rows, columns);
  return c;
}

/// Row i of the extension is the global row `row` of B, in its owner's order.
void expect_row(comm::ExtendedRows<double, Host> const& extended, Index i, test::Dense const& B,
                GlobalIndex row, std::vector<GlobalIndex> const& global, double factor) {
  Offset k = extended.local.offsets[i];
  for (auto j = B.columns; j-- > 0;) {
    if (B(row, j) == 0) continue;
    ASSERT_LT(k, extended.local.offsets[i + 1]);
    EXPECT_EQ(global[extended.local.column[k]], j);
    EXPECT_EQ(extended.local.value[k], factor * B(row, j));
    ++k;
  }
  EXPECT_EQ(k, extended.local.offsets[i + 1]);
}

void expect_extension(Case const& c, comm::ExtendedRows<double, Host> const& extended, double factor) {
  auto const own = c.B.local.rows;
  auto const& ghosts = c.A.halo.ghosts();
  auto const global = comm::global_columns(extended.columns);
  ASSERT_EQ(extended.local.rows, own + static_cast<Index>(ghosts.size()));
  ASSERT_EQ(extended.local.columns, static_cast<Index>(global.size()));
  for (Index i = 0; i < own; ++i) expect_row(extended, i, c.dense_B, c.B.rows.begin() + i, global, factor);
  for (std::size_t g = 0; g < ghosts.size(); ++g) {
    expect_row(extended, own + static_cast<Index>(g), c.dense_B, ghosts[g], global, factor);
  }
  auto const before = comm::global_columns(c.B.halo);
  ASSERT_EQ(extended.column_of.size(), before.size());
  for (std::size_t k = 0; k < before.size(); ++k) EXPECT_EQ(global[extended.column_of[k]], before[k]);
  EXPECT_TRUE(std::is_sorted(extended.columns.ghosts().begin(), extended.columns.ghosts().end()));
}

TEST(GhostRows, AreTheRowsOfTheirOwners) {
  for (auto const inner : test::all_shares) {
    for (auto const outer : test::all_shares) {
      auto const c = random_case(inner, outer);
      expect_extension(c, comm::extend_rows(Host{}, c.B, c.A.halo), 1.0);
    }
  }
}

TEST(GhostRows, ARefreshRebuildsReleasedRows) {
  for (auto const inner : test::all_shares) {
    auto c = random_case(inner, Share::equal);
    auto extended = comm::extend_rows(Host{}, c.B, c.A.halo);
    extended.release_rows();
    EXPECT_EQ(extended.local.bytes(), 0u);
    for (auto& value : c.B.local.value) value *= 3;
    comm::refresh_extended_rows(Host{}, c.B, c.A.halo, extended);
    expect_extension(c, extended, 3.0);
  }
}

TEST(GhostRows, RefreshFetchesValuesAndAllocatesNothing) {
  for (auto const inner : test::all_shares) {
    auto c = random_case(inner, Share::equal);
    auto extended = comm::extend_rows(Host{}, c.B, c.A.halo);
    for (auto& value : c.B.local.value) value *= -2;
    core::reset_peak(Host{});
    auto const before = core::memory_use(Host{});
    comm::refresh_extended_rows(Host{}, c.B, c.A.halo, extended);
    EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
    expect_extension(c, extended, -2.0);
  }
}

TEST(GhostRows, AreTheSameForAnyNumberOfThreads) {
  auto const A = test::long_matrix(test::world());
  int const threads = omp_get_max_threads();
  omp_set_num_threads(1);
  auto const one = comm::extend_rows(Host{}, A, A.halo);
  omp_set_num_threads(3);
  auto const three = comm::extend_rows(Host{}, A, A.halo);
  omp_set_num_threads(threads);
  EXPECT_TRUE(oracle::identical(one.local, three.local));
  EXPECT_EQ(one.columns.ghosts(), three.columns.ghosts());
}

TEST(GhostRows, AnAllocationThatFailsOnOneRankFailsOnAll) {
  for (auto const inner : {Share::equal, Share::unequal}) {
    auto const c = random_case(inner, Share::equal);
    test::expect_failures_on_every_rank(Host{}, c.A.rows.comm(),
                                        [&] { comm::extend_rows(Host{}, c.B, c.A.halo); });
    auto extended = comm::extend_rows(Host{}, c.B, c.A.halo);
    test::expect_failures_on_every_rank(Host{}, c.A.rows.comm(), [&] {
      extended.release_rows();
      comm::refresh_extended_rows(Host{}, c.B, c.A.halo, extended);
    });
    expect_extension(c, extended, 1);
  }
}

}  // namespace
}  // namespace Tessera
