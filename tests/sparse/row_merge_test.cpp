#include "sparse/engine/row_merge/row_merge.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "core/hash.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "sparse/engine/row_merge/expand_sort_compress.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

/// Left: a matrix; odd rows leave out every third entry.
struct SomeFactors {
  CsrView<double> A;
  struct Row : CsrFactors::Row {
    bool keeps_all;
    TESSERA_HD bool keeps() const { return keeps_all || at % 3 != 0; }
  };
  Index rows() const { return A.rows; }
  std::size_t entries() const { return A.column.size(); }
  Row row(Index i) const { return {CsrFactors{A}.row(i), i % 2 == 0}; }
};

/// Right: row j has numbers[j] in column columns_of[j], or nothing.
struct OneEntryRows {
  static constexpr bool single = true;
  static constexpr int fixed_width = 1;
  Span<Index const> columns_of;
  Span<double const> numbers;
  Index column_count;
  static int width() { return 1; }
  Index columns() const { return column_count; }
  double row_length() const { return 1; }
  std::size_t size() const { return columns_of.size(); }
  Offset begin(Index j) const { return j; }
  Offset end(Index j) const { return j + (columns_of[j] < 0 ? 0 : 1); }
  Index block_column(Index j) const { return columns_of[j]; }
  double const* values(Index j) const { return numbers.data() + j; }
  Index column(Offset j) const { return columns_of[j]; }
  double value(Offset j) const { return numbers[j]; }
  RowEntries row(Index j) const { return {columns_of.data() + j, values(j), columns_of[j] < 0 ? 0 : 1}; }
  static Index block(RowEntries const& row, Index b) { return row.column[b]; }
  static double number(double const* value, Index s) { return value[s]; }
};

/// Epilogue: 10 i + column - 2 sum; columns descend.
struct Descending {
  static constexpr bool plain = false;
  Index columns;
  struct Row {
    Index i;
    double operator()(Index column, double sum) const { return 10 * i + column - 2 * sum; }
  };
  Row row(Index i) const { return {i}; }
  Index key(Index block) const { return columns - 1 - block; }
  Index block(Index key) const { return columns - 1 - key; }
};

// [ 1 2 . ]   [ . 5 ]   row 0:  1 * 5 in column 1, 2 * 7 in column 0
// [ . 3 4 ] x [ 7 . ]   row 1:  entries 2 and 3 of A; the latter is left out
//             [ . . ]
TEST(RowMerge, TakesWhatIsKeptAndFinishesIt) {
  auto const A = oracle::make_csr(2, 3, {0, 2, 4}, {0, 1, 1, 2}, {1, 2, 3, 4});
  std::vector<Index> const column{1, 0, -1};
  std::vector<double> const number{5, 7, 9};
  OneEntryRows const B{{column.data(), 3}, {number.data(), 3}, 2};
  auto const C = row_merge(Host{}, SomeFactors{A.view()}, B, Descending{2});
  EXPECT_TRUE(oracle::identical(
      C, oracle::make_csr(2, 2, {0, 2, 3}, {1, 0, 0}, {1 - 2 * 5.0, 0 - 2 * 14.0, 10 - 2 * 21.0})));
}

// Rows of few and of many columns.
TEST(RowMerge, IsTheReferencesAndRefreshesAre) {
  for (Index const columns : {3, 40, 900}) {
    auto A = oracle::random_matrix(3000, 2000, 12, 5);
    std::vector<Index> column(2000);
    std::vector<double> number(2000);
    for (std::uint64_t j = 0; j < column.size(); ++j) {
      column[j] = static_cast<Index>(core::mix64(j) % (columns + 1)) - 1;
      number[j] = core::uniform(j, 6);
    }
    OneEntryRows const B{{column.data(), column.size()}, {number.data(), number.size()}, columns};
    for (int const threads : {1, 2, 3}) {
      testing::with_threads(threads, [&] {
        auto const merge = [&](Csr<double, Host> const& left) {
          return esc::merge(Host{}, SomeFactors{left.view()}, B, Descending{columns});
        };
        auto C = row_merge(Host{}, SomeFactors{A.view()}, B, Descending{columns});
        EXPECT_TRUE(oracle::identical(C, merge(A)));
        auto const plan = product_plan(Host{}, SomeFactors{A.view()}, B, Descending{columns}, {}, C.view());
        EXPECT_TRUE(plan.found);
        for (auto& a : A.value) a = 1 / (3 + a * a);
        auto const refresh = [&](ProductPlan<Host> const& by) {
          core::fill(Host{}, C.value.span(), -7.0);
          refresh_merge(Host{}, SomeFactors{A.view()}, B, Descending{columns}, by, C.view(), C.value.data());
        };
        refresh(plan);
        EXPECT_TRUE(oracle::identical(C, merge(A)));
        refresh({});
        EXPECT_TRUE(oracle::identical(C, merge(A))) << "without slots";
        return 0;
      });
    }
  }
}

}  // namespace
}  // namespace Tessera::sparse
