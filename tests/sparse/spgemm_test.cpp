#include "sparse/spgemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/column_table_host.hpp"
#include "sparse/row_sort_host.hpp"
#include "sparse/spgemm_hash_body.hpp"
#include "support/short_memory.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

using Methods = ::testing::TestWithParam<SpgemmMethod>;

/// Gustavson's loop, row by row: sums over k in A's storage order, from zero.
template <class T>
Csr<double, Host> gustavson(CsrView<T> A, CsrView<T> B) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < A.rows; ++i) {
    std::map<Index, T> row;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l) {
        row.emplace(B.column[l], T{0}).first->second += A.value[k] * B.value[l];
      }
    }
    for (auto const& [j, c] : row) {
      column.push_back(j);
      value.push_back(c);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(A.rows, B.columns, offsets, column, value);
}

// [ 1 2 0 ]   [ 0 1 ]   [ 4 -1 ]
// [ 0 0 0 ] x [ 2 -1] = [      ]   and the zero at (2, 1), 3 * 1 + 3 * -1, stays in the pattern
// [ 3 3 0 ]   [ 5 0 ]   [ 6  0 ]
TEST_P(Methods, SmallProductIsExactAndKeepsStructuralZeros) {
  auto const A = oracle::make_csr(3, 3, {0, 2, 2, 4}, {1, 0, 0, 1}, {2, 1, 3, 3});
  auto const B = oracle::make_csr(3, 2, {0, 1, 3, 4}, {1, 1, 0, 0}, {1, -1, 2, 5});
  auto const C = spgemm(Host{}, A.view(), B.view(), GetParam());
  EXPECT_TRUE(oracle::identical(C, oracle::make_csr(3, 2, {0, 2, 2, 4}, {0, 1, 0, 1}, {4, -1, 6, 0})));
}

TEST_P(Methods, RandomProductsAreBitwiseGustavsons) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    auto const A = oracle::random_matrix(200 + 40 * seed, 150, 1 + 3 * seed, seed);
    auto const B = oracle::random_matrix(150, 90 + 100 * seed, 4, seed + 100);
    auto const C = spgemm(Host{}, A.view(), B.view(), GetParam());
    EXPECT_TRUE(oracle::identical(C, gustavson(A.view(), B.view()))) << seed;
    auto const dense = oracle::product(oracle::to_dense(A.view()), oracle::to_dense(B.view()));
    EXPECT_LT(oracle::largest_difference(oracle::to_dense(C.view()), dense), 1e-13);
  }
}

TEST_P(Methods, FloatProductsAreBitwiseGustavsons) {
  auto const A = copied<float>(Host{}, oracle::random_matrix(300, 250, 6, 7), Host{});
  auto const B = copied<float>(Host{}, oracle::random_matrix(250, 200, 6, 8), Host{});
  auto const C = copied<double>(Host{}, spgemm(Host{}, A.view(), B.view(), GetParam()), Host{});
  EXPECT_TRUE(oracle::identical(C, gustavson(A.view(), B.view())));
}

TEST_P(Methods, RowsLongerThanAnyTableBlockWork) {
  auto const A = oracle::random_matrix(30, 2000, 400, 9);
  auto const B = oracle::random_matrix(2000, 3000, 12, 10);
  EXPECT_TRUE(
      oracle::identical(spgemm(Host{}, A.view(), B.view(), GetParam()), gustavson(A.view(), B.view())));
}

// Memory that ends while places are found leaves no plan behind.
TEST(ChainPlan, IsMadeAgainWhenMemoryRanOut) {
  auto const P = oracle::random_matrix(3600, 420, 3, 30);
  auto const A = oracle::laplace(60, 60);
  auto R = transpose(Host{}, P.view());
  auto chain =
      spgemm_chain(Host{}, P.view(), R, A.view(), P.view(), SpgemmMethod::hash, RefreshPreparation::patterns);
  auto const expected = core::copied(Host{}, chain.product.value.view(), Host{});
  auto const refresh = [&] {
    refresh_chain(Host{}, P.view(), R, A.view(), P.view(), SpgemmMethod::hash, chain.plan, chain.product);
  };
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{}).in_use;
  refresh();
  auto const needed = core::memory_use(Host{}).peak - before;
  for (int tenths = 0; tenths < 10; ++tenths) {
    chain.plan = {};
    {
      test::ShortMemory const end(Host{}, needed * tenths / 10);
      EXPECT_TRUE(test::runs_out_of_memory(refresh)) << tenths;
    }
    core::fill(Host{}, chain.product.value.span(), -1);
    refresh();
    EXPECT_TRUE(oracle::same_bits(expected, chain.product.value)) << tenths;
  }
}

