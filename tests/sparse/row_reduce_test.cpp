#include "sparse/engine/row_reduce.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/formats/sell.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

template <class T>
std::vector<T> as(std::vector<double> const& x) {
  return std::vector<T>(x.begin(), x.end());
}

template <class Matrix, class T>
void spmv(Matrix const& A, std::vector<T> const& x, std::vector<T>& y) {
  row_reduce(Host{}, A, OneVector<T>{x.data()}, StoreProduct<T>{y.data()});
}
template <class Matrix, class T>
void residual(Matrix const& A, std::vector<T> const& x, std::vector<T> const& b, std::vector<T>& r) {
  row_reduce(Host{}, A, OneVector<T>{x.data()}, StoreResidual<T>{b.data(), r.data()});
}

/// The definition: from zero, in storage order, one row after the other. Rows of more than 256 entries are
/// summed in pieces of 8, with the rounding errors of the sum of the pieces.
template <class T>
std::vector<T> naive(CsrView<T> A, std::vector<T> const& x) {
  std::vector<T> y(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    T total = 0, rest = 0;
    int const most = A.offsets[i + 1] - A.offsets[i] > 256 ? 8 : 256;
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1];) {
      T piece = 0;
      for (int entries = 0; entries < most && k < A.offsets[i + 1]; ++entries, ++k)
        piece += A.value[k] * x[A.column[k]];
      T const sum = total + piece, added = sum - total;
      rest += (total - (sum - added)) + (piece - added);
      total = sum;
    }
    y[i] = total + rest;
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
    spmv(view, x, y);
    residual(view, x, b, r);
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
        testing::with_threads(threads, [&] { spmv(view, x, y); });
        EXPECT_EQ(y, expected) << A.rows << " rows, " << threads << " threads";
      }
    };
    check(A.view());
    for (SellShape shape : {SellShape{1, 1}, {4, 1}, {5, 10}, {8, 1}, {16, 64}, {32, 1}, {32, 256}}) {
      check(to_sell<T>(Host{}, A.view(), shape).view());
    }
  }
}

/// Row 0 has `length` entries and `zeros` more; row 1 is short, and in the same chunk.
Csr<double, Host> with_long_row(Index length, Index zeros) {
  std::vector<Index> column;
  std::vector<double> value;
  auto const draw = oracle::random_vector(length + zeros, 21);
  for (Index j = 0; j < length + zeros; ++j) {
    bool const is_zero = j % ((length + zeros) / std::max(zeros, 1)) == 0 && zeros > 0;
    column.push_back(j);
    value.push_back(is_zero ? 0 : 1 + 0.1 * draw[j]);
  }
  auto const end = static_cast<Offset>(column.size());
  for (Index const j : {0, 2, 5}) column.push_back(j);
  for (double const a : {0.1, 0.2, 0.3}) value.push_back(a);
  return oracle::make_csr(2, length + zeros, {0, end, end + 3}, column, value);
}

TYPED_TEST(Products, OfLongRowsLoseTheSameForAnyLength) {
  using T = TypeParam;
  for (Index const length : {257, 20000, 300000}) {
    auto const A = copied<T>(Host{}, with_long_row(length, 0), Host{});
    std::vector<T> const x(A.columns, T(0.1));
    long double exact = 0;
    for (Offset k = 0; k < A.offsets[1]; ++k) exact += static_cast<long double>(A.value[k]) * x[0];
    auto const check = [&](auto view) {
      std::vector<T> y(2);
      spmv(view, x, y);
      EXPECT_LT(std::abs(y[0] - exact), 4 * std::numeric_limits<T>::epsilon() * exact) << length;
      EXPECT_EQ(y, naive(A.view(), x));
    };
    check(A.view());
    for (SellShape const shape : {SellShape{1, 1}, {32, 1}, {32, 256}, {32, 1, 0.05, run_width}})
      check(to_sell<T>(Host{}, A.view(), shape).view());
  }
}

TYPED_TEST(Products, OfLongRowsDoNotDependOnZeros) {
  using T = TypeParam;
  for (Index const length : {200, 256, 257, 5000}) {
    auto const A = copied<T>(Host{}, with_long_row(length, 100), Host{});
    auto const x = as<T>(oracle::random_vector(A.columns, 22));
    std::vector<Offset> offsets{0};
    std::vector<Index> column;
    std::vector<T> value;
    for (Index i = 0; i < 2; ++i) {
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        if (A.value[k] == 0) continue;
        column.push_back(A.column[k]);
        value.push_back(A.value[k]);
      }
      offsets.push_back(static_cast<Offset>(column.size()));
    }
    CsrView<T> const without{
        2, A.columns, {offsets.data(), 3}, {column.data(), column.size()}, {value.data(), value.size()}};
    std::vector<T> y(2);
    spmv(A.view(), x, y);
    EXPECT_EQ(y, naive(without, x)) << length;
    for (SellShape const shape : {SellShape{1, 1}, {32, 1}, {32, 1, 0.05, run_width}}) {
      spmv(to_sell<T>(Host{}, A.view(), shape).view(), x, y);
      EXPECT_EQ(y, naive(without, x)) << length;
    }
  }
}

