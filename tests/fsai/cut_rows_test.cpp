// Rows that exceed the bound of the pattern.
#include "fsai/cut_rows.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "cases.hpp"

namespace Tessera {
namespace {

using test::parameters;
using test::share;
using test::world;
using Rows = std::vector<std::vector<Index>>;

/// The pattern of G without a postfilter.
Rows pattern_of(sparse::Csr<double, Host> const& A, comm::Distribution const& rows,
                fsai::Parameters const& p) {
  auto const G = test::factor_of(A, rows, p);
  Rows found(A.rows);
  for (Index i = 0; i < A.rows; ++i) {
    for (Index j = 0; j < A.rows; ++j) {
      if (G(i, j) != 0) found[i].push_back(j);
    }
  }
  return found;
}

///  4               Row 4 has couplings of 0.3, 0.5, 0.1 and -0.5 to equal diagonals.
///  .   4           Row 5 has couplings of 0.1 to these, and of 0.14 to row 4, whose diagonal is 9.
///  .   .   4
///  .   .   .   4
/// .3  .5  .1 -.5   9
/// .1  .1  .1  .1 .14   4
TEST(CutRows, KeepTheStrongestCouplings) {
  auto dense = oracle::identity(6);
  for (Index i = 0; i < 6; ++i) dense(i, i) = i == 4 ? 9 : 4;
  double const four[] = {0.3, 0.5, 0.1, -0.5}, five[] = {0.1, 0.1, 0.1, 0.1, 0.14};
  for (Index j = 0; j < 4; ++j) dense(4, j) = dense(j, 4) = four[j];
  for (Index j = 0; j < 5; ++j) dense(5, j) = dense(j, 5) = five[j];
  auto const A = oracle::to_csr(dense);
  auto p = parameters(1);
  auto const rows = [&](int max_size) {
    p.max_row_size = max_size;
    auto const found = pattern_of(A, share(world(), 6), p);
    return Rows{found[4], found[5]};
  };
  EXPECT_EQ(rows(1), (Rows{{4}, {5}}));
  EXPECT_EQ(rows(2), (Rows{{1, 4}, {0, 5}}));
  EXPECT_EQ(rows(3), (Rows{{1, 3, 4}, {0, 1, 5}}));
  EXPECT_EQ(rows(5), (Rows{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 5}}));
  EXPECT_EQ(rows(6), (Rows{{0, 1, 2, 3, 4}, {0, 1, 2, 3, 4, 5}}));
}

TEST(CutRows, AreTheOraclesOnAnyRanks) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    for (double const tau : {0.0, 0.1}) {
      for (int const k : {1, 3}) {
        for (int const max_size : {1, 4, 9}) {
          auto p = parameters(k, tau);
          p.max_row_size = max_size;
          auto const expected = oracle::fsai_factor(dense, oracle::fsai_cut_pattern(dense, k, tau, max_size));
          EXPECT_TRUE(test::factor_of(A, share(world(), A.rows), p) == expected);
          EXPECT_TRUE(test::factor_of(A, share(world(), A.rows, false), p) == expected);
        }
      }
    }
  }
}

TEST(CutRows, AreCounted) {
  auto const A = oracle::laplace(20, 20);
  auto p = parameters(2);
  p.max_row_size = 6;
  fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), 400)), p);
  auto const pattern = test::rows_of(oracle::fsai_pattern(oracle::to_dense(A.view()), 2, 0.0));
  EXPECT_EQ(M.report().cut_rows,
            std::count_if(pattern.begin(), pattern.end(), [](auto const& row) { return row.size() > 6; }));
  EXPECT_EQ(M.report().row_bound, 6);
  EXPECT_EQ(M.report().largest_row, 6);
  p.max_row_size = 7;
  fsai::Fsai<double, Host> whole(Host{}, test::distribute(A, share(world(), 400)), p);
  EXPECT_EQ(whole.report().cut_rows, 0);
}

TEST(RowBound, BoundsTheWorkOfAllSystems) {
  std::vector<double> count(fsai::largest_row + 1, 0.0);
  EXPECT_EQ(fsai::affordable_row_bound(count, 160), fsai::largest_row);
  count[1024] = 1;
  EXPECT_EQ(fsai::affordable_row_bound(count, 160), 160);
  count[1] = 1;  // 2 * 160^3 is the cube of 201.6
  EXPECT_EQ(fsai::affordable_row_bound(count, 160), 201);
  count[1] = 299;  // 300 * 160^3 is more than 1024^3
  EXPECT_EQ(fsai::affordable_row_bound(count, 160), fsai::largest_row);
  EXPECT_EQ(fsai::static_row_bound(count), fsai::largest_row);
  count[300] = 1000;  // 299 + 1001 * 174^3 is just below 1300 * 160^3
  EXPECT_EQ(fsai::affordable_row_bound(count, 160), 174);
  EXPECT_EQ(fsai::static_row_bound(count), 69);  // 299 + 1001 * 69^3 and 1300 * 64^3
}

/// Each row from 400 on reaches all earlier rows through row 0.
sparse::Csr<double, Host> star() {
  auto dense = oracle::identity(900);
  for (Index i = 0; i < 900; ++i) dense(i, i) = 4;
  for (Index i = 400; i < 900; ++i) dense(i, 0) = dense(0, i) = 0.05;
  for (Index i = 1; i < 400; ++i) dense(i, 0) = dense(0, i) = 0.001;
  dense(0, 0) = 900;
  return oracle::to_csr(dense);
}

TEST(RowBound, IsThatOfThePatternOnAnyRanks) {
  auto const A = star();
  std::vector<double> count(fsai::largest_row + 1, 0.0);
  for (auto const& row : test::rows_of(oracle::fsai_pattern(oracle::to_dense(A.view()), 2, 0.0)))
    count[row.size()] += 1;
  auto const bound = fsai::static_row_bound(count);
  EXPECT_LT(bound, 100);
  for (bool const even : {true, false}) {
    fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), 900, even)), parameters(2));
    EXPECT_EQ(M.report().row_bound, bound);
    EXPECT_EQ(M.report().largest_row, bound);
    EXPECT_EQ(M.report().cut_rows, 900 - bound);
  }
}

/// Rows grow as far as the bound allows.
TEST(RowBound, HoldsForGrowth) {
  auto const A = oracle::random_spd(300, 40.0, 3);
  auto p = parameters(0);
  p.adaptive_steps = 12;
  p.adaptive_step_size = 64;
  p.adaptive_tolerance = 0;
  for (bool const even : {true, false}) {
    fsai::Fsai<double, Host> M(Host{}, test::distribute(A, share(world(), 300, even)), p);
    auto const G = test::whole_factor(M.factor());
    double work = 0;
    for (Index i = 0; i < 300; ++i) {
      Index entries = 0;
      for (Index j = 0; j <= i; ++j) entries += G(i, j) != 0 ? 1 : 0;
      work += fsai::row_work(entries);
    }
    EXPECT_LE(work, 300 * fsai::row_work(160));
    EXPECT_GE(M.report().largest_row, 160);
    EXPECT_LT(M.report().row_bound, 300);
  }
}

}  // namespace
}  // namespace Tessera
