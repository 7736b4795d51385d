#include "sparse/spgemm.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <vector>

#include "core/error.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/engine/column_table.hpp"
#include "sparse/engine/row_merge/row_sort_host.hpp"
#include "support/short_memory.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

using Methods = ::testing::TestWithParam<SpgemmMethod>;

/// Gustavson's loop, row by row: sums over k in A's storage order, from zero.
Csr<double, Host> gustavson(CsrView<double> A, CsrView<double> B) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (Index i = 0; i < A.rows; ++i) {
    std::map<Index, double> row;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      for (Offset l = B.offsets[A.column[k]]; l < B.offsets[A.column[k] + 1]; ++l) {
        row.emplace(B.column[l], 0.0).first->second += A.value[k] * B.value[l];
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

/// P^T (A B) with or without a plan for refreshes.
struct Chain {
  Csr<double, Host> P, A, B;
  BlockShape blocks{};
  Transposed<double, Host> R = transpose(Host{}, P.view());
  ChainPlan<Host> plan{};
  Csr<double, Host> product{};

  ChainOperands<Host> operands() const { return {P.view(), R, A.view(), B.view(), blocks}; }
  void make(SpgemmMethod method = SpgemmMethod::hash, bool keep = true) {
    plan = {};
    product = spgemm_chain(Host{}, operands(), method, keep ? &plan : nullptr);
  }
  void refresh(SpgemmMethod method = SpgemmMethod::hash) {
    refresh_transpose(Host{}, P.view(), R);
    core::fill(Host{}, product.value.span(), -1);
    refresh_chain(Host{}, operands(), method, plan, product);
  }
  Csr<double, Host> expected() {
    refresh_transpose(Host{}, P.view(), R);
    return gustavson(R.matrix.view(), gustavson(A.view(), B.view()).view());
  }
};

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

TEST_P(Methods, RowsLongerThanAnyTableBlockWork) {
  auto const A = oracle::random_matrix(30, 2000, 400, 9);
  auto const B = oracle::random_matrix(2000, 3000, 12, 10);
  EXPECT_TRUE(
      oracle::identical(spgemm(Host{}, A.view(), B.view(), GetParam()), gustavson(A.view(), B.view())));
}

// If memory runs out while a plan is made, no plan remains.
TEST(ChainPlan, IsMadeAgainWhenMemoryRanOut) {
  Chain chain{oracle::random_matrix(3600, 420, 3, 30), oracle::laplace(60, 60),
              oracle::random_matrix(3600, 420, 3, 30)};
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{}).in_use;
  chain.make();
  auto const needed = core::memory_use(Host{}).peak - before;
  auto const expected = chain.expected();
  for (int tenths = 0; tenths < 10; ++tenths) {
    chain.product = {};
    chain.plan = {};
    {
      test::ShortMemory const end(Host{}, needed * tenths / 10);
      EXPECT_TRUE(test::runs_out_of_memory([&] { chain.make(); })) << tenths;
      EXPECT_FALSE(chain.plan.found);
    }
    chain.make();
    chain.refresh();
    EXPECT_TRUE(oracle::identical(chain.product, expected)) << tenths;
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

// Sums start from zero: 0 + -0 is 0.
TEST_P(Methods, SumsOfNegativeZerosAreZero) {
  auto const A = oracle::random_matrix(3000, 400, 5, 20);
  auto B = oracle::random_matrix(400, 300, 6, 21);
  for (std::size_t k = 0; k < B.value.size(); k += 7) B.value[k] = k % 2 == 0 ? 0.0 : -0.0;
  EXPECT_TRUE(
      oracle::identical(spgemm(Host{}, A.view(), B.view(), GetParam()), gustavson(A.view(), B.view())));
}

TEST_P(Methods, ThePatternNeedsNoValues) {
  auto const A = oracle::random_matrix(300, 200, 5, 12), B = oracle::random_matrix(200, 150, 4, 13);
  auto const bare = [](CsrView<double> view) {
    view.value = {};
    return view;
  };
  auto pattern = spgemm_symbolic(Host{}, bare(A.view()), bare(B.view()), GetParam());
  auto const C = spgemm(Host{}, A.view(), B.view(), GetParam());
  core::copy(Host{}, C.value.view(), Host{}, pattern.value.span());
  EXPECT_TRUE(oracle::identical(pattern, C));
}

TEST_P(Methods, ChainIsBitwiseTwoProductsAndTakesNewValues) {
  for (int const threads : {1, 2, 3, 6}) {
    testing::with_threads(threads, [&] {
      Chain chain{oracle::random_matrix(3600, 420, 3, 22), oracle::laplace(60, 60),
                  oracle::random_matrix(3600, 200, 4, 23)};
      chain.make(GetParam(), false);
      EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
      EXPECT_EQ(chain.plan.bytes(), 0u);
      chain.make(GetParam());
      EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
      for (int repetition = 0; repetition < 3; ++repetition) {
        for (auto* matrix : {&chain.P, &chain.A, &chain.B}) {
          for (auto& a : matrix->value) a = 1 / (3 + a * a);
        }
        chain.refresh(GetParam());
        EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
      }
      return 0;
    });
  }
}

// The number of threads changes between refreshes; the scatter indices are those of the setup.
TEST(ChainPlan, ServesAnyNumberOfThreads) {
  Chain chain{oracle::random_matrix(3600, 420, 3, 27), oracle::laplace(60, 60),
              oracle::random_matrix(3600, 200, 4, 28)};
  chain.make();
  EXPECT_TRUE(chain.plan.found);
  auto const expected = chain.expected();
  for (int threads : {3, 6, 1, 2, 4}) {
    testing::with_threads(threads, [&] {
      chain.refresh();
      return 0;
    });
    EXPECT_TRUE(oracle::identical(chain.product, expected)) << threads;
  }
}

// P = [ 1 2 ], A = [ 1 1 .. 1 ], B tridiagonal: A B and C = P^T A B have n columns.
TEST(ChainPlan, NumbersRowsOfUpTo255EntriesByBytes) {
  for (Index n : {1, 254, 255, 256, 257, 600}) {
    std::vector<Index> column(n);
    std::iota(column.begin(), column.end(), 0);
    Chain chain{oracle::make_csr(1, 2, {0, 2}, {0, 1}, {1, 2}),
                oracle::make_csr(1, n, {0, n}, column, std::vector<double>(n, 1.0)), oracle::laplace(n, 1)};
    chain.make();
    EXPECT_EQ(chain.product.value.size(), 2 * static_cast<std::size_t>(n));
    EXPECT_EQ(chain.plan.found, n <= 255);
    chain.refresh();
    EXPECT_TRUE(oracle::identical(chain.product, chain.expected())) << n;
  }
}

// So wide that no thread can have a dense table.
TEST_P(Methods, ChainsOfVeryWideMatricesMultiply) {
  Chain chain{oracle::random_matrix(600, 100, 2, 24), oracle::random_matrix(600, 300, 8, 25),
              oracle::random_matrix(300, 50000000, 9, 26)};
  chain.make(GetParam());
  EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
  chain.refresh(GetParam());
  EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
}

TEST(ChainPlan, BlocksGiveTheSameBits) {
  for (int const width : {2, 3, 6}) {
    for (int const rows : {1, 3}) {
      auto const P = [&] { return oracle::in_blocks(200, 30, rows, width, 3, 40); };
      Chain chain{P(), oracle::random_matrix(200 * rows, 200 * rows, 9, 41), P(), {rows, width}};
      chain.make(SpgemmMethod::hash, false);
      EXPECT_TRUE(oracle::identical(chain.product, chain.expected()));
      chain.make();
      EXPECT_TRUE(chain.plan.found);
      for (auto* matrix : {&chain.P, &chain.A, &chain.B}) {
        for (auto& a : matrix->value) a = 1 / (3 + a * a);
      }
      chain.refresh();
      EXPECT_TRUE(oracle::identical(chain.product, chain.expected())) << width << " " << rows;
    }
  }
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
    spgemm(Host{}, A.view(), B.view(), GetParam());
    FAIL() << "no exception";
  } catch (core::InvalidInput const& error) {
    EXPECT_NE(std::string(error.what()).find("3 x 3 by 4 x 4"), std::string::npos) << error.what();
  }
}

INSTANTIATE_TEST_SUITE_P(Spgemm, Methods, ::testing::Values(SpgemmMethod::hash, SpgemmMethod::esc),
                         [](auto const& info) { return info.param == SpgemmMethod::hash ? "Hash" : "Esc"; });

TEST(HashedColumns, HoldWhatWasInsertedThroughRowsOfAllSizes) {
  hash::HashedColumns set(1 << 30);
  for (Index row : {0, 1, 2, 3, 4}) {
    auto const count = 1 << (row * 3);
    set.start(row, count);
    for (Index c = 0; c < count; ++c) EXPECT_TRUE(set.insert(c * 262144 + row));
    for (Index c = 0; c < count; ++c) EXPECT_FALSE(set.insert(c * 262144 + row));
  }
}

}  // namespace
}  // namespace Tessera::sparse
