#include "comm/row_checks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "cases.hpp"

namespace Tessera {
namespace {

/// A symmetric matrix with a dominant diagonal; all ranks have couplings with each other.
test::Dense heavy_diagonal(GlobalIndex n) {
  auto A = test::random_dense(n, n, 5);
  for (GlobalIndex i = 0; i < n; ++i) {
    for (GlobalIndex j = 0; j < i; ++j) A.value[i * n + j] = A(j, i);
    A.value[i * n + i] = 3.0 + 0.125 * static_cast<double>(i);
  }
  return A;
}

struct Checked {
  std::vector<double> diagonal;
  comm::RowChecks found;
};

Checked checked(comm::DistCsr<double, Host> const& A, double smallest = 0) {
  Checked result;
  result.diagonal.resize(A.local.rows);
  comm::check_rows(Host{}, A, test::span(result.diagonal), &result.found, smallest);
  return result;
}

double row_sum_bound(test::Dense const& A) {
  double bound = 0;
  for (GlobalIndex i = 0; i < A.rows; ++i) {
    double sum = 0;
    for (auto j = A.columns; j-- > 0;) sum += std::abs(A(i, j));
    bound = std::max(bound, sum / A(i, i));
  }
  return bound;
}

TEST(RowChecks, AreTheDiagonalTheBoundAndTheChecksum) {
  for (auto const share : test::all_shares) {
    auto const rows = test::share_rows(test::world(), share, 7);
    auto const dense = heavy_diagonal(rows.global_size());
    auto const A = test::distributed(dense, rows, rows);
    auto const result = checked(A);
    for (auto i = rows.begin(); i < rows.end(); ++i)
      EXPECT_EQ(result.diagonal[i - rows.begin()], dense(i, i));
    EXPECT_EQ(result.found.bound, row_sum_bound(dense));
    EXPECT_EQ(comm::checksum_text(result.found.hash), comm::checksum(Host{}, A));
  }
}

TEST(RowChecks, ADiagonalThatIsTooSmallHasNoBound) {
  comm::Distribution const rows(test::world(), 3);
  auto const A = test::distributed(heavy_diagonal(rows.global_size()), rows, rows);
  EXPECT_TRUE(std::isfinite(checked(A, 3.0).found.bound));  // bounded by row 0
  EXPECT_TRUE(std::isinf(checked(A, 3.0625).found.bound));
}

// The matrix [ 2 ]: the hash is the sum over entries of mix((mix(row + 1) + odd column) ^ bits).
TEST(RowChecks, TheHashIsItsFormula) {
  comm::Distribution const rows(test::world(), test::world().rank() == 0 ? 1 : 0);
  auto const A = test::distributed({1, 1, {2.0}}, rows, rows);
  EXPECT_EQ(checked(A).found.hash, core::mix64(core::mix64(1) ^ 0x4000000000000000u));
}

TEST(RowChecks, TheChecksumChangesWithEveryPartOfTheMatrix) {
  comm::Distribution const rows(test::world(), 3);
  auto const n = rows.global_size();
  auto dense = heavy_diagonal(n);
  auto const sum = [&] { return comm::checksum(Host{}, test::distributed(dense, rows, rows)); };
  std::set<std::string> sums{sum()};
  dense.value[0] = std::nextafter(dense.value[0], 9.0);
  sums.insert(sum());
  std::swap(dense.value[0], dense.value[1]);
  sums.insert(sum());
  std::swap(dense.value[1], dense.value[n]);  // an entry changes its row and its column
  sums.insert(sum());
  EXPECT_EQ(sums.size(), 4u);
}

TEST(RowChecks, AMissingDiagonalIsZeroAndAnInfiniteEntryIsNotANumber) {
  comm::Distribution const rows(test::world(), 3);
  auto const n = rows.global_size();
  test::Dense dense{n, n, std::vector<double>(n * n, 0.0)};
  for (GlobalIndex i = 0; i < n; ++i) {
    if (i % 3 != 1) dense.value[i * n + i] = 2;
    if (i % 3 == 1) dense.value[i * n + i - 1] = 4;
    if (i % 3 == 2) dense.value[i * n + i - 1] = std::numeric_limits<double>::infinity();
  }
  auto const result = checked(test::distributed(dense, rows, rows));
  EXPECT_EQ(result.diagonal[0], 2.0);
  EXPECT_EQ(result.diagonal[1], 0.0);
  EXPECT_TRUE(std::isnan(result.diagonal[2]));
  EXPECT_TRUE(std::isinf(result.found.bound));
}

}  // namespace
}  // namespace Tessera