// So wide that no thread can have a dense table.
TEST_P(Methods, VeryWideMatricesMultiply) {
  auto const A = oracle::random_matrix(600, 300, 8, 18), B = oracle::random_matrix(300, 50000000, 9, 19);
  for (int threads : {1, 2}) {
    auto const C =
        testing::with_threads(threads, [&] { return spgemm(Host{}, A.view(), B.view(), GetParam()); });
    EXPECT_TRUE(oracle::identical(C, gustavson(A.view(), B.view())));
  }
}

TEST_P(Methods, DoNotDependOnThreads) {
  auto const A = oracle::laplace(40, 40, 8);
  auto const B = oracle::random_matrix(A.columns, 3000, 3, 11);
  auto const run = [&] { return spgemm(Host{}, A.view(), B.view(), GetParam()); };
  auto const one = testing::with_threads(1, run);
  for (int threads : {2, 3, 4}) EXPECT_TRUE(oracle::identical(one, testing::with_threads(threads, run)));
}

TEST_P(Methods, EmptyMatricesMultiply) {
  auto const empty = [](Index rows, Index columns) {
    return oracle::make_csr(rows, columns, std::vector<Offset>(rows + 1, 0), {}, {});
  };
  for (auto [m, k, n] : {std::tuple{0, 0, 0}, {3, 0, 2}, {0, 4, 2}, {3, 2, 0}, {2, 2, 2}}) {
    auto const C = spgemm(Host{}, empty(m, k).view(), empty(k, n).view(), GetParam());
    EXPECT_EQ(C.rows, m);
    EXPECT_EQ(C.columns, n);
    EXPECT_EQ(core::to_vector(Host{}, C.offsets.view()), std::vector<Offset>(m + 1, 0));
  }
}

TEST_P(Methods, NumericFillsAPatternThatHasMoreThanTheProduct) {
  auto const A = oracle::random_matrix(60, 50, 4, 12), B = oracle::random_matrix(50, 40, 3, 13);
  auto const C = spgemm(Host{}, A.view(), B.view(), GetParam());
  oracle::Dense full(60, 40, std::vector<double>(60 * 40, 7.0));
  auto D = oracle::to_csr(full);
  spgemm_numeric(Host{}, A.view(), B.view(), D, GetParam());
  EXPECT_EQ(oracle::to_dense(D.view()), oracle::to_dense(C.view()));
}

TEST_P(Methods, NumericAgainAfterNewValuesIsAFreshProduct) {
  auto A = oracle::random_matrix(400, 300, 5, 14);
  auto const B = oracle::random_matrix(300, 200, 5, 15);
  auto C = spgemm(Host{}, A.view(), B.view(), GetParam());
  for (auto& a : A.value) a = 1 / (2 + a);
  spgemm_numeric(Host{}, A.view(), B.view(), C, GetParam());
  EXPECT_TRUE(oracle::identical(C, spgemm(Host{}, A.view(), B.view(), GetParam())));
}

// The product in one pass starts its sums from zero as well: 0 + -0 is 0.
TEST_P(Methods, ProductIsBitwiseThatOfThePhases) {
  auto const A = oracle::random_matrix(3000, 400, 5, 20);
  auto B = oracle::random_matrix(400, 300, 6, 21);
  for (std::size_t k = 0; k < B.value.size(); k += 7) B.value[k] = k % 2 == 0 ? 0.0 : -0.0;
  auto expected = spgemm_symbolic(Host{}, A.view(), B.view(), GetParam());
  spgemm_numeric(Host{}, A.view(), B.view(), expected, GetParam());
  for (int threads : {1, 2, 3}) {
    auto const C =
        testing::with_threads(threads, [&] { return spgemm(Host{}, A.view(), B.view(), GetParam()); });
    EXPECT_TRUE(oracle::identical(C, expected)) << threads;
  }
}

