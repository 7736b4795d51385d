#include <gtest/gtest.h>

#include <numeric>

#include "oracle/gauss_seidel.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;

/// v without its mean, scaled to norm one an entry, plus `share` of the constant.
std::vector<double> with_mean(std::vector<double> v, double share) {
  auto const n = static_cast<double>(v.size());
  double mean = 0;
  for (auto const v_i : v) mean += v_i / n;
  for (auto& v_i : v) v_i -= mean;
  double const norm = std::sqrt(dot(v, v) / n);
  for (auto& v_i : v) v_i = v_i / norm * std::sqrt(1 - share * share) + share;
  return v;
}

/// Blocks on a diagonal.
sparse::Csr<double, Host> side_by_side(sparse::Csr<double, Host> const& A,
                                       sparse::Csr<double, Host> const& B) {
  std::vector<Offset> offsets(A.offsets.begin(), A.offsets.end());
  std::vector<Index> column(A.column.begin(), A.column.end());
  std::vector<double> value(A.value.begin(), A.value.end());
  for (Index i = 0; i < B.rows; ++i) offsets.push_back(A.offsets[A.rows] + B.offsets[i + 1]);
  for (auto const c : B.column) column.push_back(A.rows + c);
  value.insert(value.end(), B.value.begin(), B.value.end());
  return oracle::make_csr(A.rows + B.rows, A.rows + B.rows, offsets, column, value);
}

void precondition(System& system, sparse::Csr<double, Host> const& A) {
  system.precondition_whole([&A](auto const& r) { return oracle::gauss_seidel<float>(A.view(), r); });
}

void expect_named(krylov::Result const& result, double share) {
  EXPECT_EQ(result.stop, Stop::singular) << krylov::name(result.stop) << result.reason;
  EXPECT_FALSE(result.converged);
  EXPECT_NEAR(result.nullspace_share, share, 0.01 * share);
  EXPECT_NE(result.reason.find("the matrix is singular"), std::string::npos) << result.reason;
  EXPECT_NE(result.reason.find("of the right-hand side lies in its nullspace"), std::string::npos)
      << result.reason;
}

TEST(Nullspace, AShareOfTheRightHandSideIsNamedWithItsSize) {
  auto const A = oracle::neumann_laplace(20, 20);
  for (double const share : {1.0, 0.5, 1e-3}) {
    auto const b = with_mean(oracle::random_vector(A.rows, 7), share);
    for (auto const how : all_shares) {
      for (bool const flexible : {false, true}) {
        for (bool const preconditioned : {false, true}) {
          System system(A, b, how);
          if (preconditioned) precondition(system, A);
          Parameters parameters;
          parameters.flexible = flexible;
          auto const result = system.solve(parameters);
          expect_named(result, share);
          EXPECT_LT(result.iterations, preconditioned ? 60 : 140);
        }
      }
    }
  }
}

TEST(Nullspace, AConsistentRightHandSideIsSolved) {
  auto const A = oracle::neumann_laplace(20, 20);
  auto const b = with_mean(oracle::random_vector(A.rows, 7), 0);
  for (double const tolerance : {1e-8, 1e-12}) {
    for (bool const preconditioned : {false, true}) {
      System system(A, b);
      if (preconditioned) precondition(system, A);
      Parameters parameters;
      parameters.tolerance = tolerance;
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged) << result.reason;
    }
  }
}

TEST(Nullspace, AConsistentOneIsAtTheRoundingLevelAndNotOutOfRange) {
  auto const A = oracle::neumann_laplace(20, 20);
  System system(A, with_mean(oracle::random_vector(A.rows, 7), 0));
  Parameters parameters;
  parameters.tolerance = 1e-19;
  EXPECT_EQ(system.solve(parameters).stop, Stop::rounding_level);
}

TEST(Nullspace, OneComponentOfSeveralIsEnough) {
  auto const A = side_by_side(oracle::laplace(15, 15), oracle::neumann_laplace(12, 12));
  auto const b = std::vector<double>(A.rows, 1.0);
  double const share = std::sqrt(144.0 / (225 + 144));
  for (bool const preconditioned : {false, true}) {
    System system(A, b);
    if (preconditioned) precondition(system, A);
    expect_named(system.solve(), share);
  }
}

/// M^-1 = A's pseudo-inverse in single precision: of an r that is constant it leaves nothing but rounding.
TEST(Nullspace, IsNamedThoughThePreconditionerSharesIt) {
  auto const A = oracle::neumann_laplace(10, 10);
  auto shifted = oracle::to_dense(A.view());
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.rows; ++j) shifted(i, j) += 1;
  auto const factors = oracle::inverse(shifted);
  for (double const share : {1.0, 0.8, 1e-3}) {
    System system(A, with_mean(oracle::random_vector(A.rows, 7), share));
    system.precondition_whole([&](auto const& r) {
      std::vector<float> const rounded(r.begin(), r.end());
      auto const z = oracle::product(factors, {rounded.begin(), rounded.end()});
      double const mean = std::accumulate(z.begin(), z.end(), 0.0) / A.rows;
      std::vector<double> found;
      for (double const z_i : z) found.push_back(static_cast<float>(z_i - mean));
      return found;
    });
    auto const result = system.solve();
    expect_named(result, share);
    EXPECT_LT(result.iterations, 10);
    auto const x = system.whole_x();
    if (share < 1) {  // else the first direction is rounding already
      EXPECT_LT(dot(x, x), 1e4 * A.rows);
    }
  }
}

TEST(Nullspace, NearlySingularIsNotSingular) {
  auto A = oracle::neumann_laplace(20, 20);
  A.value[0] += 1e-6;  // a(0, 0)
  System system(A, with_mean(oracle::random_vector(A.rows, 7), 1e-3));
  Parameters parameters;
  parameters.max_iterations = 10000;
  auto const result = system.solve(parameters);
  EXPECT_TRUE(result.converged) << result.reason;
}

// 1  0   b = 1   (p, A p) = 0, but A p is not: no nullspace
// 0 -1       1
TEST(Nullspace, ADirectionWithoutEnergyMayBeAnIndefiniteMatrix) {
  System system(oracle::make_csr(2, 2, {0, 1, 2}, {0, 1}, {1, -1}), {1, 1});
  EXPECT_EQ(system.solve().stop, Stop::indefinite_matrix);
}

}  // namespace
}  // namespace Tessera::test
