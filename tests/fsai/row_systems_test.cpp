#include "fsai/row_systems.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "cases.hpp"

namespace Tessera {
namespace {

using fsai::PostfilterNorm;
using test::whole;

struct Solution {
  fsai::Pattern<Host> pattern;
  std::vector<double> value;
  fsai::RowFailure failure;
};

Solution solve(sparse::Csr<double, Host> const& A, oracle::DensePattern const& dense) {
  Solution s{test::to_pattern(dense), {}, {}};
  s.value.assign(s.pattern.column.size(), std::nan(""));
  s.failure = fsai::solve_rows(Host{}, whole(A), s.pattern.view(), {s.value.data(), s.value.size()}, 1 << 20);
  return s;
}

std::vector<double> entries(oracle::Dense const& G, fsai::Pattern<Host> const& pattern) {
  std::vector<double> values;
  auto const rows = test::rows_of(pattern.view());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (auto const j : rows[i]) values.push_back(G(static_cast<Index>(i), j));
  }
  return values;
}

/// 25 15  .     Rows 1 and 2 are equal: [25 15; 15 25] = L L^T with L = [5 .; 3 4],
/// 15 25 15     so that L^T g = e_2 has the solution g = (-3/4 / 5, 1/4).
///  . 15 25
TEST(SolveRows, GivesTheNumbersOfASmallMatrix) {
  auto const A = oracle::make_csr(3, 3, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {25, 15, 15, 25, 15, 15, 25});
  auto const s = solve(A, oracle::fsai_pattern(oracle::to_dense(A.view()), 1, 0.0));
  EXPECT_EQ(s.failure.row, -1);
  EXPECT_EQ(s.value, (std::vector<double>{0.2, -0.15, 0.25, -0.15, 0.25}));
}

/// The same with a filter that drops entries of at most 0.6 * sqrt(0.15^2 + 0.25^2) = 0.1749...: eps^T A
/// eps = 0.15^2 * 25 = 0.5625, and 0.25 / sqrt(1.5625) = 0.2 = 1 / sqrt(25), the value for the diagonal
/// alone.
TEST(Postfilter, GivesTheNumbersOfASmallMatrix) {
  auto const A = oracle::make_csr(3, 3, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {25, 15, 15, 25, 15, 15, 25});
  auto s = solve(A, oracle::fsai_pattern(oracle::to_dense(A.view()), 1, 0.0));
  std::vector<unsigned char> keep(5);
  std::vector<Index> kept(3);
  fsai::postfilter(Host{}, whole(A), s.pattern.view(), 0.6, PostfilterNorm::euclidean, {s.value.data(), 5},
                   {keep.data(), 5}, {kept.data(), 3});
  EXPECT_EQ(keep, (std::vector<unsigned char>{1, 0, 1, 0, 1}));
  EXPECT_EQ(kept, (std::vector<Index>{1, 1, 1}));
  EXPECT_DOUBLE_EQ(s.value[2], 0.2);
  EXPECT_DOUBLE_EQ(s.value[4], 0.2);
}

/// -0.15 of row 1 has the energy 0.15^2 * 25 = 0.75^2.
TEST(Postfilter, TheEnergyNormOfAnEntryIgnoresOtherEntries) {
  auto const A = oracle::make_csr(3, 3, {0, 2, 5, 7}, {0, 1, 0, 1, 2, 1, 2}, {25, 15, 15, 25, 15, 15, 25});
  auto const kept_with = [&](double delta) {
    auto s = solve(A, oracle::fsai_pattern(oracle::to_dense(A.view()), 1, 0.0));
    std::vector<unsigned char> keep(5);
    std::vector<Index> kept(3);
    fsai::postfilter(Host{}, whole(A), s.pattern.view(), delta, PostfilterNorm::energy, {s.value.data(), 5},
                     {keep.data(), 5}, {kept.data(), 3});
    return kept;
  };
  EXPECT_EQ(kept_with(0.7499), (std::vector<Index>{1, 2, 2}));
  EXPECT_EQ(kept_with(0.7501), (std::vector<Index>{1, 1, 1}));
}

TEST(SolveRows, SumsInTheDocumentedOrder) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    for (int const k : {1, 2, 4}) {
      auto const pattern = oracle::fsai_pattern(dense, k, 0.0);
      auto const s = solve(A, pattern);
      EXPECT_EQ(s.failure.row, -1);
      EXPECT_EQ(s.value, entries(oracle::fsai_factor(dense, pattern), s.pattern));
    }
  }
}

