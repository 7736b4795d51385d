// Products with blocks of vectors: each column has bitwise the result of a single vector.
#include <gtest/gtest.h>
#include <omp.h>

#include <cstring>
#include <limits>

#include "cases.hpp"
#include "comm/fused_product.hpp"
#include "core/memory.hpp"

namespace Tessera {
namespace {

using comm::MatrixFormat;
using comm::StorageParameters;
using core::Interleaved;

constexpr MatrixFormat all_formats[] = {MatrixFormat::automatic, MatrixFormat::csr,  MatrixFormat::sell,
                                        MatrixFormat::ellpack_r, MatrixFormat::pjds, MatrixFormat::hyb};

template <class T, int k>
using Block = std::vector<Interleaved<T, k>>;

/// The block whose column c is column[c].
template <class T, int k>
Block<T, k> interleaved(std::vector<std::vector<T>> const& column) {
  Block<T, k> block(column[0].size());
  for (int c = 0; c < k; ++c) {
    for (std::size_t i = 0; i < block.size(); ++i) block[i].column[c] = column[c][i];
  }
  return block;
}

template <class T, int k>
std::vector<T> column_of(Block<T, k> const& block, int c) {
  std::vector<T> column;
  for (auto const& row : block) column.push_back(row.column[c]);
  return column;
}

/// Global vectors, a different one in each column; the second column is zero.
template <class T, int k>
std::vector<std::vector<T>> whole_columns(GlobalIndex n) {
  std::vector<std::vector<T>> column;
  for (int c = 0; c < k; ++c) column.push_back(test::random_vector<T>(n, 40 + c));
  column[1].assign(n, T(0));
  return column;
}

template <class T>
std::vector<std::vector<T>> owned_parts(comm::Distribution const& rows,
                                        std::vector<std::vector<T>> const& whole) {
  std::vector<std::vector<T>> parts;
  for (auto const& column : whole) parts.push_back(test::owned_part(rows, column));
  return parts;
}

template <class T>
void expect_same_bits(std::vector<T> const& a, std::vector<T> const& b) {
  ASSERT_EQ(a.size(), b.size());
  EXPECT_TRUE(a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

template <class T, int k>
void expect_products(comm::Communicator const& comm, test::Share row_share, test::Share column_share,
                     MatrixFormat format) {
  auto const rows = test::share_rows(comm, row_share, 37);
  auto const columns = test::share_rows(comm, column_share, 35);
  auto const dense = test::random_dense(rows.global_size(), columns.global_size(), 2, 6);
  auto const A = test::distributed(dense, rows, columns);
  comm::DistMatrix<T, Host> matrix(Host{}, A, {format});
  matrix.reserve_columns(Host{}, k);
  auto const whole = whole_columns<T, k>(columns.global_size());
  auto const x = interleaved<T, k>(owned_parts(columns, whole));
  Block<T, k> y(rows.local_size());
  comm::multiply(Host{}, matrix, test::view(x), test::span(y));
  for (int c = 0; c < k; ++c) {
    auto const Ax = test::product(dense, rows, whole[c]);
    auto const found = column_of(y, c);
    ASSERT_EQ(found.size(), Ax.size());
    for (std::size_t i = 0; i < Ax.size(); ++i) EXPECT_EQ(found[i], Ax[i]);
  }
}

template <class T, int k>
void expect_restrictions(comm::Communicator const& comm, test::Share row_share, test::Share column_share,
                         MatrixFormat format) {
  auto const rows = test::share_rows(comm, row_share, 37);
  auto const columns = test::share_rows(comm, column_share, 13);
  auto const dense = test::random_dense(rows.global_size(), columns.global_size(), 3);
  auto const P = test::distributed(dense, rows, columns);
  auto const transposed = sparse::transpose<double>(Host{}, P.local.view());
  comm::DistTranspose<T, Host> R(Host{}, P, transposed, {format});
  R.reserve_columns(Host{}, k);
  auto const r = owned_parts(rows, whole_columns<T, k>(rows.global_size()));
  auto const block = interleaved<T, k>(r);
  Block<T, k> coarse(columns.local_size());
  comm::multiply_transposed(Host{}, R, test::view(block), test::span(coarse));
  for (int c = 0; c < k; ++c) {
    std::vector<T> alone(columns.local_size());
    comm::multiply_transposed(Host{}, R, test::view(r[c]), test::span(alone));
    expect_same_bits(column_of(coarse, c), alone);
  }
}

template <class T, int k>
void expect_all(comm::Communicator const& comm, test::Share rows, test::Share columns) {
  for (auto const format : all_formats) {
    expect_products<T, k>(comm, rows, columns, format);
    expect_restrictions<T, k>(comm, rows, columns, format);
  }
}

TEST(BlockProducts, ColumnsAreTheDenseProductsAndSingleRestrictionsBitForBitInEveryMode) {
  for (auto const overlap : test::all_overlaps) {
    auto const comm = test::world(overlap);
    for (auto const rows : test::all_shares) {
      for (auto const columns : test::all_shares) {
        expect_all<double, 4>(comm, rows, columns);
        expect_all<double, 8>(comm, rows, columns);
        expect_all<float, 4>(comm, rows, columns);
        expect_all<float, 8>(comm, rows, columns);
      }
    }
  }
}

TEST(BlockProducts, ResidualsOfLongBlocksAreThoseOfVectorsForAnyNumberOfThreads) {
  constexpr int k = 8;
  auto const A = test::long_matrix(test::world());
  auto const x = owned_parts(A.rows, whole_columns<double, k>(A.rows.global_size()));
  auto const block = interleaved<double, k>(x);
  auto const b = interleaved<double, k>({x.rbegin(), x.rend()});
  int const threads = omp_get_max_threads();
  for (auto const format : all_formats) {
    comm::DistMatrix<double, Host> matrix(Host{}, A, {format});
    matrix.reserve_columns(Host{}, k);
    for (int const t : {1, 4}) {
      omp_set_num_threads(t);
      Block<double, k> r(b.size());
      comm::multiply_fused(Host{}, matrix, test::view(block),
                           sparse::StoreResidual<Interleaved<double, k>>{b.data(), r.data()});
      for (int c = 0; c < k; ++c) {
        std::vector<double> alone(b.size());
        auto const b_alone = x[k - 1 - c];
        comm::multiply_fused(Host{}, matrix, test::view(x[c]),
                             sparse::StoreResidual<double>{b_alone.data(), alone.data()});
        expect_same_bits(column_of(r, c), alone);
      }
    }
  }
  omp_set_num_threads(threads);
}

TEST(BlockProducts, NotANumberStaysInItsColumn) {
  constexpr int k = 4;
  auto const A = test::long_matrix(test::world());
  auto x = owned_parts(A.rows, whole_columns<double, k>(A.rows.global_size()));
  comm::DistMatrix<double, Host> matrix(Host{}, A);
  matrix.reserve_columns(Host{}, k);
  auto const product = [&] {
    auto const block = interleaved<double, k>(x);
    Block<double, k> y(block.size());
    comm::multiply(Host{}, matrix, test::view(block), test::span(y));
    return y;
  };
  auto const before = product();
  x[2].assign(x[2].size(), std::numeric_limits<double>::quiet_NaN());
  auto const after = product();
  for (int const c : {0, 1, 3}) expect_same_bits(column_of(after, c), column_of(before, c));
  for (auto const& row : after) EXPECT_NE(row.column[2], row.column[2]);
}

TEST(BlockProducts, ReserveColumnsAllocatesOnceAndKeepsTheGhostsOfVectors) {
  auto const A = test::long_matrix(test::world());
  comm::DistMatrix<double, Host> matrix(Host{}, A);
  auto const bytes = matrix.bytes();
  auto const* const ghosts = matrix.ghosts().data();
  matrix.reserve_columns(Host{}, 8);
  EXPECT_EQ(matrix.bytes() - bytes, 8 * matrix.ghosts().size() * sizeof(double));
  EXPECT_EQ(matrix.ghosts().data(), ghosts);
  auto const x = interleaved<double, 8>(owned_parts(A.rows, whole_columns<double, 8>(A.rows.global_size())));
  Block<double, 8> y(x.size());
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{});
  matrix.reserve_columns(Host{}, 4);
  comm::multiply(Host{}, matrix, test::view(x), test::span(y));
  EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
}

}  // namespace
}  // namespace Tessera
