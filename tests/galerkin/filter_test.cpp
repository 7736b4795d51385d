#include "galerkin/filter.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"

namespace Tessera {
namespace {

using galerkin::FilterParameters;

struct Filtered {
  std::vector<double> diagonal;
  std::vector<unsigned char> lumped;
  double bound = -1;
};

/// Entries of at most 1 in modulus are weak.
std::vector<unsigned char> strong_entries(comm::DistCsr<double, Host> const& A) {
  std::vector<unsigned char> strong;
  for (double const a : A.local.value) strong.push_back(a * a > 1 ? 1 : 0);
  return strong;
}

/// Whole results, on every rank.
Filtered filter(comm::DistCsr<double, Host> const& A, FilterParameters const& parameters) {
  std::vector<double> diagonal(A.local.rows);
  std::vector<unsigned char> lumped(A.local.rows);
  auto const strong = strong_entries(A);
  double bound = -1;
  galerkin::filtered_diagonal(Host{}, A, test::view(strong), parameters, test::span(diagonal),
                              test::span(lumped), &bound);
  auto const flags = A.rows.comm().all_gather(std::vector<double>(lumped.begin(), lumped.end()));
  return {A.rows.comm().all_gather(diagonal), {flags.begin(), flags.end()}, bound};
}

//  10 -1 -3  .     lumped: 9
//  -1  2  . -1     0 if lumped: kept
//  -3  .  4 -2     nothing weak
//   . -1 -2  1     0 if lumped: kept
sparse::Csr<double, Host> example() {
  return oracle::to_csr({4, 4, {10, -1, -3, 0, -1, 2, 0, -1, -3, 0, 4, -2, 0, -1, -2, 1}});
}

TEST(FilteredDiagonal, WeakEntriesAreLumpedWhereTheDiagonalStaysPositive) {
  auto const rows = test::split(test::world(), test::Split::uneven, 4);
  auto const result = filter(test::distribute(example(), rows), {true, 0.0});
  EXPECT_EQ(result.diagonal, (std::vector<double>{9, 2, 4, 1}));
  EXPECT_EQ(result.lumped, (std::vector<unsigned char>{1, 0, 0, 0}));
  // Rows of absolute values over their diagonals: (9 + 3) / 9, 4 / 2, 9 / 4, 4 / 1.
  EXPECT_EQ(result.bound, 4.0);
}

// With 7 and 2 on the diagonals of rows 1 and 3 both are lumped: nothing is left beside 5, and 2 beside 1.
TEST(FilteredDiagonal, TheBoundIsThatOfTheFilteredMatrix) {
  auto const rows = test::split(test::world(), test::Split::uneven, 4);
  auto matrix = example();
  for (auto const i : {1, 3}) {
    for (auto k = matrix.offsets[i]; k < matrix.offsets[i + 1]; ++k) {
      if (matrix.column[k] == i) matrix.value[k] = i == 1 ? 7 : 2;
    }
  }
  auto const A = test::distribute(matrix, rows);
  EXPECT_EQ(filter(A, {true, 0.0}).bound, 3.0);   // row 3: (1 + 2) / 1
  EXPECT_EQ(filter(A, {false, 0.0}).bound, 2.5);  // row 3: (2 + 1 + 2) / 2
}

TEST(FilteredDiagonal, RowsThatWouldLoseTooMuchAreKept) {
  auto const rows = test::split(test::world(), test::Split::even, 4);
  auto const A = test::distribute(example(), rows);
  EXPECT_EQ(filter(A, {true, 0.89}).lumped[0], 1);
  auto const kept = filter(A, {true, 0.91});
  EXPECT_EQ(kept.lumped[0], 0);
  EXPECT_EQ(kept.diagonal[0], 10);
}

TEST(FilteredDiagonal, WithoutFilteringTheDiagonalIsThatOfA) {
  auto const rows = test::split(test::world(), test::Split::even, 4);
  auto const result = filter(test::distribute(example(), rows), {false, 0.3});
  EXPECT_EQ(result.diagonal, (std::vector<double>{10, 2, 4, 1}));
  EXPECT_EQ(result.lumped, (std::vector<unsigned char>(4, 0)));
}

TEST(FilteredDiagonal, IsPositiveWheneverTheDiagonalIs) {
  for (int seed = 0; seed < 20; ++seed) {
    auto const dense = oracle::random_spd(50, 8, seed);
    auto const rows = test::split(test::world(), test::Split::even, 50);
    for (double const d : filter(test::distribute(dense, rows), {true, 0.0}).diagonal) EXPECT_GT(d, 0);
  }
}

TEST(FilteredDiagonal, RefreshKeepsTheRowsThatAreLumped) {
  auto const rows = test::split(test::world(), test::Split::even, 4);
  auto A = test::distribute(example(), rows);
  auto const before = filter(A, {true, 0.3});
  auto const strong = strong_entries(A);
  auto const lumped = test::part(rows, before.lumped);
  std::vector<double> diagonal(A.local.rows);
  double bound = -1;
  auto const refreshed = [&] {
    galerkin::refresh_filtered_diagonal(Host{}, A, test::view(strong), test::view(lumped),
                                        test::span(diagonal), &bound);
    return A.rows.comm().all_gather(diagonal);
  };
  EXPECT_EQ(refreshed(), before.diagonal);
  EXPECT_EQ(bound, before.bound);
  for (double& a : A.local.value) a *= 2;
  EXPECT_EQ(refreshed(), (std::vector<double>{18, 4, 8, 2}));
  // Row 0 with a weak entry of -20: lumping it would make the diagonal -10.
  if (rows.owns(0)) A.local.value[1] = -20;
  EXPECT_EQ(refreshed()[0], 20);
}

TEST(FilteredDiagonal, OfNoRowsAndOfOne) {
  for (Index const n : {0, 1}) {
    auto const rows = test::split(test::world(), test::Split::even, n);
    auto const result = filter(test::distribute(oracle::laplace(n), rows), {true, 0.3});
    EXPECT_EQ(result.diagonal, std::vector<double>(n, 2.0));
  }
}

}  // namespace
}  // namespace Tessera
