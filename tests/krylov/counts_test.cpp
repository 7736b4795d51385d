#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/conjugate_gradients.hpp"
#include "oracle/generators.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::RelativeTo;
using krylov::Stop;

/// diag(d_0, d_1, ...)
sparse::Csr<double, Host> diagonal(std::vector<double> const& d) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  for (std::size_t i = 0; i < d.size(); ++i) {
    column.push_back(static_cast<Index>(i));
    offsets.push_back(static_cast<Offset>(i) + 1);
  }
  auto const n = static_cast<Index>(d.size());
  return oracle::make_csr(n, n, offsets, column, d);
}

TEST(Counts, AsManyIterationsAsDistinctEigenvalues) {
  for (bool const flexible : {false, true}) {
    for (std::vector<double> const& d : std::vector<std::vector<double>>{
             {3}, {2, 2, 2, 2}, {1, 2}, {1, 2, 1, 2, 1}, {1, 4, 9}, {1, 2, 3, 4, 5, 5, 4, 3, 2, 1}}) {
      auto distinct = d;
      std::sort(distinct.begin(), distinct.end());
      distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
      System system(diagonal(d), std::vector<double>(d.size(), 1.0));
      Parameters parameters;
      parameters.flexible = flexible;
      parameters.tolerance = 1e-10;
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged);
      EXPECT_EQ(result.iterations, static_cast<int>(distinct.size()));
      EXPECT_EQ(result.history.size(), distinct.size() + 1);
      EXPECT_EQ(result.replacements, 0);
      auto const x = system.whole_x();
      for (std::size_t i = 0; i < d.size(); ++i) EXPECT_NEAR(x[i], 1 / d[i], 1e-14);
    }
  }
}

// A = 4 1   b = 1   x_0 = 2   r_0 = -8   alpha_0 = 73/331
//     1 3       2         1         -3
TEST(Counts, TwoByTwoByHand) {
  auto const A = oracle::make_csr(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {4, 1, 1, 3});
  for (bool const flexible : {false, true}) {
    Parameters parameters;
    parameters.flexible = flexible;
    parameters.relative_to = RelativeTo::one;
    auto const from = [&](int iterations) {
      System system(A, {1, 2});
      for (std::size_t i = 0; i < system.x.size(); ++i) system.x[i] = system.rows.begin() + i == 0 ? 2 : 1;
      parameters.max_iterations = iterations;
      auto const result = system.solve(parameters);
      EXPECT_EQ(result.iterations, iterations);
      EXPECT_NEAR(result.history[0], std::sqrt(73.0), 1e-14);
      return std::make_pair(result, system.whole_x());
    };
    auto const [none, x_0] = from(0);
    EXPECT_EQ(none.stop, Stop::max_iterations);
    EXPECT_EQ(x_0, (std::vector<double>{2, 1}));
    auto const [one, x_1] = from(1);
    EXPECT_EQ(one.stop, Stop::max_iterations);
    EXPECT_FALSE(one.converged);
    EXPECT_NE(one.reason.find("allow more iterations"), std::string::npos) << one.reason;
    EXPECT_NEAR(x_1[0], 2 - 8 * 73.0 / 331, 1e-14);
    EXPECT_NEAR(x_1[1], 1 - 3 * 73.0 / 331, 1e-14);
    auto const [two, x_2] = from(2);
    EXPECT_TRUE(two.converged);
    EXPECT_EQ(two.reason, "");
    EXPECT_NEAR(x_2[0], 1.0 / 11, 1e-14);
    EXPECT_NEAR(x_2[1], 7.0 / 11, 1e-14);
  }
}

