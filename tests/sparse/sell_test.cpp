#include "sparse/formats/sell.hpp"

#include <gtest/gtest.h>

#include "core/error.hpp"
#include "core/hash.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

template <class T>
std::vector<T> values(Array<T, Host> const& a) {
  return core::to_vector(Host{}, a.view());
}

/// The matrix whose rows S stores, read as SellView documents, without zeros.
template <class T>
Csr<double, Host> restored(Sell<T, Host> const& S) {
  auto const view = S.view();
  std::vector<std::vector<std::pair<Index, double>>> rows(S.rows);
  for (std::size_t s = 0; s < S.row.size(); ++s) {
    if (S.row[s] < 0) continue;
    auto const c = static_cast<Index>(s) / S.chunk, lane = static_cast<Index>(s) % S.chunk;
    for (Index j = 0; j < (S.offsets[c + 1] - S.offsets[c]) / S.chunk; ++j) {
      auto const place = std::ptrdiff_t{j} * S.chunk + lane;
      if (S.value[S.offsets[c] + place] == 0) continue;
      auto const column = view.on_diagonals(c) ? S.row[s] + S.diagonal[S.offsets[c] / S.chunk + j]
                                               : S.column[view.columns_begin(c) + place];
      rows[S.row[s]].emplace_back(column, S.value[S.offsets[c] + place]);
    }
  }
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  for (auto const& row : rows) {
    for (auto const& [c, v] : row) {
      column.push_back(c);
      value.push_back(v);
    }
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(S.rows, S.columns, offsets, column, value);
}

//     [ 1 2 . . ]
//     [ . . . . ]
// A = [ 3 4 5 . ]   C = 2
//     [ . 6 . . ]
//     [ . . 7 8 ]
Csr<double, Host> small() {
  return oracle::make_csr(5, 4, {0, 2, 2, 5, 6, 8}, {0, 1, 0, 1, 2, 1, 2, 3}, {1, 2, 3, 4, 5, 6, 7, 8});
}

TEST(Sell, ChunksOfASmallMatrixAreExact) {
  auto const S = to_sell<double>(Host{}, small().view(), {2, 1});
  EXPECT_TRUE(S.view().in_order());
  EXPECT_EQ(values(S.offsets), (std::vector<Offset>{0, 4, 10, 14}));
  EXPECT_EQ(values(S.row), (std::vector<Index>{0, 1, 2, 3, 4, -1}));
  EXPECT_EQ(values(S.column), (std::vector<Index>{0, 0, 1, 0, /**/ 0, 1, 1, 1, 2, 1, /**/ 2, 0, 3, 0}));
  EXPECT_EQ(values(S.value), (std::vector<double>{1, 0, 2, 0, /**/ 3, 6, 4, 0, 5, 0, /**/ 7, 0, 8, 0}));
}

//     [ 1 2 . . . ]
// A = [ 3 4 5 . . ]   C = 2: rows 0 and 1 would lie on diagonals -1, 0, 1 with a gap in column -1
//     [ . 6 7 8 . ]   of row 0, which is not allowed; rows 2 and 3 do, with a gap; row 4 is alone
//     [ . . . 9 1 ]
//     [ . . . 2 3 ]
TEST(Sell, ChunksOnDiagonalsStoreNoColumns) {
  auto const A = oracle::make_csr(5, 5, {0, 2, 5, 8, 10, 12}, {0, 1, 0, 1, 2, 1, 2, 3, 3, 4, 3, 4},
                                  {1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3});
  auto S = to_sell<double>(Host{}, A.view(), {2, 1});
  EXPECT_EQ(values(S.column_offsets), (std::vector<Offset>{0, 6, 6, 10}));
  EXPECT_EQ(values(S.column), (std::vector<Index>{0, 0, 1, 1, 1, 2, /**/ 3, 0, 4, 0}));
  EXPECT_EQ((std::vector<Index>{S.diagonal[3], S.diagonal[4], S.diagonal[5]}),
            (std::vector<Index>{-1, 0, 1}));
  EXPECT_EQ(values(S.value), (std::vector<double>{1, 3, 2, 4, 0, 5, /**/ 6, 0, 7, 9, 8, 1, /**/ 2, 0, 3, 0}));
  std::vector<double> const before = values(S.value);
  refresh_rows(Host{}, A.view(), S);
  EXPECT_EQ(values(S.value), before);
}

// Row 1 lacks diagonal 1, where it would read x after the last column of the chunk.
TEST(Sell, PaddingReadsNothingBehindTheEntries) {
  auto const A = oracle::make_csr(2, 2, {0, 2, 3}, {0, 1, 1}, {1, 2, 3});
  EXPECT_FALSE(to_sell<double>(Host{}, A.view(), {2, 1}).view().on_diagonals(0));
}

TEST(Sell, OfAStencilHasColumnsInFewChunksOnly) {
  auto const A = oracle::laplace(64, 40);
  auto const S = to_sell<float>(Host{}, A.view(), {32, 1});
  EXPECT_LT(S.column.size(), S.value.size() / 10);
}

TEST(Sell, WindowsAreSortedByLengthAndTiesKeepTheirOrder) {
  auto const S = to_sell<double>(Host{}, small().view(), {2, 4});
  EXPECT_FALSE(S.ascending);
  EXPECT_FALSE(S.view().in_order());
  EXPECT_EQ(values(S.row), (std::vector<Index>{2, 0, 3, 1, 4, -1}));
  EXPECT_EQ(values(S.offsets), (std::vector<Offset>{0, 6, 8, 12}));
}

TEST(Sell, HoldsListedRowsOnly) {
  std::vector<Index> const list{4, 0, 2};
  auto const small_matrix = small();
  auto const S =
      to_sell<double>(Host{}, listed_rows(small_matrix.view(), {list.data(), list.size()}), {2, 1});
  EXPECT_EQ(S.stored_rows, 3);
  EXPECT_EQ(values(S.row), (std::vector<Index>{4, 0, 2, -1}));
  EXPECT_TRUE(oracle::identical(
      restored(S), oracle::make_csr(5, 4, {0, 2, 2, 5, 5, 7}, {0, 1, 0, 1, 2, 2, 3}, {1, 2, 3, 4, 5, 7, 8})));
}

TEST(Sell, KnowsWhetherRowsAscend) {
  auto const A = oracle::laplace(100, 60);
  std::vector<Index> list;
  for (Index i = 0; i < A.rows; i += 2) list.push_back(i);
  auto const ascends = [&] {
    auto const S = to_sell<double>(Host{}, listed_rows(A.view(), {list.data(), list.size()}), {32, 1});
    EXPECT_FALSE(S.view().in_order());
    return S.ascending;
  };
  EXPECT_TRUE(ascends());
  std::swap(list[1000], list[1001]);
  EXPECT_FALSE(ascends());
}

TEST(Sell, IsNotSortedWhereThatSavesLittle) {
  auto const stencil = oracle::laplace(40, 40);
  EXPECT_TRUE(to_sell<double>(Host{}, stencil.view(), {8, 256}).view().in_order());
  auto const wild = oracle::random_matrix(1600, 100, 5, 5);
  EXPECT_FALSE(to_sell<double>(Host{}, wild.view(), {8, 256}).ascending);
}

TEST(Sell, OfAnEmptyListHoldsNothing) {
  auto const A = small();
  auto const S = to_sell<double>(Host{}, listed_rows(A.view(), {}), {4, 4});
  EXPECT_EQ(S.stored_rows, 0);
  EXPECT_EQ(S.value.size(), 0u);
}

TEST(Sell, HoldsTheMatrixForAllShapes) {
  for (auto const& A : {oracle::random_matrix(701, 300, 6, 1), oracle::laplace(33, 9, 5), oracle::laplace(1),
                        oracle::make_csr(0, 0, {0}, {}, {}), oracle::make_csr(3, 2, {0, 0, 0, 0}, {}, {})}) {
    for (SellShape shape : {SellShape{1, 1}, {3, 9}, {8, 1}, {8, 64}, {32, 32}, {32, 256}}) {
      auto const S = to_sell<double>(Host{}, A.view(), shape);
      EXPECT_TRUE(oracle::identical(restored(S), A)) << shape.chunk << ' ' << shape.sigma;
    }
  }
}

TEST(Sell, SortingSavesPadding) {
  auto const A = oracle::random_matrix(4096, 500, 8, 2);
  auto const plain = to_sell<double>(Host{}, A.view(), {32, 1});
  auto const sorted = to_sell<double>(Host{}, A.view(), {32, 1024});
  EXPECT_GE(plain.value.size(), A.value.size());
  EXPECT_LT(sorted.value.size(), 1.1 * A.value.size());
  EXPECT_LT(sorted.value.size(), plain.value.size());
}

// One window of 2^20 rows: a comparison of all pairs of rows would take 10^12 steps.
TEST(Sell, ManyRowsAreSortedInOneWindow) {
  constexpr Index n = 1 << 20;
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  for (Index i = 0; i < n; ++i) {
    for (Index c = 0; c < static_cast<Index>(core::mix64(i) % 5); ++c) column.push_back(c);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  auto const entries = column.size();
  auto const A = oracle::make_csr(n, 5, offsets, column, std::vector<double>(entries, 1.0));
  auto const S = to_sell<float>(Host{}, A.view(), {32, n});
  auto const length = [&](Index s) { return offsets[S.row[s] + 1] - offsets[S.row[s]]; };
  Index wrong = 0;
  for (Index s = 1; s < n; ++s) {
    bool const falls = length(s) < length(s - 1), ties = length(s) == length(s - 1);
    wrong += falls || (ties && S.row[s] > S.row[s - 1]) ? 0 : 1;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_LT(S.value.size(), entries + 5 * 32);
}

TEST(Sell, DoesNotDependOnThreads) {
  auto const A = oracle::random_matrix(9000, 500, 5, 3);
  auto const make = [&] { return to_sell<float>(Host{}, A.view(), {32, 128}); };
  auto const one = testing::with_threads(1, make), three = testing::with_threads(3, make);
  EXPECT_EQ(values(one.row), values(three.row));
  EXPECT_EQ(values(one.column), values(three.column));
  EXPECT_EQ(values(one.value), values(three.value));
}

TEST(Sell, RefreshTakesNewValuesAndKeepsThePattern) {
  auto A = oracle::random_matrix(300, 200, 5, 4);
  auto S = to_sell<float>(Host{}, A.view(), {32, 64});
  auto const* const before = S.value.data();
  for (auto& a : A.value) a = 1 - a;
  refresh_rows(Host{}, A.view(), S);
  EXPECT_EQ(S.value.data(), before);
  EXPECT_TRUE(
      oracle::identical(restored(S), copied<double>(Host{}, copied<float>(Host{}, A, Host{}), Host{})));
}

TEST(Sell, ShapesThatMakeNoSenseAreRefused) {
  auto const A = small();
  for (SellShape shape : {SellShape{0, 1}, {-4, 1}, {8, 4}, {8, 0}, {8, -8}, {8, 12}}) {
    EXPECT_THROW(to_sell<double>(Host{}, A.view(), shape), core::InvalidInput) << shape.chunk << shape.sigma;
  }
}

}  // namespace
}  // namespace Tessera::sparse
