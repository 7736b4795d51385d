#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>

#include "cases.hpp"
#include "comm/fused_product.hpp"
#include "core/memory.hpp"
#include "support/stored.hpp"

namespace Tessera {
namespace {

using comm::MatrixFormat;
using comm::StorageParameters;
using test::Share;

/// Every format, and several storage parameters of CSR and SELL-C-sigma.
std::vector<StorageParameters> const storages = [] {
  std::vector<StorageParameters> all{{MatrixFormat::automatic},
                                     {MatrixFormat::csr, 32, 256, true},
                                     {MatrixFormat::sell, 4, 8},
                                     {MatrixFormat::sell, 3, 1}};
  for (auto const& [name, format] : test::formats()) all.push_back({format});
  return all;
}();

/// r = b - A x in one pass.
template <class T>
std::vector<T> residual(comm::DistMatrix<T, Host> const& A, std::vector<T> const& x,
                        std::vector<T> const& b) {
  std::vector<T> r(b.size(), T(-7));
  comm::multiply_fused(Host{}, A, test::view(x), sparse::StoreResidual<T>{b.data(), r.data()});
  return r;
}

template <class T>
void expect_residual(comm::Communicator const& comm, Share row_share, Share column_share,
                     StorageParameters const& storage) {
  auto const rows = test::share_rows(comm, row_share, 7);
  auto const columns = test::share_rows(comm, column_share, 5);
  auto dense = test::random_dense(rows.global_size(), columns.global_size(), 2, 6);
  auto A = test::distributed(dense, rows, columns);
  comm::DistMatrix<T, Host> matrix(Host{}, A, storage);
  auto const x = test::random_vector<T>(columns.global_size(), 4);
  auto const b = test::owned_part(rows, test::random_vector<T>(rows.global_size(), 5));
  auto const expect_it = [&] {
    auto const r = residual(matrix, test::owned_part(columns, x), b);
    auto const Ax = test::product(dense, rows, x);
    ASSERT_EQ(r.size(), Ax.size());
    for (std::size_t i = 0; i < r.size(); ++i) EXPECT_EQ(r[i], b[i] - Ax[i]);
  };
  expect_it();
  for (auto& a : dense.value) a *= 1.7;
  for (auto& a : A.local.value) a *= 1.7;
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{});
  matrix.refresh(Host{}, A);
  expect_it();
  EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
}

TEST(DistMatrix, FusedProductsAndTheirRefreshAreTheDenseOnesBitForBitInEveryMode) {
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const& storage : storages) {
      for (auto const rows : test::all_shares) {
        for (auto const columns : test::all_shares) {
          expect_residual<double>(comm, rows, columns, storage);
          expect_residual<float>(comm, rows, columns, storage);
        }
      }
    }
  }
}

TEST(DistMatrix, LongProductsAreTheSameInEveryFormatAndForAnyNumberOfThreads) {
  auto const A = test::long_matrix(test::world());
  auto const n = A.rows.local_size();
  auto const x = test::owned_part(A.rows, test::random_vector(A.rows.global_size(), 1));
  std::vector<double> const b(n, 0.5);
  std::vector<double> Ax(n), expected(n), ghosts(A.halo.ghost_count());
  comm::multiply(Host{}, A, test::view(x), test::span(Ax));
  A.halo.exchange(Host{}, test::view(x), test::span(ghosts));
  for (Index i = 0; i < n; ++i) {
    double sum = 0;
    for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
      auto const c = A.local.column[k];
      sum += A.local.value[k] * (c < n ? x[c] : ghosts[c - n]);
    }
    EXPECT_EQ(Ax[i], sum);
    expected[i] = b[i] - sum;
  }
  int const threads = omp_get_max_threads();
  for (auto const& storage : storages) {
    for (int const t : {1, 2, 3}) {
      omp_set_num_threads(t);
      comm::DistMatrix<double, Host> const matrix(Host{}, A, storage);
      EXPECT_EQ(residual(matrix, x, b), expected);
    }
  }
  omp_set_num_threads(threads);
}

