#include "sparse/columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "core/parallel.hpp"
#include "oracle/generators.hpp"
#include "support/threads.hpp"

namespace Tessera::sparse {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Columns of a matrix that is stored column by column, in any order.
struct Block {
  std::size_t rows;
  std::vector<double> values;
  std::vector<double*> writable;
  std::vector<double const*> readable;

  Block(std::size_t n, std::vector<double> numbers, std::vector<int> const& order)
      : rows(n), values(std::move(numbers)) {
    for (int j : order) {
      writable.push_back(values.data() + j * rows);
      readable.push_back(values.data() + j * rows);
    }
  }
  Block(std::size_t n, int columns, std::uint64_t seed)
      : Block(n, oracle::random_vector(n * columns, seed), counted(columns)) {}
  static std::vector<int> counted(int columns) {
    std::vector<int> order(columns);
    for (int j = 0; j < columns; ++j) order[j] = j;
    return order;
  }
  ColumnList write() const { return {writable.data(), writable.size()}; }
  ConstColumnList read() const { return {readable.data(), readable.size()}; }
};

Span<double const> view(std::vector<double> const& x) {
  return {x.data(), x.size()};
}

TEST(Columns, CombineDoesNotReadWhatHasTheCoefficientZero) {
  Block const a(2, {1, 2, nan, nan, 5, 6}, {0, 1, 2});
  Block const b(2, {nan, nan, 30, 40, 50, 60}, {0, 1, 2});
  Block y(2, std::vector<double>(6, nan), {0, 1, 2});
  combine(Host{}, 2, view({2, 0, 1}), a.read(), view({0, -1, 1}), b.read(), y.write());
  EXPECT_EQ(y.values, (std::vector<double>{2, 4, -30, -40, 55, 66}));
}

TEST(Columns, CombineMaySwapColumnsInPlace) {
  Block y(1, {1, 2}, {0, 1});
  Block const swapped = [&] {
    Block other(1, {0, 0}, {0, 1});
    other.readable = {y.writable[1], y.writable[0]};
    return other;
  }();
  combine(Host{}, 1, view({1, 1}), swapped.read(), view({0, 0}), swapped.read(), y.write());
  EXPECT_EQ(y.values, (std::vector<double>{2, 1}));
}

/// For all shapes around the width of one pass.
TEST(Columns, MultiplyAddIsItsFormula) {
  std::size_t const n = 5;
  for (int p : {0, 1, 3, 16, 17, 35}) {
    for (int q : {1, 2, 3, 4, 7}) {
      for (double beta : {0.0, 1.0, -0.5}) {
        Block const X(n, p, 1);
        int const leading = p + 2;
        auto const B = oracle::random_vector(leading * q, 2);
        Block Y(n, q, 3);
        auto expected = Y.values;
        for (std::size_t i = 0; i < n; ++i) {
          for (int j = 0; j < q; ++j) {
            double sum = beta * Y.values[j * n + i];
            for (int k = 0; k < p; ++k) sum += 2 * X.values[k * n + i] * B[j * leading + k];
            expected[j * n + i] = sum;
          }
        }
        if (beta == 0) std::fill(Y.values.begin(), Y.values.end(), nan);
        multiply_add(Host{}, n, 2.0, X.read(), B.data(), leading, beta, Y.write());
        for (std::size_t i = 0; i < n * q; ++i) EXPECT_NEAR(Y.values[i], expected[i], 1e-13) << p << "x" << q;
      }
    }
  }
}

/// Dot products do not depend on the other columns of the call or on the number of threads.
TEST(Columns, DotsAreBitwiseThoseOfSinglePairs) {
  std::size_t const n = 10007;
  Block const x(n, oracle::random_vector(3 * n, 1), {0, 1, 2, 1, 0, 2, 0, 0, 1, 1, 2});
  Block const y(n, oracle::random_vector(3 * n, 2), {2, 2, 0, 1, 0, 1, 0, 1, 1, 2, 2});
  for (int threads : {1, 3}) {
    auto const all = testing::with_threads(threads, [&] { return dots(Host{}, n, x.read(), y.read()); });
    ASSERT_EQ(all.size(), 11u);
    for (std::size_t j = 0; j < all.size(); ++j) {
      auto const product = [&](Index i) { return x.readable[j][i] * y.readable[j][i]; };
      EXPECT_EQ(all[j], core::sum(Host{}, n, product));
    }
  }
}

TEST(Columns, AbsoluteSumsAreTheirFormula) {
  Block const x(2, {1, -3, -2, 0.5}, {0, 1});
  EXPECT_EQ(absolute_sums(Host{}, 2, x.read()), (std::vector<double>{4, 2.5}));
}

TEST(Columns, ExtremesAreTheLeastAndTheLargestElement) {
  using Pairs = std::vector<std::pair<double, double>>;
  double const infinity = std::numeric_limits<double>::infinity();
  Block const x(3, {1, -3, 2, 5, 4, 7}, {1, 0});
  EXPECT_EQ(extremes(Host{}, 3, x.read()), (Pairs{{4, 7}, {-3, 2}}));
  EXPECT_EQ(extremes(Host{}, 0, x.read()), (Pairs{{infinity, -infinity}, {infinity, -infinity}}));
}

TEST(Columns, DotsOfNoRowsAreZero) {
  Block const x(0, {}, {0, 0, 0});
  EXPECT_EQ(dots(Host{}, 0, x.read(), x.read()), (std::vector<double>{0, 0, 0}));
}

/// Rows 2 and 3 of a distributed column equal those of the whole column.
TEST(Columns, RandomNumbersDependOnGlobalRowAndColumnAlone) {
  Block whole(5, 2, 0), part(2, 2, 0);
  randomise(Host{}, 5, 0, 7, whole.write());
  randomise(Host{}, 2, 2, 7, part.write());
  EXPECT_EQ(part.values,
            (std::vector<double>{whole.values[2], whole.values[3], whole.values[7], whole.values[8]}));
  EXPECT_NE(whole.values[0], whole.values[5]);
  for (double value : whole.values) EXPECT_TRUE(-1 <= value && value < 1);
}

TEST(Columns, FillWritesTheChosenColumnsOnly) {
  Block y(2, {1, 2, 3, 4, 5, 6}, {2, 0});
  fill(Host{}, 2, 9, y.write());
  EXPECT_EQ(y.values, (std::vector<double>{9, 9, 3, 4, 9, 9}));
}

}  // namespace
}  // namespace Tessera::sparse