TEST(Counts, ResidualsAreThoseOfTheTextBookOnAnyRanks) {
  auto const A = oracle::anisotropic_laplace(23, 19, 1, 1.0, 0.1, 0.0);
  auto const b = oracle::random_vector(A.rows, 7);
  std::vector<double> inverse(A.rows);
  for (Index i = 0; i < A.rows; ++i) inverse[i] = 1 / (2.2 + 0.5 * std::sin(i));
  auto const norms = oracle::conjugate_gradients([&](auto const& v) { return oracle::product(A.view(), v); },
                                                 [&](auto r) {
                                                   for (Index i = 0; i < A.rows; ++i) r[i] *= inverse[i];
                                                   return r;
                                                 },
                                                 dot, b, 1e-9)
                         .norms;
  for (bool const flexible : {false, true}) {
    for (auto const how : all_shares) {
      System system(A, b, how);
      system.precondition(inverse);
      Parameters parameters;
      parameters.flexible = flexible;
      parameters.tolerance = 1e-9;
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged) << result.reason;
      ASSERT_EQ(result.iterations + 1, static_cast<int>(norms.size()));
      ASSERT_EQ(result.history.size(), norms.size());
      EXPECT_NEAR(result.reference, norms[0], 1e-12);
      for (std::size_t k = 0; k < norms.size(); ++k)
        EXPECT_NEAR(result.history[k] * norms[0] / norms[k], 1.0, 1e-4) << k;
    }
  }
}

TEST(Counts, TheFirstIterationThatMeetsTheToleranceIsTheLast) {
  auto const A = oracle::laplace(25, 25);
  for (auto const relative_to : {RelativeTo::rhs, RelativeTo::initial_residual, RelativeTo::one}) {
    System system(A, oracle::random_vector(A.rows, 7));
    for (auto& x : system.x) x = 0.25;
    Parameters parameters;
    parameters.relative_to = relative_to;
    auto const result = system.solve(parameters);
    EXPECT_TRUE(result.converged);
    ASSERT_EQ(static_cast<int>(result.history.size()), result.iterations + 1);
    EXPECT_LE(result.history.back(), parameters.tolerance);
    for (int k = 0; k < result.iterations; ++k) EXPECT_GT(result.history[k], parameters.tolerance);
    if (relative_to == RelativeTo::initial_residual) {
      EXPECT_DOUBLE_EQ(result.history[0], 1.0);
    }
    if (relative_to == RelativeTo::one) {
      EXPECT_EQ(result.reference, 1.0);
    }
    EXPECT_NEAR(result.relative_residual, result.recursive_residual, 1e-12);
  }
}

TEST(Counts, AnExactStartNeedsNone) {
  auto const A = oracle::laplace(30);
  std::vector<double> const x(30, 3.0);
  System system(A, oracle::product(oracle::to_dense(A.view()), x));
  for (auto& x_i : system.x) x_i = 3.0;
  for (auto const relative_to : {RelativeTo::rhs, RelativeTo::initial_residual, RelativeTo::one}) {
    Parameters parameters;
    parameters.relative_to = relative_to;
    parameters.tolerance = 0;
    auto const result = system.solve(parameters);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.iterations, 0);
    EXPECT_EQ(result.relative_residual, 0);
    for (auto const x_i : system.x) EXPECT_EQ(x_i, 3.0);
  }
}

TEST(Counts, AZeroRightHandSideGivesZeroWhateverTheStart) {
  System system(oracle::laplace(30), std::vector<double>(30, 0.0));
  for (auto const relative_to : {RelativeTo::rhs, RelativeTo::initial_residual, RelativeTo::one}) {
    for (auto& x_i : system.x) x_i = 3.0;
    Parameters parameters;
    parameters.relative_to = relative_to;
    auto const result = system.solve(parameters);
    EXPECT_TRUE(result.converged);
    EXPECT_EQ(result.iterations, 0);
    EXPECT_EQ(result.relative_residual, 0);
    EXPECT_EQ(result.recursive_residual, 0);
    for (auto const x_i : system.x) EXPECT_EQ(x_i, 0.0);
  }
}

TEST(Counts, AStartFromZeroDoesNotReadX) {
  auto const A = oracle::laplace(12, 12);
  auto const b = oracle::random_vector(A.rows, 7);
  System zero(A, b), garbage(A, b);
  for (auto& x_i : garbage.x) x_i = std::nan("");
  Parameters parameters;
  auto const expected = zero.solve(parameters);
  parameters.start_from_zero = true;
  auto const result = garbage.solve(parameters);
  EXPECT_EQ(result.history, expected.history);
  EXPECT_EQ(garbage.x, zero.x);
}

}  // namespace
}  // namespace Tessera::test
