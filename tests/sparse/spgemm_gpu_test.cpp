#include "sparse/spgemm.hpp"

#include <algorithm>
#include <numeric>

#include "core/hash.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/transpose.hpp"
#include "support/device.hpp"

namespace Tessera::sparse {
namespace {

void expect_the_hosts_product(Csr<double, Host> const& A, Csr<double, Host> const& B,
                              SpgemmMethod method = SpgemmMethod::hash) {
  Host const host;
  auto const device = core::make_cuda();
  auto const A_there = copied<double>(host, A, device), B_there = copied<double>(host, B, device);
  auto const C = spgemm(device, A_there.view(), B_there.view(), method);
  EXPECT_TRUE(oracle::identical(copied<double>(device, C, host), spgemm(host, A.view(), B.view())));
}

/// Row i has length[i % length.size()] entries at hashed columns, ascending.
Csr<double, Host> with_lengths(Index rows, Index columns, std::vector<Index> const& length, int seed) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < rows; ++i) {
    auto const wanted = std::min(length[i % length.size()], columns);
    // An arithmetic progression modulo the number of columns meets no column twice.
    auto const first = static_cast<GlobalIndex>(core::mix64(i * 1000003ll + seed) % columns);
    GlobalIndex step = 1 + static_cast<GlobalIndex>(core::mix64(i + 77ll * seed) % columns);
    while (std::gcd(step, GlobalIndex{columns}) != 1) ++step;
    std::vector<Index> row;
    for (Index k = 0; k < wanted; ++k) row.push_back(static_cast<Index>((first + k * step) % columns));
    std::sort(row.begin(), row.end());
    for (auto const c : row) {
      column.push_back(c);
      value.push_back(core::uniform(c, i + 31 * seed));
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(rows, columns, offsets, column, value);
}

TEST(CudaSpgemm, RandomProductsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const method : {SpgemmMethod::hash, SpgemmMethod::esc}) {
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      auto const A = oracle::random_matrix(200 + 40 * seed, 150, 1 + 3 * seed, seed);
      auto const B = oracle::random_matrix(150, 90 + 100 * seed, 4, seed + 100);
      expect_the_hosts_product(A, B, method);
    }
  }
}

TEST(CudaSpgemm, ProductsOfStencilsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  for (auto const& A : {oracle::laplace(57, 43), oracle::laplace(19, 17, 13), oracle::laplace(1000)}) {
    auto const square = spgemm(Host{}, A.view(), A.view());
    expect_the_hosts_product(A, A);
    expect_the_hosts_product(square, square);
    expect_the_hosts_product(transpose(Host{}, square.view()).matrix, A);
  }
}

// Rows for every bin, and for every first bin.
TEST(CudaSpgemm, ShortLongAndEmptyRowsTogetherAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const B = with_lengths(6000, 40000, {0, 3, 1, 9, 0, 40}, 1);
  for (auto const& lengths : std::vector<std::vector<Index>>{{0, 1, 2},
                                                             {4, 0, 30, 1, 900},
                                                             {1, 1, 1, 1, 1, 1, 1, 300, 1, 1, 1, 5000},
                                                             {60, 40, 80, 0},
                                                             {800, 2000, 1200}}) {
    expect_the_hosts_product(with_lengths(61, 6000, lengths, 2), B);
  }
}

// As on fine levels: many rows, some of them too long for the bin of the other rows.
TEST(CudaSpgemm, ManyRowsByShortOnesAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const product = [](std::vector<Index> const& of_A, std::vector<Index> const& of_B,
                          Index rows = 20000) {
    expect_the_hosts_product(with_lengths(rows, 900, of_A, 8), with_lengths(900, 700, of_B, 9));
  };
  product({7, 0, 6, 7, 5}, {3, 0, 4, 1});
  product({30, 40, 0, 2}, {3, 2, 4, 5});
  product({8, 12, 9, 0, 1, 8, 7, 120}, {9, 0, 12, 8, 33});
  product({40, 30, 50}, {8, 9, 4});
  product({20, 0, 9, 30}, {25, 30, 17, 90});
  product({60, 0, 80, 30, 3}, {25, 40, 1, 20}, 5000);
}

TEST(CudaSpgemm, RowsLongerThanAnyTableAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const B = with_lengths(3000, 100000, {30, 50}, 3);
  expect_the_hosts_product(with_lengths(40, 3000, {1, 2, 0, 3000, 1, 3, 2, 1}, 4), B);
  expect_the_hosts_product(with_lengths(3, 3000, {3000}, 5), B);
}

TEST(CudaSpgemm, VeryWideProductsAreTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  expect_the_hosts_product(oracle::random_matrix(600, 300, 8, 18),
                           oracle::random_matrix(300, 50000000, 9, 19));
}

TEST(CudaSpgemm, EmptyMatricesMultiply) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const empty = [](Index rows, Index columns) {
    return oracle::make_csr(rows, columns, std::vector<Offset>(rows + 1, 0), {}, {});
  };
  for (auto [m, k, n] : {std::tuple{0, 0, 0}, {3, 0, 2}, {0, 4, 2}, {3, 2, 0}, {2, 2, 2}})
    expect_the_hosts_product(empty(m, k), empty(k, n));
}