TEST(DistMatrix, BorrowingInDoubleCopiesNothing) {
  auto const comm = test::world();
  comm::Distribution const rows(comm, 20);
  auto const dense = test::random_dense(rows.global_size(), rows.global_size(), 1);
  auto const A = test::distributed(dense, rows, rows);
  comm::DistMatrix<double, Host> const borrowed(Host{}, A, {MatrixFormat::csr, 32, 256, true});
  comm::DistMatrix<double, Host> const copied(Host{}, A, {MatrixFormat::csr, 32, 256, false});
  EXPECT_EQ(copied.bytes() - borrowed.bytes(), A.local.bytes());
  EXPECT_STREQ(borrowed.format(), "CSR");
}

TEST(DistMatrix, AutomaticAvoidsPadding) {
  // One row of 64 entries among rows of one entry makes a chunk of 32 rows 64 columns wide.
  auto const comm = test::world();
  comm::Distribution const rows(comm, 64);
  auto const n = rows.global_size();
  test::Dense ragged{n, n, std::vector<double>(n * n, 0.0)}, even = ragged;
  for (GlobalIndex i = 0; i < n; ++i) ragged.value[i * n + i] = even.value[i * n + i] = 1;
  for (GlobalIndex j = 0; j < n; ++j) ragged.value[j] = 1;
  using Matrix = comm::DistMatrix<float, Host>;
  Matrix const A(Host{}, test::distributed(even, rows, rows)),
      B(Host{}, test::distributed(ragged, rows, rows));
  EXPECT_STREQ(A.format(), "SELL-C-sigma");
  EXPECT_STREQ(B.format(), comm.rank() == 0 ? "CSR" : "SELL-C-sigma");
  EXPECT_EQ(A.formats(), "SELL-C-sigma");
  char const* const on_all[] = {"CSR", "CSR (1 rank), SELL-C-sigma (1 rank)",
                                "CSR (1 rank), SELL-C-sigma (2 ranks)",
                                "CSR (1 rank), SELL-C-sigma (3 ranks)"};
  ASSERT_LE(comm.size(), 4);
  EXPECT_EQ(B.formats(), on_all[comm.size() - 1]);
}

template <class T>
void expect_restriction(comm::Communicator const& comm, Share row_share, Share column_share,
                        StorageParameters const& storage) {
  auto const rows = test::share_rows(comm, row_share, 7);
  auto const columns = test::share_rows(comm, column_share, 3);
  auto dense = test::random_dense(rows.global_size(), columns.global_size(), 3);
  auto P = test::distributed(dense, rows, columns);
  auto transposed = sparse::transpose<double>(Host{}, P.local.view());
  comm::DistTranspose<T, Host> R(Host{}, P, transposed, storage);
  auto const r = test::random_vector<T>(rows.global_size(), 8);
  auto const mine = test::owned_part(rows, r);
  std::vector<T> coarse(columns.local_size(), T(-7));
  auto const expect_it = [&] {
    comm::multiply_transposed(Host{}, R, test::view(mine), test::span(coarse));
    for (auto j = columns.begin(); j < columns.end(); ++j) {
      // The rank's own sum first, then the sums of all other ranks by ascending rank.
      auto const partial = [&](int rank) {
        T sum = 0;
        for (auto i = rows.begin(rank); i < rows.begin(rank + 1); ++i) {
          if (dense(i, j) != 0) sum += static_cast<T>(dense(i, j)) * r[i];
        }
        return sum;
      };
      T expected = partial(comm.rank());
      for (int rank = 0; rank < comm.size(); ++rank) {
        if (rank != comm.rank()) expected += partial(rank);
      }
      EXPECT_EQ(coarse[j - columns.begin()], expected);
    }
  };
  expect_it();
  for (auto& a : dense.value) a *= 1.7;
  for (auto& a : P.local.value) a *= 1.7;
  sparse::refresh_transpose(Host{}, P.local.view(), transposed);
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{});
  R.refresh(Host{}, transposed);
  expect_it();
  EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
}

TEST(DistTranspose, SumsOverRanksInTheirOrderInEveryMode) {
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const& storage : storages) {
      for (auto const rows : test::all_shares) {
        for (auto const columns : test::all_shares) {
          expect_restriction<double>(comm, rows, columns, storage);
          expect_restriction<float>(comm, rows, columns, storage);
        }
      }
    }
  }
}

}  // namespace
}  // namespace Tessera
