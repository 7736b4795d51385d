#include "comm/dist_csr.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"
#include "core/error.hpp"

namespace Tessera {
namespace {

using test::Share;

TEST(DistCsr, GhostsOfATridiagonalMatrix) {
  // Two rows on each rank: columns      ghosts of rank 1 of 3
  //   2 -1  .  .          0 1 | 2 3    1 and 4
  //  -1  2 -1  .
  //   . -1  2 -1
  //   .  . -1  2
  auto const comm = test::world();
  comm::Distribution const rows(comm, 2);
  auto const n = rows.global_size();
  test::Dense T{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) {
    T.value[i * n + i] = 2;
    if (i > 0) T.value[i * n + i - 1] = -1;
    if (i + 1 < n) T.value[i * n + i + 1] = -1;
  }
  auto const A = test::distributed(T, rows, rows);
  std::vector<GlobalIndex> ghosts;
  if (comm.rank() > 0) ghosts.push_back(rows.begin() - 1);
  if (comm.rank() + 1 < comm.size()) ghosts.push_back(rows.end());
  EXPECT_EQ(A.halo.ghosts(), ghosts);
  EXPECT_EQ(A.local.rows, 2);
  EXPECT_EQ(A.local.columns, 2 + static_cast<Index>(ghosts.size()));
  EXPECT_EQ(comm::global_nonzeros(A), 3 * n - 2);
  std::vector<GlobalIndex> columns{rows.begin(), rows.begin() + 1};
  columns.insert(columns.end(), ghosts.begin(), ghosts.end());
  EXPECT_EQ(comm::global_columns(A.halo), columns);
}

TEST(DistCsr, EntriesKeepTheirOrderAndGlobalColumns) {
  auto const comm = test::world();
  for (auto const share : test::all_shares) {
    auto const rows = test::share_rows(comm, share, 5);
    auto const columns = test::share_rows(comm, Share::unequal, 3);
    auto const dense = test::random_dense(rows.global_size(), columns.global_size(), 5);
    auto const A = test::distributed(dense, rows, columns);
    auto const global = comm::global_columns(A.halo);
    ASSERT_EQ(A.local.offsets.size(), static_cast<std::size_t>(rows.local_size()) + 1);
    for (Index i = 0; i < rows.local_size(); ++i) {
      Offset k = A.local.offsets[i];
      for (auto j = dense.columns; j-- > 0;) {
        if (dense(rows.begin() + i, j) == 0) continue;
        ASSERT_LT(k, A.local.offsets[i + 1]);
        EXPECT_EQ(global[A.local.column[k]], j);
        EXPECT_EQ(A.local.value[k], dense(rows.begin() + i, j));
        ++k;
      }
      EXPECT_EQ(k, A.local.offsets[i + 1]);
    }
  }
}

template <class T>
void expect_dense_product(Share row_share, Share column_share) {
  auto const comm = test::world();
  auto const rows = test::share_rows(comm, row_share, 7);
  auto const columns = test::share_rows(comm, column_share, 5);
  auto const dense = test::random_dense(rows.global_size(), columns.global_size(), 2);
  auto const A = test::distributed<T>(dense, rows, columns);
  auto const x = test::random_vector<T>(columns.global_size(), 4);
  auto const mine = test::owned_part(columns, x);
  std::vector<T> y(rows.local_size(), T(-1));
  comm::multiply(Host{}, A, test::view(mine), test::span(y));
  EXPECT_EQ(y, test::product(dense, rows, x));
}

TEST(DistCsr, MultipliesAsTheDenseMatrixBitForBit) {
  for (auto const rows : test::all_shares) {
    for (auto const columns : test::all_shares) {
      expect_dense_product<double>(rows, columns);
      expect_dense_product<float>(rows, columns);
    }
  }
}

TEST(DistCsr, AnInvalidRankFailsOnAllRanks) {
  auto const comm = test::world();
  comm::Distribution const rows(comm, 1);
  bool const bad = comm.rank() == comm.size() - 1;
  GlobalIndex const column = bad ? rows.global_size() : 0;
  EXPECT_THROW(comm::from_global<double>(rows, rows, {0, 1}, {column}, {1.0}), core::InvalidInput);
  EXPECT_THROW(comm::from_global<double>(rows, rows, {0, 1}, {0}, std::vector<double>(bad ? 2 : 1, 1.0)),
               core::InvalidInput);
  EXPECT_THROW(comm::from_global<double>(rows, rows, std::vector<Offset>(bad ? 1 : 2, 0), {}, {}),
               core::InvalidInput);
}

}  // namespace
}  // namespace Tessera
