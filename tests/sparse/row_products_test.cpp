#include "sparse/row_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/spmv.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

template <class T>
std::vector<T> as(std::vector<double> const& x) {
  return std::vector<T>(x.begin(), x.end());
}

/// The definition: from zero, in storage order, one row after the other.
template <class T>
std::vector<T> naive(CsrView<T> A, std::vector<T> const& x) {
  std::vector<T> y(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    T sum = 0;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) sum += A.value[k] * x[A.column[k]];
    y[i] = sum;
  }
  return y;
}

template <class T>
class Products : public ::testing::Test {};
using Types = ::testing::Types<double, float>;
TYPED_TEST_SUITE(Products, Types);

// [ 1 2 ]         [  5 ]       [ 1 ]            [ -4 ]
// [ . . ]  [ 1 ]  [  0 ]   b = [ 1 ]   b - Ax = [  1 ]
// [ -1 3]  [ 2 ] =[  5 ]       [ 1 ]            [ -4 ]
TYPED_TEST(Products, OfASmallMatrixAreExact) {
  using T = TypeParam;
  auto const A = copied<T>(Host{}, oracle::make_csr(3, 2, {0, 2, 2, 4}, {0, 1, 0, 1}, {1, 2, -1, 3}), Host{});
  auto const S = to_sell<T>(Host{}, A.view(), {32, 1});
  std::vector<T> const x{1, 2}, b{1, 1, 1};
  std::vector<T> y(3), r(3);
  auto const check = [&](auto view) {
    spmv(Host{}, view, {x.data(), 2}, {y.data(), 3});
    residual(Host{}, view, {x.data(), 2}, {b.data(), 3}, {r.data(), 3});
    EXPECT_EQ(y, (std::vector<T>{5, 0, 5}));
    EXPECT_EQ(r, (std::vector<T>{-4, 1, -4}));
  };
  check(A.view());
  check(S.view());
}

TYPED_TEST(Products, AreBitwiseTheNaiveOnesInEveryFormatAndWithAnyThreads) {
  using T = TypeParam;
  for (auto const& source : {oracle::random_matrix(5000, 700, 9, 1), oracle::laplace(40, 30, 9),
                             oracle::random_matrix(40, 3000, 700, 2), oracle::make_csr(0, 0, {0}, {}, {}),
                             oracle::laplace(1), oracle::make_csr(4, 3, {0, 0, 0, 0, 0}, {}, {})}) {
    auto const A = copied<T>(Host{}, source, Host{});
    auto const x = as<T>(oracle::random_vector(A.columns, 3));
    auto const expected = naive(A.view(), x);
    auto const check = [&](auto view) {
      for (int threads : {1, 2, 3}) {
        std::vector<T> y(A.rows, T{7});
        testing::with_threads(threads, [&] {
          spmv(Host{}, view, {x.data(), x.size()}, {y.data(), y.size()});
        });
        EXPECT_EQ(y, expected) << A.rows << " rows, " << threads << " threads";
      }
    };
    check(A.view());
    for (SellShape shape : {SellShape{1, 1}, {4, 1}, {5, 10}, {8, 1}, {16, 64}, {32, 1}, {32, 256}}) {
      for (bool restorable : {true, false}) {
        shape.restorable = restorable;
        check(to_sell<T>(Host{}, A.view(), shape).view());
      }
    }
  }
}

TEST(RowProducts, AgreeWithTheDenseProduct) {
  auto const A = oracle::random_matrix(200, 150, 20, 4);
  auto const x = oracle::random_vector(150, 5);
  std::vector<double> y(200);
  spmv(Host{}, A.view(), {x.data(), 150}, {y.data(), 200});
  EXPECT_LT(oracle::largest_difference(y, oracle::product(oracle::to_dense(A.view()), x)), 1e-13);
}

//      [ 1 -2 ]           [ 1 ]   [  5 ]
// A =  [ .  . ]  |A| |x|, [-2 ] = [  0 ]
//      [-1  3 ]                   [  7 ]
TYPED_TEST(Products, InMagnitudeHaveNoSigns) {
  using T = TypeParam;
  auto const A =
      copied<T>(Host{}, oracle::make_csr(3, 2, {0, 2, 2, 4}, {0, 1, 0, 1}, {1, -2, -1, 3}), Host{});
  std::vector<T> const x{1, -2};
  auto const seen = InMagnitude{}(OneVector<T>{x.data()});
  auto const check = [&](auto view) {
    std::vector<double> y(3);
    for_each_row_product(Host{}, view, seen, StoreProduct<double>{y.data()});
    EXPECT_EQ(y, (std::vector<double>{5, 0, 7}));
  };
  check(A.view());
  for (SellShape const shape : {SellShape{1, 1}, {4, 1}, {5, 10}, {32, 1}})
    check(to_sell<T>(Host{}, A.view(), shape).view());
}

