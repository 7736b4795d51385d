#include "galerkin/prolongator.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

/// A vector that is kept, on this rank; of no numbers: ones.
struct Kept {
  std::vector<double> own, ghost;
  Kept(comm::DistCsr<double, Host> const& A, std::vector<double> const& whole) {
    if (whole.empty()) return;
    own = test::part(A.rows, whole);
    ghost.resize(A.halo.ghost_count());
    A.halo.exchange(Host{}, test::view(own), test::span(ghost));
  }
  galerkin::KeptVector vector() const { return {own.data(), ghost.data(), static_cast<Index>(own.size())}; }
};

/// A bound that ranks without rows lack if one rank has all rows.
double shared_bound(comm::DistCsr<double, Host> const& A, double bound) {
  return A.rows.on_one_rank() ? A.rows.comm().max(bound) : bound;
}

/// Whole results, on every rank.
Filtered filter(comm::DistCsr<double, Host> const& A, FilterParameters const& parameters,
                std::vector<double> const& B = {}) {
  Kept const kept(A, B);
  std::vector<double> diagonal(A.local.rows);
  std::vector<unsigned char> lumped(A.local.rows);
  auto const strong = strong_entries(A);
  double bound = -1;
  galerkin::filtered_diagonal(Host{}, A, test::view(strong), parameters, kept.vector(), test::span(diagonal),
                              test::span(lumped), &bound);
  auto const flags = A.rows.comm().all_gather(std::vector<double>(lumped.begin(), lumped.end()));
  return {A.rows.comm().all_gather(diagonal), {flags.begin(), flags.end()}, shared_bound(A, bound)};
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

// B = 1 2 1 -4: row 0 takes -1 * 2 / 1, row 1 (-1 - 1 * -4) / 2, row 3 -1 * 2 / -4; A_F B = A B.
TEST(FilteredDiagonal, WeakEntriesAreWeighedByTheVectorThatIsKept) {
  auto const rows = test::split(test::world(), test::Split::uneven, 4);
  auto const A = test::distribute(example(), rows);
  auto const result = filter(A, {true, 0.3}, {1, 2, 1, -4});
  EXPECT_EQ(result.diagonal, (std::vector<double>{8, 3.5, 4, 1.5}));
  EXPECT_EQ(result.lumped, (std::vector<unsigned char>{1, 1, 0, 1}));
  EXPECT_EQ(result.bound, 3.5 / 1.5);  // row 3
  EXPECT_EQ(filter(A, {true, 0.3}, {7, 7, 7, 7}).diagonal, filter(A, {true, 0.3}).diagonal);
}

// Row 0: B is zero there; row 1 would have 2 + 128 / 2; row 3 has 1 + 2 / 128.
TEST(FilteredDiagonal, RowsWhereTheVectorSaysNothingAreKept) {
  auto const rows = test::split(test::world(), test::Split::even, 4);
  auto const result = filter(test::distribute(example(), rows), {true, 0.3}, {0, 2, 1, -128});
  EXPECT_EQ(result.lumped, (std::vector<unsigned char>{0, 0, 0, 1}));
  EXPECT_EQ(result.diagonal, (std::vector<double>{10, 2, 4, 1.015625}));
  EXPECT_EQ(filter(test::distribute(example(), rows), {true, 0.0}, {0, -2, 1, 1}).lumped[0], 0);
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
    galerkin::refresh_filtered_diagonal(Host{}, A, test::view(strong), test::view(lumped), {},
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

/// Nodes of several unknowns, some of whose couplings are weak, with what filtered_blocks makes of them.
struct FilteredNodes {
  int equations, vectors;
  comm::DistCsr<double, Host> A;
  std::vector<double> B, ghost;
  std::vector<unsigned char> strong, lumped;
  std::vector<double> blocks, diagonal;
  double bound = -1;

  FilteredNodes(int e, int m, comm::Distribution const& rows, std::vector<double> const& nullspace)
      : equations(e),
        vectors(m),
        A(test::distribute(test::blocks(oracle::laplace(6, 5), e, 1), rows)),
        B(test::part(rows, nullspace, m)),
        ghost(static_cast<std::size_t>(A.halo.ghost_count()) * m),
        lumped(A.local.rows),
        blocks(static_cast<std::size_t>(A.local.rows) * e),
        diagonal(A.local.rows) {
    A.halo.exchange(Host{}, test::view(B), test::span(ghost), m);
    auto const global = comm::global_columns(A.halo);
    for (Index i = 0; i < A.local.rows; ++i) {
      for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k) {
        auto const I = (rows.begin() + i) / e, J = global[A.local.column[k]] / e;
        strong.push_back(I == J || (I + J) % 3 != 0 ? 1 : 0);
      }
    }
  }
  galerkin::KeptVectors kept() const { return {B.data(), ghost.data(), A.local.rows, vectors}; }
  void filter(bool decides) {
    galerkin::filtered_blocks(Host{}, A, test::view(strong), {true, 0.3}, kept(), equations, decides,
                              test::span(blocks), test::span(diagonal), test::span(lumped), &bound);
    bound = shared_bound(A, bound);
  }
  double entry(Index i, Offset k) const {
    auto const at = A.local.column[k] - i / equations * equations;
    if (at >= 0 && at < equations) return blocks[static_cast<std::size_t>(i) * equations + at];
    return lumped[i] != 0 && strong[k] == 0 ? 0.0 : A.local.value[k];
  }
  /// Rows whose weak entries are gone; what A_F B misses of A B for a vector.
  Index lumped_rows() const {
    return static_cast<Index>(A.rows.comm().sum(std::count(lumped.begin(), lumped.end(), 1) + 0.0));
  }
  double missed(int vector) const {
    double largest = 0;
    for (Index i = 0; i < A.local.rows; ++i) {
      double sum = 0;
      for (auto k = A.local.offsets[i]; k < A.local.offsets[i + 1]; ++k)
        sum += (entry(i, k) - A.local.value[k]) * kept()(A.local.column[k])[vector];
      largest = std::max(largest, std::abs(sum));
    }
    return A.rows.comm().max(largest);
  }
};

// The second vector is twice the first, so that as many are independent as a node has unknowns.
TEST(FilteredBlocks, KeepAllVectorsThatABlockCanKeep) {
  for (int const e : {2, 3}) {
    auto B = test::vectors(30 * e, e + 1, 5);
    for (std::size_t i = 0; i < B.size(); i += e + 1) {
      B[i] = 1 + 0.5 * core::uniform(i, 9);
      B[i + 1] = 2 * B[i];
    }
    for (auto const how : test::all_splits) {
      FilteredNodes made(e, e + 1, test::split(test::world(), how, 30, e), B);
      made.filter(true);
      EXPECT_GT(made.lumped_rows(), 10);
      for (int c = 0; c <= e; ++c) EXPECT_LE(made.missed(c), 1e-12) << e << c;
      double largest = 0;
      for (Index i = 0; i < made.A.local.rows; ++i) {
        double sum = 0;
        for (auto k = made.A.local.offsets[i]; k < made.A.local.offsets[i + 1]; ++k)
          sum += std::abs(made.entry(i, k));
        largest = std::max(largest, sum / made.diagonal[i]);
        EXPECT_EQ(made.diagonal[i], made.blocks[i * e + i % e]);
      }
      EXPECT_NEAR(made.bound, made.A.rows.comm().max(largest), 1e-13);
    }
  }
}

TEST(FilteredBlocks, RowsAreKeptWhereThereAreMoreVectorsThanUnknowns) {
  FilteredNodes made(2, 3, test::split(test::world(), test::Split::uneven, 30, 2), test::vectors(60, 3, 5));
  made.filter(true);
  EXPECT_EQ(made.lumped_rows(), 0);
  for (int c = 0; c < 3; ++c) EXPECT_LE(made.missed(c), 1e-12);
}

TEST(FilteredBlocks, OfConstantsTakeTheSumsOfBlocks) {
  std::vector<double> constants;
  for (Index i = 0; i < 60; ++i)
    constants.insert(constants.end(), {i % 2 == 0 ? 1.0 : 0.0, i % 2 == 0 ? 0.0 : 1.0});
  FilteredNodes made(2, 2, test::split(test::world(), test::Split::even, 30, 2), constants);
  made.filter(true);
  EXPECT_LE(made.missed(0) + made.missed(1), 1e-14);
  EXPECT_GT(made.lumped_rows(), 10);
}

TEST(FilteredBlocks, ARefreshIsBitwiseTheSame) {
  FilteredNodes made(3, 3, test::split(test::world(), test::Split::uneven, 30, 3), test::vectors(90, 3, 5));
  made.filter(true);
  auto const blocks = made.blocks, diagonal = made.diagonal;
  auto const bound = made.bound;
  made.blocks.assign(blocks.size(), -1);
  made.filter(false);
  EXPECT_EQ(made.blocks, blocks);
  EXPECT_EQ(made.diagonal, diagonal);
  EXPECT_EQ(made.bound, bound);
}

// B is zero in node 0, whose rows stay as they are.
TEST(FilteredBlocks, RowsWithoutAVectorAreKept) {
  auto B = test::vectors(60, 2, 5);
  for (int k = 0; k < 4; ++k) B[k] = 0;
  auto const rows = test::split(test::world(), test::Split::even, 30, 2);
  FilteredNodes made(2, 2, rows, B);
  made.filter(true);
  for (Index i = 0; i < made.A.local.rows; ++i) {
    EXPECT_GT(made.diagonal[i], 0);
    EXPECT_EQ(rows.begin() + i < 2 ? made.lumped[i] : 0, 0);
  }
  EXPECT_LE(made.missed(0) + made.missed(1), 1e-12);
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
