#include "fsai/pattern.hpp"

#include <gtest/gtest.h>

#include "cases.hpp"

namespace Tessera {
namespace {

using test::rows_of;
using test::whole;

/// The static pattern; expects that no row is cut.
fsai::Pattern<Host> static_pattern(Index rows, fsai::PatternView filtered, fsai::OwnRows const& own,
                                   fsai::RowBound bound) {
  std::vector<unsigned char> cut(rows - own.ghosts, 2);
  auto pattern = fsai::static_pattern(Host{}, filtered, own, bound, {cut.data(), cut.size()});
  EXPECT_EQ(cut, std::vector<unsigned char>(cut.size(), 0));
  return pattern;
}

std::vector<std::vector<Index>> pattern_of(sparse::Csr<double, Host> const& A, fsai::Parameters const& p) {
  auto const filtered = fsai::prefiltered(Host{}, whole(A), p.prefilter);
  return rows_of(static_pattern(A.rows, filtered.view(), {}, {p.pattern_level, fsai::largest_row}).view());
}

/// A path that goes up and down:
///
///     4   1       1        Row 2 reaches row 1 only through row 4, which is larger; so it does not.
///         4            1   Row 3 reaches row 0 in one step, and row 2 over row 0 in two.
///     1       4   .    1   Row 4 reaches rows 1 and 2 in one step, row 0 in two, row 3 over row 0 in three.
///     1           4
///         1   1        4
TEST(StaticPattern, NeverPassesThroughANodeAboveTheRow) {
  oracle::Dense dense(5, 5);
  for (Index i = 0; i < 5; ++i) dense(i, i) = 4;
  for (auto const& [i, j] : {std::pair{2, 0}, {3, 0}, {4, 1}, {4, 2}}) dense(i, j) = dense(j, i) = 1;
  auto const A = oracle::to_csr(dense);
  using Rows = std::vector<std::vector<Index>>;
  EXPECT_EQ(pattern_of(A, test::parameters(0)), (Rows{{0}, {1}, {2}, {3}, {4}}));
  EXPECT_EQ(pattern_of(A, test::parameters(1)), (Rows{{0}, {1}, {0, 2}, {0, 3}, {1, 2, 4}}));
  EXPECT_EQ(pattern_of(A, test::parameters(2)), (Rows{{0}, {1}, {0, 2}, {0, 2, 3}, {0, 1, 2, 4}}));
  EXPECT_EQ(pattern_of(A, test::parameters(3)), (Rows{{0}, {1}, {0, 2}, {0, 2, 3}, {0, 1, 2, 3, 4}}));
}

TEST(StaticPattern, IsThatOfTruncatedProducts) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    for (double const tau : {0.0, 0.1, 0.3}) {
      for (int const k : {0, 1, 2, 3, 5}) {
        EXPECT_EQ(pattern_of(A, test::parameters(k, tau)), rows_of(oracle::fsai_pattern(dense, k, tau)));
      }
    }
  }
}

TEST(StaticPattern, OfLaterRowsAloneIsTheSame) {
  auto const A = oracle::random_spd(90, 4.0, 7);
  auto const p = test::parameters(3);
  auto const filtered = fsai::prefiltered(Host{}, whole(A), 0.0);
  fsai::RowBound const bound{p.pattern_level, fsai::largest_row};
  auto all = rows_of(static_pattern(90, filtered.view(), {}, bound).view());
  auto const later = rows_of(static_pattern(90, filtered.view(), {40, {}}, bound).view());
  all.erase(all.begin(), all.begin() + 40);
  EXPECT_EQ(later, all);
}

TEST(StaticPattern, RowsAboveTheBoundTakeTheStepsThatFit) {
  auto const A = oracle::laplace(20, 20);  // two steps reach 7 rows up to the row itself, one step 3
  auto const filtered = fsai::prefiltered(Host{}, whole(A), 0.0);
  auto const two = rows_of(static_pattern(400, filtered.view(), {}, {2, 7}).view());
  auto const one = rows_of(static_pattern(400, filtered.view(), {}, {1, 7}).view());
  std::vector<unsigned char> cut(400);
  auto const found =
      rows_of(fsai::static_pattern(Host{}, filtered.view(), {}, {2, 6}, {cut.data(), cut.size()}).view());
  for (Index i = 0; i < 400; ++i) {
    EXPECT_EQ(cut[i], two[i].size() > 6 ? 1 : 0);
    EXPECT_EQ(found[i], two[i].size() > 6 ? one[i] : two[i]);
  }
  EXPECT_EQ(cut[42], 1);  // point (2, 2), the first with all 7 rows in two steps
}

TEST(Prefilter, KeepsTheDiagonalAndEntriesAboveTheTolerance) {
  //  4  -2   0 (stored)      |a_ij| / sqrt(a_ii a_jj): 0.5, 0, 0.25
  // -2   4  -1
  //  0  -1   4
  auto const A =
      oracle::make_csr(3, 3, {0, 3, 6, 9}, {0, 1, 2, 0, 1, 2, 0, 1, 2}, {4, -2, 0, -2, 4, -1, 0, -1, 4});
  using Rows = std::vector<std::vector<Index>>;
  EXPECT_EQ(rows_of(fsai::prefiltered(Host{}, whole(A), 0.0).view()), (Rows{{0, 1}, {0, 1, 2}, {1, 2}}));
  EXPECT_EQ(rows_of(fsai::prefiltered(Host{}, whole(A), 0.25).view()), (Rows{{0, 1}, {0, 1}, {2}}));
  EXPECT_EQ(rows_of(fsai::prefiltered(Host{}, whole(A), 0.5).view()), (Rows{{0}, {1}, {2}}));
}

}  // namespace
}  // namespace Tessera