TEST(RowReduce, AgreeWithTheDenseProduct) {
  auto const A = oracle::random_matrix(200, 150, 20, 4);
  auto const x = oracle::random_vector(150, 5);
  std::vector<double> y(200);
  spmv(A.view(), x, y);
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
    row_reduce(Host{}, view, seen, StoreProduct<double>{y.data()});
    EXPECT_EQ(y, (std::vector<double>{5, 0, 7}));
  };
  check(A.view());
  for (SellShape const shape : {SellShape{1, 1}, {4, 1}, {5, 10}, {32, 1}})
    check(to_sell<T>(Host{}, A.view(), shape).view());
}

TEST(RowReduce, OfListedRowsTouchThoseRowsOnly) {
  auto const A = oracle::laplace(20, 15);
  auto const x = oracle::random_vector(A.columns, 6);
  auto const expected = naive(A.view(), x);
  std::vector<Index> list;
  for (Index i = 0; i < A.rows; i += 3) list.push_back(A.rows - 1 - i);
  std::vector<double> by_list(A.rows, 7.0), by_sell(A.rows, 7.0);
  auto const rows = listed_rows(A.view(), {list.data(), list.size()});
  row_reduce(Host{}, rows, OneVector<double>{x.data()}, StoreProduct<double>{by_list.data()});
  auto const S = to_sell<double>(Host{}, rows, {8, 16});
  row_reduce(Host{}, S.view(), OneVector<double>{x.data()}, StoreProduct<double>{by_sell.data()});
  for (Index i = 0; i < A.rows; ++i) {
    bool const listed = (A.rows - 1 - i) % 3 == 0;
    EXPECT_EQ(by_list[i], listed ? expected[i] : 7.0) << i;
    EXPECT_EQ(by_sell[i], listed ? expected[i] : 7.0) << i;
  }
}

TEST(RowReduce, OfAnAscendingListWithGapsAndRunsAreRight) {
  auto const A = oracle::laplace(50, 40);
  auto const x = oracle::random_vector(A.columns, 15);
  auto const expected = naive(A.view(), x);
  std::vector<Index> list;
  for (Index i = 3; i < A.rows; ++i) {
    if (i % 100 > 20) list.push_back(i);
  }
  for (int chunk : {4, 32}) {
    std::vector<double> y(A.rows, 7.0);
    auto const S = to_sell<double>(Host{}, listed_rows(A.view(), {list.data(), list.size()}), {chunk, 1});
    EXPECT_TRUE(S.ascending);
    row_reduce(Host{}, S.view(), OneVector<double>{x.data()}, StoreProduct<double>{y.data()});
    for (Index i = 0; i < A.rows; ++i) {
      EXPECT_EQ(y[i], i >= 3 && i % 100 > 20 ? expected[i] : 7.0) << i;
    }
  }
}

TEST(RowReduce, ReadGhostsBehindOwnedColumns) {
  auto const A = oracle::random_matrix(100, 80, 6, 7);
  auto const x = oracle::random_vector(80, 8);
  Index const owned = 50;
  std::vector<double> y(100);
  row_reduce(Host{}, A.view(), OwnedAndGhosts<double>{x.data(), x.data() + owned, owned},
             StoreProduct<double>{y.data()});
  EXPECT_EQ(y, naive(A.view(), x));
}

TEST(RowReduce, OfAFloatMatrixAndADoubleVectorAddInDouble) {
  auto const A = copied<float>(Host{}, oracle::random_matrix(300, 200, 7, 9), Host{});
  auto const x = oracle::random_vector(200, 10);
  auto const expected = naive(copied<double>(Host{}, A, Host{}).view(), x);
  std::vector<double> csr(300), sell(300);
  row_reduce(Host{}, A.view(), OneVector<double>{x.data()}, StoreProduct<double>{csr.data()});
  row_reduce(Host{}, to_sell<float>(Host{}, A.view(), {32, 64}).view(), OneVector<double>{x.data()},
             StoreProduct<double>{sell.data()});
  EXPECT_EQ(csr, expected);
  EXPECT_EQ(sell, expected);
}

TEST(RowReduce, AddToWhatIsThere) {
  auto const A = oracle::laplace(30);
  auto const x = oracle::random_vector(30, 11);
  std::vector<double> y(30, 0.5);
  row_reduce(Host{}, A.view(), OneVector<double>{x.data()}, AddProduct<double>{y.data()});
  auto const product = naive(A.view(), x);
  for (Index i = 0; i < 30; ++i) EXPECT_EQ(y[i], 0.5 + product[i]);
}

TEST(RowReduce, ResidualMayOverwriteTheRightHandSide) {
  auto const A = oracle::laplace(9, 9);
  auto const x = oracle::random_vector(81, 12), b = oracle::random_vector(81, 13);
  auto r = b;
  residual(A.view(), x, r, r);
  auto const product = naive(A.view(), x);
  for (Index i = 0; i < 81; ++i) EXPECT_EQ(r[i], b[i] - product[i]);
}