TEST(SolveRows, SumsLargeSystemsInTheSameOrder) {
  Index const n = 180;
  auto const A = oracle::random_spd(n, 20.0, 11);
  auto const dense = oracle::to_dense(A.view());
  oracle::DensePattern full(n, std::vector<bool>(n, true));  // rows of 1 to 180 entries
  auto const s = solve(A, full);
  EXPECT_EQ(s.value, entries(oracle::fsai_factor(dense, full), s.pattern));
}

/// The leading 2 x 2 block has the determinant 1 - 4 < 0: the pivot of row 1 is 1 - 2 * 2 = -3. Row 5 is
/// indefinite as well, but later.
TEST(SolveRows, NamesTheFirstRowThatIsNotPositiveDefinite) {
  oracle::Dense dense = oracle::identity(7);
  dense(1, 0) = dense(0, 1) = dense(5, 4) = dense(4, 5) = 2;
  auto const A = oracle::to_csr(dense);
  auto const s = solve(A, oracle::fsai_pattern(dense, 1, 0.0));
  EXPECT_EQ(s.failure.row, 1);
  EXPECT_EQ(s.failure.pivot, -3.0);
}

TEST(SolveRows, NamesALargeRowThatIsNotPositiveDefinite) {
  Index const n = 170;
  oracle::Dense dense = oracle::identity(n);
  dense(n - 2, n - 1) = dense(n - 1, n - 2) = 1.5;
  auto const A = oracle::to_csr(dense);
  oracle::DensePattern const full(n, std::vector<bool>(n, true));
  auto const s = solve(A, full);
  EXPECT_EQ(s.failure.row, n - 1);
  EXPECT_EQ(s.failure.pivot, -1.25);
}

TEST(Postfilter, EqualsTheNaiveMethod) {
  for (auto const& A : test::matrices()) {
    auto const dense = oracle::to_dense(A.view());
    auto const pattern = oracle::fsai_pattern(dense, 3, 0.0);
    auto const G = oracle::fsai_factor(dense, pattern);
    for (auto const& [delta, norm] : {std::pair{0.0, PostfilterNorm::euclidean},
                                      {0.05, PostfilterNorm::euclidean},
                                      {0.2, PostfilterNorm::euclidean},
                                      {0.9, PostfilterNorm::euclidean},
                                      {0.0, PostfilterNorm::energy},
                                      {0.1, PostfilterNorm::energy},
                                      {0.3, PostfilterNorm::energy}}) {
      auto const filtered = oracle::fsai_postfiltered(dense, G, delta, norm == PostfilterNorm::energy);
      auto s = solve(A, pattern);
      auto const unfiltered = s.value;
      std::vector<unsigned char> keep(s.value.size());
      std::vector<Index> kept(A.rows);
      Span<double> const value(s.value.data(), s.value.size());
      fsai::postfilter(Host{}, whole(A), s.pattern.view(), delta, norm, value, {keep.data(), keep.size()},
                       {kept.data(), kept.size()});
      auto const expected = entries(filtered, s.pattern);
      for (std::size_t k = 0; k < expected.size(); ++k) {
        ASSERT_EQ(keep[k] != 0, expected[k] != 0);
        ASSERT_EQ(s.value[k], keep[k] != 0 ? expected[k] : unfiltered[k]);
      }
      for (Index i = 0; i < A.rows; ++i) {
        Index count = 0;
        for (Offset k = s.pattern.offsets[i]; k < s.pattern.offsets[i + 1]; ++k) count += keep[k];
        ASSERT_EQ(kept[i], count);
      }
      auto again = unfiltered;
      fsai::rescale(Host{}, whole(A), s.pattern.view(), {keep.data(), keep.size()},
                    {again.data(), again.size()});
      EXPECT_EQ(again, s.value);
      EXPECT_LT(oracle::distance_from_unit_diagonal(dense, G), 1e-12);
      EXPECT_LT(oracle::distance_from_unit_diagonal(dense, filtered), 1e-12);
    }
  }
}

}  // namespace
}  // namespace Tessera
