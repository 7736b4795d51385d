// Several right-hand sides at once: each is what it is alone, bit for bit.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "krylov/conjugate_gradients.hpp"
#include "oracle/generators.hpp"
#include "sparse/interleave.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Result;
using krylov::Stop;

/// M = D for blocks, and how often it was asked.
void precondition_blocks(System& system, std::vector<double> const& inverse_diagonal, int& blocks) {
  system.precondition(inverse_diagonal);
  system.M.blocks.reserve = [](int) -> void const* { return nullptr; };
  system.M.blocks.apply = [&blocks, inverse_diagonal, first = system.rows.begin()](
                              int columns, Span<double const> r, Span<double> z) {
    ++blocks;
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = inverse_diagonal[first + i / columns] * r[i];
  };
}

std::vector<Result> solve_all(System& system, std::vector<std::vector<double>> const& b,
                              std::vector<std::vector<double>>& x, Parameters const& parameters) {
  std::vector<Span<double const>> b_spans;
  std::vector<Span<double>> x_spans;
  for (std::size_t c = 0; c < b.size(); ++c) {
    b_spans.emplace_back(b[c].data(), b[c].size());
    x_spans.emplace_back(x[c].data(), x[c].size());
  }
  return krylov::solve_columns(Host{}, system.A, system.M, b_spans, x_spans, parameters, system.workspace);
}

/// Bits, since NaN is not NaN.
bool same(double a, double b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

void expect_same(Result const& found, Result const& alone) {
  EXPECT_EQ(found.converged, alone.converged);
  EXPECT_EQ(found.stop, alone.stop);
  EXPECT_EQ(found.reason, alone.reason);
  EXPECT_EQ(found.iterations, alone.iterations);
  EXPECT_TRUE(oracle::same_bits(found.history, alone.history));
  EXPECT_TRUE(same(found.relative_residual, alone.relative_residual));
  EXPECT_TRUE(same(found.recursive_residual, alone.recursive_residual));
  EXPECT_TRUE(same(found.rounding_level, alone.rounding_level));
  EXPECT_EQ(found.replacements, alone.replacements);
  EXPECT_EQ(found.refinements, alone.refinements);
}

/// b: whole columns. From x = 0 and from x = b / 10.
void expect_columns_as_alone(System& system, std::vector<std::vector<double>> const& b,
                             Parameters const& parameters) {
  auto const begin = system.rows.begin(), end = begin + system.rows.local_size();
  std::vector<std::vector<double>> mine, x;
  for (auto const& whole : b) mine.emplace_back(whole.begin() + begin, whole.begin() + end);
  for (double const start : {0.0, 0.1}) {
    x = mine;
    for (auto& column : x) {
      for (auto& value : column) value *= start;
    }
    auto const from = x;
    auto const found = solve_all(system, mine, x, parameters);
    ASSERT_EQ(found.size(), b.size());
    for (std::size_t c = 0; c < b.size(); ++c) {
      SCOPED_TRACE(c);
      system.b = mine[c];
      system.x = from[c];
      auto const alone = system.solve(parameters);
      expect_same(found[c], alone);
      EXPECT_TRUE(oracle::same_bits(x[c], system.x));
    }
  }
}

/// Columns that end at different iterations: random ones, a smooth one, a multiple of another and zero.
std::vector<std::vector<double>> right_hand_sides(Index n, std::size_t count) {
  std::vector<std::vector<double>> b;
  for (std::size_t c = 0; c < count; ++c) b.push_back(oracle::random_vector(n, 5 + c));
  b[1].assign(n, 1.0);
  b[2].assign(n, 0.0);
  if (count > 4) {
    for (Index i = 0; i < n; ++i) b[4][i] = 1024 * b[0][i];
  }
  return b;
}

TEST(BlockSolve, ColumnsAreBitwiseWhatTheyAreAloneForAnyNumberOfThem) {
  auto const A = oracle::laplace(17, 13, 5);
  for (auto const how : all_shares) {
    for (bool const flexible : {false, true}) {
      for (std::size_t const count : {3, 4, 7, 8, 11}) {
        System system(A, std::vector<double>(A.rows, 1.0), how);
        Parameters parameters;
        parameters.flexible = flexible;
        expect_columns_as_alone(system, right_hand_sides(A.rows, count), parameters);
      }
    }
  }
}

TEST(BlockSolve, APreconditionerTakesBlocks) {
  auto const A = oracle::random_spd(157, 6, 3);
  auto const inverse = oracle::random_vector(157, 9);
  std::vector<double> diagonal;
  for (auto const value : inverse) diagonal.push_back(1 + 0.5 * value);
  for (auto const how : all_shares) {
    System system(A, std::vector<double>(157, 1.0), how);
    int blocks = 0;
    precondition_blocks(system, diagonal, blocks);
    expect_columns_as_alone(system, right_hand_sides(157, 5), {});
    EXPECT_GT(blocks, 0);
  }
}

TEST(BlockSolve, EachColumnHasItsOwnTroubles) {
  // Ill-conditioned, so that solves pause, are replaced and refined; one column is not finite, one is zero.
  auto const A = oracle::pinned_neumann_laplace(40, 30, 1e-7);
  auto b = right_hand_sides(A.rows, 6);
  b[3][7] = std::numeric_limits<double>::quiet_NaN();
  for (double const tolerance : {1e-8, 1e-13, 1e-15}) {
    System system(A, b[0]);
    Parameters parameters;
    parameters.tolerance = tolerance;
    expect_columns_as_alone(system, b, parameters);
    parameters.max_iterations = 20;
    expect_columns_as_alone(system, b, parameters);
  }
}

TEST(BlockSolve, MatricesThatAreNotDefiniteStopEachColumn) {
  auto A = oracle::laplace(9, 8);
  for (auto& value : A.value) value = value == 4 ? 1.5 : value;
  System system(A, std::vector<double>(A.rows, 1.0));
  expect_columns_as_alone(system, right_hand_sides(A.rows, 8), {});
}

TEST(BlockSolve, ASecondSolveTakesNoMemory) {
  auto const A = oracle::laplace(17, 13);
  System system(A, std::vector<double>(A.rows, 1.0));
  auto const begin = system.rows.begin(), end = begin + system.rows.local_size();
  std::vector<std::vector<double>> b, x;
  for (auto const& whole : right_hand_sides(A.rows, 8))
    b.emplace_back(whole.begin() + begin, whole.begin() + end);
  x = b;
  solve_all(system, b, x, {});
  auto const bytes = system.workspace.bytes();
  EXPECT_GE(bytes, 6 * 8 * b.front().size() * sizeof(double));
  solve_all(system, b, x, {});
  EXPECT_EQ(system.workspace.bytes(), bytes);
}

}  // namespace
}  // namespace Tessera::test