TEST_P(Methods, ChainIsBitwiseTwoProductsAndTakesNewValues) {
  auto P = oracle::random_matrix(3600, 420, 3, 22), B = oracle::random_matrix(3600, 200, 4, 23);
  auto A = oracle::laplace(60, 60);
  using Way = std::pair<int, RefreshPreparation>;  // six threads would have too much of A B in common
  for (auto const& [threads, preparation] :
       {Way{1, RefreshPreparation::patterns}, Way{2, RefreshPreparation::patterns},
        Way{3, RefreshPreparation::patterns}, Way{6, RefreshPreparation::patterns},
        Way{1, RefreshPreparation::all}, Way{2, RefreshPreparation::all}, Way{6, RefreshPreparation::all}}) {
    testing::with_threads(threads, [&, how = preparation] {
      auto R = transpose(Host{}, P.view());
      auto const expected = [&] {
        refresh_transpose(Host{}, P.view(), R);
        return spgemm(Host{}, R.matrix.view(), spgemm(Host{}, A.view(), B.view(), GetParam()).view(),
                      GetParam());
      };
      auto chain = spgemm_chain(Host{}, P.view(), R, A.view(), B.view(), GetParam(), how);
      EXPECT_TRUE(oracle::identical(chain.product, expected()));
      EXPECT_TRUE(chain.plan.inner.value.empty());

      for (int repetition = 0; repetition < 3; ++repetition) {
        for (auto* matrix : {&P, &A, &B}) {
          for (auto& a : matrix->value) a = 1 / (3 + a * a);
        }
        R.matrix.value = {};
        refresh_chain(Host{}, P.view(), R, A.view(), B.view(), GetParam(), chain.plan, chain.product);
        EXPECT_TRUE(oracle::identical(chain.product, expected()));
      }

      auto const bare =
          spgemm_chain(Host{}, P.view(), R, A.view(), B.view(), GetParam(), RefreshPreparation::none);
      EXPECT_TRUE(oracle::identical(bare.product, expected()));
      EXPECT_EQ(bare.plan.bytes(), 0u);
      return 0;
    });
  }
}

// Threads come and go between refreshes, whose places are those of the first.
TEST(ChainPlan, ServesAnyNumberOfThreads) {
  auto const P = oracle::random_matrix(3600, 420, 3, 27), B = oracle::random_matrix(3600, 200, 4, 28);
  auto const A = oracle::laplace(60, 60);
  auto R = transpose(Host{}, P.view());
  auto chain =
      spgemm_chain(Host{}, P.view(), R, A.view(), B.view(), SpgemmMethod::hash, RefreshPreparation::patterns);
  auto const expected = core::copied(Host{}, chain.product.value.view(), Host{});
  for (int threads : {3, 6, 1, 2, 4}) {
    core::fill(Host{}, chain.product.value.span(), -1);
    testing::with_threads(threads, [&] {
      refresh_chain(Host{}, P.view(), R, A.view(), B.view(), SpgemmMethod::hash, chain.plan, chain.product);
      return 0;
    });
    EXPECT_FALSE(chain.plan.places.empty());
    EXPECT_TRUE(oracle::same_bits(expected, chain.product.value)) << threads;
  }
}

// P = [ 1 2 ], A = [ 1 1 .. 1 ], B tridiagonal: A B and C = P^T A B have n columns.
TEST(ChainPlan, NumbersRowsOfUpTo255EntriesByBytes) {
  auto const P = oracle::make_csr(1, 2, {0, 2}, {0, 1}, {1, 2});
  for (Index n : {1, 254, 255, 256, 257, 600}) {
    std::vector<Index> column(n);
    std::iota(column.begin(), column.end(), 0);
    auto const A = oracle::make_csr(1, n, {0, n}, column, std::vector<double>(n, 1.0));
    auto const B = oracle::laplace(n, 1);
    auto R = transpose(Host{}, P.view());
    auto chain = spgemm_chain(Host{}, P.view(), R, A.view(), B.view(), SpgemmMethod::hash,
                              RefreshPreparation::patterns);
    auto const expected = core::copied(Host{}, chain.product.value.view(), Host{});
    EXPECT_EQ(expected.size(), 2 * static_cast<std::size_t>(n));
    core::fill(Host{}, chain.product.value.span(), -1);
    refresh_chain(Host{}, P.view(), R, A.view(), B.view(), SpgemmMethod::hash, chain.plan, chain.product);
    EXPECT_EQ(chain.plan.places.empty(), n > 255);
    EXPECT_TRUE(oracle::same_bits(expected, chain.product.value)) << n;
  }
}

// So wide that no thread can have a dense table.
TEST_P(Methods, ChainsOfVeryWideMatricesMultiply) {
  auto const P = oracle::random_matrix(600, 100, 2, 24), A = oracle::random_matrix(600, 300, 8, 25),
             B = oracle::random_matrix(300, 50000000, 9, 26);
  auto R = transpose(Host{}, P.view());
  auto chain =
      spgemm_chain(Host{}, P.view(), R, A.view(), B.view(), GetParam(), RefreshPreparation::patterns);
  auto const expected = gustavson(R.matrix.view(), gustavson(A.view(), B.view()).view());
  EXPECT_TRUE(oracle::identical(chain.product, expected));
  core::fill(Host{}, chain.product.value.span(), 0);
  refresh_chain(Host{}, P.view(), R, A.view(), B.view(), GetParam(), chain.plan, chain.product);
  EXPECT_TRUE(oracle::identical(chain.product, expected));
}