TEST(RowReduce, PaddingAddsNoNanToRowsWithoutOne) {
  // Row 1 is shorter than row 0 and does not touch column 0, where x is NaN.
  auto const A = oracle::make_csr(2, 3, {0, 3, 4}, {0, 1, 2, 2}, {1, 1, 1, 4});
  std::vector<double> const x{std::numeric_limits<double>::quiet_NaN(), 1, 2};
  std::vector<double> y(2);
  spmv(to_sell<double>(Host{}, A.view(), {2, 1}).view(), x, y);
  EXPECT_TRUE(std::isnan(y[0]));
  EXPECT_EQ(y[1], 8);
}

TEST(RowReduce, BalancedPartsCoverAllRowsOnce) {
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

/// Weights an entry by its place, an argument of the term.
struct Told {
  TESSERA_HD double operator()(Index i, Offset k, double a, Index c) const {
    return a * (1 + i % 3) + static_cast<double>(k % 7) * c;
  }
};

std::vector<double> naive_told(CsrView<double> A) {
  std::vector<double> y(A.rows, 0.0);
  for (Index i = 0; i < A.rows; ++i) {
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) y[i] += Told{}(i, k, A.value[k], A.column[k]);
  }
  return y;
}

TEST(RowReduce, TermsMayKnowRowPlaceAndColumn) {
  auto const A = oracle::random_matrix(5000, 700, 9, 1);
  std::vector<double> y(A.rows);
  row_reduce(Host{}, A.view(), Told{}, StoreProduct<double>{y.data()});
  EXPECT_EQ(y, naive_told(A.view()));
}

/// Entry k of a Sell is A.value[k] of the Sell, and padding is zero.
struct SquareOfEntry {
  double const* value;
  TESSERA_HD double operator()(Index i, Offset k, double a, Index) const {
    return (a + i) * value[k] - i * a;
  }
};

TEST(RowReduce, TermsOfASellKnowItsEntries) {
  for (auto const& A : {oracle::random_matrix(999, 300, 6, 2), oracle::laplace(33, 9, 5)}) {
    std::vector<double> expected(A.rows), y(A.rows);
    row_reduce(Host{}, A.view(), SquareOfEntry{A.value.data()}, StoreProduct<double>{expected.data()});
    for (SellShape const shape : {SellShape{3, 9}, {32, 1}, {32, 256}}) {
      auto const S = to_sell<double>(Host{}, A.view(), shape);
      row_reduce(Host{}, S.view(), SquareOfEntry{S.value.data()}, StoreProduct<double>{y.data()});
      EXPECT_EQ(y, expected);
    }
  }
}

TEST(RowReduce, EntriesMayBeRounded) {
  auto const A = oracle::random_matrix(300, 200, 7, 9);
  auto const rounded = copied<double>(Host{}, copied<float>(Host{}, A, Host{}), Host{});
  auto const x = oracle::random_vector(200, 10);
  std::vector<double> y(300);
  row_reduce(Host{}, A.view(), TimesRoundedEntries<double>{x.data()}, StoreProduct<double>{y.data()});
  EXPECT_EQ(y, naive(rounded.view(), x));
}

/// y_i, written by an epilogue, times x_i.
struct TimesVector {
  double const *y, *x;
  TESSERA_HD double operator()(Index i) const { return y[i] * x[i]; }
};
struct Twice {
  TESSERA_HD double operator()(Index i, double sum) const { return 2 * sum + i; }
};

TEST(RowReduce, IntoJoinsRowsInTheFixedTree) {
  auto const A = oracle::laplace(70, 50, 3);
  auto const x = oracle::random_vector(A.columns, 16);
  auto const product = naive(A.view(), x);
  auto const dot = core::sum(Host{}, product.size(), TimesVector{product.data(), x.data()});
  auto const number = core::sum(Host{}, product.size(), [&](Index i) { return 2 * product[i] + i; });
  core::ReduceScratch<Host> scratch(Host{}, product.size(), sizeof(double));
  auto const check = [&](auto const& view) {
    for (int threads : {1, 2, 3}) {
      double found = 0;
      std::vector<double> y(product.size());
      core::StoreResult<double> const store{&found};
      OneVector<double> const term{x.data()};
      testing::with_threads(threads, [&] {
        row_reduce_into(Host{}, view, term, StoreProduct<double>{y.data()}, TimesVector{y.data(), x.data()},
                        core::Plus{}, 0.0, store, scratch);
      });
      EXPECT_EQ(y, product);
      EXPECT_EQ(found, dot);
      testing::with_threads(
          threads, [&] { row_reduce_into(Host{}, view, term, Twice{}, core::Plus{}, 0.0, store, scratch); });
      EXPECT_EQ(found, number);
    }
  };
  check(A.view());
  check(to_sell<double>(Host{}, A.view(), {32, 1}).view());
  check(to_sell<double>(Host{}, A.view(), {32, 256}).view());
  check(to_sell<double>(Host{}, A.view(), {8, 1}).view());
}

}  // namespace
}  // namespace Tessera::sparse