TEST(RowProducts, OfListedRowsTouchThoseRowsOnly) {
  auto const A = oracle::laplace(20, 15);
  auto const x = oracle::random_vector(A.columns, 6);
  auto const expected = naive(A.view(), x);
  std::vector<Index> list;
  for (Index i = 0; i < A.rows; i += 3) list.push_back(A.rows - 1 - i);
  std::vector<double> by_list(A.rows, 7.0), by_sell(A.rows, 7.0);
  Span<Index const> const rows(list.data(), list.size());
  for_each_row_product(Host{}, A.view(), rows, OneVector<double>{x.data()},
                       StoreProduct<double>{by_list.data()});
  auto const S = to_sell<double>(Host{}, A.view(), rows, {8, 16});
  for_each_row_product(Host{}, S.view(), OneVector<double>{x.data()}, StoreProduct<double>{by_sell.data()});
  for (Index i = 0; i < A.rows; ++i) {
    bool const listed = (A.rows - 1 - i) % 3 == 0;
    EXPECT_EQ(by_list[i], listed ? expected[i] : 7.0) << i;
    EXPECT_EQ(by_sell[i], listed ? expected[i] : 7.0) << i;
  }
}

TEST(RowProducts, OfAnAscendingListWithGapsAndRunsAreRight) {
  auto const A = oracle::laplace(50, 40);
  auto const x = oracle::random_vector(A.columns, 15);
  auto const expected = naive(A.view(), x);
  std::vector<Index> list;
  for (Index i = 3; i < A.rows; ++i) {
    if (i % 100 > 20) list.push_back(i);
  }
  for (int chunk : {4, 32}) {
    std::vector<double> y(A.rows, 7.0);
    auto const S = to_sell<double>(Host{}, A.view(), {list.data(), list.size()}, {chunk, 1});
    EXPECT_TRUE(S.ascending);
    for_each_row_product(Host{}, S.view(), OneVector<double>{x.data()}, StoreProduct<double>{y.data()});
    for (Index i = 0; i < A.rows; ++i) {
      EXPECT_EQ(y[i], i >= 3 && i % 100 > 20 ? expected[i] : 7.0) << i;
    }
  }
}

TEST(RowProducts, ReadGhostsBehindOwnedColumns) {
  auto const A = oracle::random_matrix(100, 80, 6, 7);
  auto const x = oracle::random_vector(80, 8);
  Index const owned = 50;
  std::vector<double> y(100);
  for_each_row_product(Host{}, A.view(), OwnedAndGhosts<double>{x.data(), x.data() + owned, owned},
                       StoreProduct<double>{y.data()});
  EXPECT_EQ(y, naive(A.view(), x));
}

TEST(RowProducts, OfAFloatMatrixAndADoubleVectorAddInDouble) {
  auto const A = copied<float>(Host{}, oracle::random_matrix(300, 200, 7, 9), Host{});
  auto const x = oracle::random_vector(200, 10);
  auto const expected = naive(copied<double>(Host{}, A, Host{}).view(), x);
  std::vector<double> csr(300), sell(300);
  for_each_row_product(Host{}, A.view(), OneVector<double>{x.data()}, StoreProduct<double>{csr.data()});
  for_each_row_product(Host{}, to_sell<float>(Host{}, A.view(), {32, 64}).view(), OneVector<double>{x.data()},
                       StoreProduct<double>{sell.data()});
  EXPECT_EQ(csr, expected);
  EXPECT_EQ(sell, expected);
}

TEST(RowProducts, AddToWhatIsThere) {
  auto const A = oracle::laplace(30);
  auto const x = oracle::random_vector(30, 11);
  std::vector<double> y(30, 0.5);
  for_each_row_product(Host{}, A.view(), OneVector<double>{x.data()}, AddProduct<double>{y.data()});
  auto const product = naive(A.view(), x);
  for (Index i = 0; i < 30; ++i) EXPECT_EQ(y[i], 0.5 + product[i]);
}

TEST(RowProducts, ResidualMayOverwriteTheRightHandSide) {
  auto const A = oracle::laplace(9, 9);
  auto const x = oracle::random_vector(81, 12), b = oracle::random_vector(81, 13);
  auto r = b;
  residual(Host{}, A.view(), {x.data(), 81}, {r.data(), 81}, {r.data(), 81});
  auto const product = naive(A.view(), x);
  for (Index i = 0; i < 81; ++i) EXPECT_EQ(r[i], b[i] - product[i]);
}

TEST(RowProducts, PaddingAddsNoNanToRowsWithoutOne) {
  // Row 1 is shorter than row 0 and does not touch column 0, where x is NaN.
  auto const A = oracle::make_csr(2, 3, {0, 3, 4}, {0, 1, 2, 2}, {1, 1, 1, 4});
  std::vector<double> const x{std::numeric_limits<double>::quiet_NaN(), 1, 2};
  std::vector<double> y(2);
  spmv(Host{}, to_sell<double>(Host{}, A.view(), {2, 1}).view(), {x.data(), 3}, {y.data(), 2});
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 8);
}

TEST(RowProducts, BalancedPartsCoverAllRowsOnce) {
  auto const A = oracle::random_matrix(1000, 100, 4, 14);
  for (int parts : {1, 2, 3, 7, 64}) {
    Index next = 0;
    for (int p = 0; p < parts; ++p) {
      auto const [begin, end] = detail::balanced_part(A.view().offsets, p, parts);
      EXPECT_EQ(begin, next);
      EXPECT_LE(begin, end);
      next = end;
    }
    EXPECT_EQ(next, A.rows);
  }
}

}  // namespace
}  // namespace Tessera::sparse