/// P^T (A B) for several values of P, A and B: the first by a full product, the others by refreshes.
void expect_the_hosts_chain(Csr<double, Host> const& first_P, Csr<double, Host> const& first_A,
                            Csr<double, Host> const& first_B, BlockShape const& blocks = {}) {
  Host const host;
  auto P = copied<double>(host, first_P, host), A = copied<double>(host, first_A, host),
       B = copied<double>(host, first_B, host);
  auto const device = core::make_cuda();
  auto R = transpose(host, P.view());
  auto R_there = transpose(device, copied<double>(host, P, device).view());
  auto const expected = [&] {
    return spgemm(host, R.matrix.view(), spgemm(host, A.view(), B.view()).view());
  };
  ChainPlan<Cuda> plan;
  Csr<double, Cuda> product;
  for (int times = 0; times <= 3; ++times) {
    auto const P_there = copied<double>(host, P, device), A_there = copied<double>(host, A, device),
               B_there = copied<double>(host, B, device);
    refresh_transpose(host, P.view(), R);
    refresh_transpose(device, P_there.view(), R_there);
    ChainOperands<Cuda> const operands{P_there.view(), R_there, A_there.view(), B_there.view(), blocks};
    if (times == 0) {
      auto const lean =
          spgemm_chain(device, operands, SpgemmMethod::hash, static_cast<ChainPlan<Cuda>*>(nullptr));
      EXPECT_TRUE(oracle::identical(copied<double>(device, lean, host), expected()));
      product = spgemm_chain(device, operands, SpgemmMethod::hash, &plan);
    } else {
      refresh_chain(device, operands, SpgemmMethod::hash, plan, product);
    }
    EXPECT_TRUE(oracle::identical(copied<double>(device, product, host), expected())) << "refresh " << times;
    for (auto* const matrix : {&P, &A, &B}) {
      for (auto& a : matrix->value) a = 1 / (times + 1 + a * a);
    }
  }
}

// Rows of P and B for every number of lanes; a few rows of A B are longer than the others.
TEST(CudaSpgemm, ChainsTakeNewValuesAsTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const stencil = oracle::laplace(9, 7, 5);
  auto const n = stencil.rows;
  for (auto const& lengths :
       std::vector<std::vector<Index>>{{3, 0, 4, 1}, {9, 7, 0, 8}, {20, 1, 15}, {40, 33}}) {
    auto const P = with_lengths(n, 90, lengths, 1);
    expect_the_hosts_chain(P, stencil, P);
  }
  auto const P = with_lengths(n, 40, {2, 3}, 2);
  expect_the_hosts_chain(P, stencil, with_lengths(n, 3000, {3, 2, 3, 3, 3, 3, 30}, 3));
}

// A thread takes a row of A B.
TEST(CudaSpgemm, ChainsOfManyShortRowsTakeNewValuesAsTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const A = oracle::laplace(400, 350);
  expect_the_hosts_chain(with_lengths(A.rows, 900, {2, 3}, 1), A,
                         with_lengths(A.rows, 900, {3, 0, 7, 1, 4}, 2));
}

// Rows of A B and of the product with more entries than a byte counts, and with more than plans have scatter
// indices for.
TEST(CudaSpgemm, ChainsWithLongRowsTakeNewValuesAsTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  auto const P = with_lengths(2000, 40, {2, 3}, 2);
  expect_the_hosts_chain(P, with_lengths(2000, 500, {7, 7, 0, 90}, 4), with_lengths(500, 9000, {5, 4, 6}, 5));
  expect_the_hosts_chain(P, with_lengths(2000, 500, {1, 400}, 4), with_lengths(500, 60000, {50}, 5));
}

// A with patterns of nodes, or of rows; rows of A B in more blocks than a group has lanes, and left rows of
// more entries than a stretch.
TEST(CudaSpgemm, ChainsInBlocksTakeNewValuesAsTheHostDoes) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  constexpr Index nodes = 200;
  for (int const width : {2, 3, 6, 7}) {
    for (int const rows : {1, 3, 6}) {
      auto const P = oracle::in_blocks(nodes, 60, rows, width, 3, 40);
      for (double const neighbours : {3, 60})
        expect_the_hosts_chain(P, oracle::in_blocks(nodes, nodes, rows, rows, neighbours, 41), P,
                               {rows, width});
      expect_the_hosts_chain(P, oracle::random_matrix(nodes * rows, nodes * rows, 9, 42), P, {rows, width});
    }
  }
}

TEST(CudaTranspose, IsTheHosts) {
  TESSERA_SKIP_WITHOUT_DEVICE();
  Host const host;
  auto const device = core::make_cuda();
  for (auto const& A :
       {oracle::laplace(31, 17, 9), with_lengths(500, 70, {0, 5, 70, 1}, 6),
        with_lengths(70, 30000, {0, 5, 7000, 1}, 7), oracle::make_csr(3, 0, {0, 0, 0, 0}, {}, {})}) {
    auto const expected = transpose(host, A.view());
    auto At = transpose(device, copied<double>(host, A, device).view());
    EXPECT_TRUE(oracle::identical(copied<double>(device, At.matrix, host), expected.matrix));
    auto const source = core::to_vector(device, At.source.view());
    EXPECT_TRUE(std::equal(source.begin(), source.end(), expected.source.begin(), expected.source.end()));
    auto twice = copied<double>(host, A, host);
    for (auto& a : twice.value) a *= 2;
    refresh_transpose(device, copied<double>(host, twice, device).view(), At);
    EXPECT_TRUE(
        oracle::identical(copied<double>(device, At.matrix, host), transpose(host, twice.view()).matrix));
  }
}

}  // namespace
}  // namespace Tessera::sparse