// Rows of 1 to 200 entries, in an order that no sort expects.
TEST(SortRow, PutsEntriesInTheOrderOfTheirColumns) {
  hash::RowSort scratch;
  for (Index count = 1; count <= 200; ++count) {
    auto const room = static_cast<std::size_t>(std::max<Index>(count, 8));
    std::vector<Index> column(room), sorted(room);
    std::vector<double> value(room), moved(room);
    for (Index i = 0; i < count; ++i) {
      column[i] = static_cast<Index>((i * 1009LL + 17) % 65537);
      value[i] = column[i] / 8.0;
    }
    hash::sort_row(count, column.data(), column.data(), value.data(), sorted.data(), moved.data(), scratch);
    column.resize(count);
    sorted.resize(count);
    std::sort(column.begin(), column.end());
    EXPECT_EQ(sorted, column);
    for (Index i = 0; i < count; ++i) EXPECT_EQ(moved[i], column[i] / 8.0);
  }
}

// Products of a row are listed 1024 at a time, and a row of B may be longer than that.
TEST(Spgemm, RowsThatDoNotFitTheListAreSummedAllTheSame) {
  auto const A = oracle::random_matrix(5, 60, 40, 3), B = oracle::random_matrix(60, 4000, 300, 4);
  EXPECT_TRUE(oracle::identical(spgemm(Host{}, A.view(), B.view(), SpgemmMethod::hash),
                                spgemm(Host{}, A.view(), B.view(), SpgemmMethod::esc)));
  auto const W = oracle::random_matrix(60, 4000, 1700, 5);
  EXPECT_TRUE(oracle::identical(spgemm(Host{}, A.view(), W.view(), SpgemmMethod::hash),
                                spgemm(Host{}, A.view(), W.view(), SpgemmMethod::esc)));
}

TEST(DensePlaces, CountFromZeroInEveryRow) {
  hash::DensePlaces places(5);
  for (Index row : {0, 1, 2, 3}) {
    auto const numbers = places.numbers();
    if (row == 2) continue;
    EXPECT_EQ(numbers.place(4, 0), 0);
    EXPECT_EQ(numbers.place(row, 1), 1);
    EXPECT_EQ(numbers.place(4, 2), 0);
    places.finish(2);
  }
}

TEST_P(Methods, InnerSizesThatDifferAreRefused) {
  auto const A = oracle::laplace(3), B = oracle::laplace(4);
  try {
    spgemm_symbolic(Host{}, A.view(), B.view(), GetParam());
    FAIL() << "no exception";
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find("3 x 3 by 4 x 4"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Spgemm, Methods, ::testing::Values(SpgemmMethod::hash, SpgemmMethod::esc),
                         [](auto const& info) { return info.param == SpgemmMethod::hash ? "Hash" : "Esc"; });

// What other spaces run as the hash product, one thread a row.
TEST(Spgemm, PortableHashBodiesAgreeWithTheHosts) {
  auto const A = oracle::random_matrix(500, 400, 6, 16), B = oracle::random_matrix(400, 300, 9, 17);
  auto C = hash::symbolic<double, Host>(Host{}, A.view(), B.view());
  hash::numeric<double, Host>(Host{}, A.view(), B.view(), C);
  EXPECT_TRUE(oracle::identical(C, spgemm(Host{}, A.view(), B.view(), SpgemmMethod::hash)));
}

TEST(HashedColumns, HoldWhatWasInsertedThroughRowsOfAllSizes) {
  hash::HashedColumns set(1 << 30);
  for (Index row : {0, 1, 2, 3, 4}) {
    auto const count = 1 << (row * 3);
    set.start(row, count);
    for (Index c = 0; c < count; ++c) EXPECT_TRUE(set.insert(c * 262144 + row));
    for (Index c = 0; c < count; ++c) EXPECT_FALSE(set.insert(c * 262144 + row));
  }
}

TEST(Spgemm, ColumnSortIsASort) {
  for (Index n : {0, 1, 2, 3, 17, 100, 1001}) {
    std::vector<Index> column(n);
    for (Index k = 0; k < n; ++k) column[k] = static_cast<Index>(core::mix64(k) % 100000);
    auto expected = column;
    std::sort(expected.begin(), expected.end());
    hash::sort_columns(column.data(), n);
    EXPECT_EQ(column, expected);
  }
}

}  // namespace
}  // namespace Tessera::sparse
