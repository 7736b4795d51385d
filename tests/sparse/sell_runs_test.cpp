#include "sparse/formats/sell_runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "in_runs.hpp"
#include "sparse/engine/row_reduce.hpp"
#include "sparse/formats/formats.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

constexpr SellShape in_runs{32, 256, 0.05, run_width}, unsorted{32, 1, 0.05, run_width};

template <class View>
std::vector<double> product(View const& A, std::vector<double> const& x) {
  std::vector<double> y(detail::row_count(detail::rows_of(A)), 7.0);
  row_reduce(Host{}, A, OneVector<double>{x.data()}, StoreProduct<double>{y.data()});
  return y;
}

//     [ . 1 2 . 3 ]   runs at 1 and 2, since no run exceeds the last column
// A = [ . . . . . ]
//     [ 4 . . . 5 ]   runs at 0 and 2
TEST(SellRuns, OfASmallMatrixAreExact) {
  auto const A = oracle::make_csr(3, 5, {0, 3, 3, 5}, {1, 2, 4, 0, 4}, {1, 2, 3, 4, 5});
  auto const S = to_sell<double>(Host{}, A.view(), unsorted);
  ASSERT_EQ(S.run, run_width);
  ASSERT_EQ(S.value.size(), 6u * 32);
  ASSERT_EQ(S.column.size(), 2u * 32);
  auto const slot = [&](Index s) {
    std::vector<double> values;
    for (Index j = 0; j < 6; ++j) values.push_back(S.value[j * 32 + s]);
    return values;
  };
  EXPECT_EQ(slot(0), (std::vector<double>{1, 2, 0, 0, 0, 3}));
  EXPECT_EQ(slot(1), (std::vector<double>{0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(slot(2), (std::vector<double>{4, 0, 0, 0, 0, 5}));
  EXPECT_EQ(S.column[0], 1);
  EXPECT_EQ(S.column[32], 2);
  EXPECT_EQ(S.column[2], 0);
  EXPECT_EQ(S.column[32 + 2], 2);
}

TEST(SellRuns, ProductsAreBitwiseThoseOfCsr) {
  for (auto const& A : test::matrices_in_runs()) {
    auto const x = oracle::random_vector(A.columns, 5);
    auto const expected = product(A.view(), x);
    for (auto const& shape : {in_runs, unsorted}) {
      auto const S = to_sell<double>(Host{}, A.view(), shape);
      ASSERT_EQ(S.run, run_width);
      for (int threads : {1, 3})
        EXPECT_EQ(testing::with_threads(threads, [&] { return product(S.view(), x); }), expected) << A.rows;
    }
  }
}

/// Columns after those of some rows may be ghosts that have not arrived yet.
TEST(SellRuns, ReachNoFurtherThanTheirRows) {
  auto const A = test::brick(7);
  std::vector<Index> list;
  for (Index i = 0; i < 100; ++i) list.push_back(i);
  auto const S = to_sell<double>(Host{}, listed_rows(A.view(), {list.data(), list.size()}), in_runs);
  auto const last = *std::max_element(A.column.data(), A.column.data() + A.offsets[100]);
  EXPECT_EQ(*std::max_element(S.column.begin(), S.column.end()) + run_width - 1, last);
}

TEST(SellRuns, NewValuesGoWhereTheOldOnesWere) {
  for (auto& A : test::matrices_in_runs()) {
    auto const x = oracle::random_vector(A.columns, 6);
    auto S = to_sell<double>(Host{}, A.view(), in_runs);
    for (auto& a : A.value) a = 1 - a;
    core::reset_peak(Host{});
    auto const before = core::memory_use(Host{});
    refresh_rows(Host{}, A.view(), S);
    EXPECT_EQ(core::memory_use(Host{}).peak, before.in_use);
    EXPECT_EQ(product(S.view(), x), product(A.view(), x));
  }
}

TEST(SellRuns, PayWhereMostAreFull) {
  EXPECT_TRUE(runs_pay<float>(100, 300));
  EXPECT_TRUE(runs_pay<double>(100, 300));
  EXPECT_FALSE(runs_pay<double>(100, 250));  // 28 bytes a run, 12 an entry, a tenth less
  EXPECT_TRUE(runs_pay<float>(100, 250));    // 16 and 8
  EXPECT_FALSE(runs_pay<float>(100, 200));
}

TEST(SellRuns, AreNotOfFewerColumnsThanOne) {
  auto const A = oracle::make_csr(2, 2, {0, 2, 3}, {0, 1, 1}, {1, 2, 3});
  EXPECT_EQ(to_sell<double>(Host{}, A.view(), in_runs).run, 1);
}

TEST(SellRuns, ComeInChunksOf32) {
  auto const A = oracle::laplace(10);
  EXPECT_THROW(to_sell<double>(Host{}, A.view(), {8, 64, 0.05, run_width}), core::InvalidInput);
  EXPECT_THROW(to_sell<double>(Host{}, A.view(), {32, 64, 0.05, 2}), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::sparse
