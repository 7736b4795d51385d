#include <gtest/gtest.h>

#include <limits>

#include "oracle/generators.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;

void expect_stop(krylov::Result const& result, Stop stop, char const* said) {
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.stop, stop) << krylov::name(result.stop);
  EXPECT_NE(result.reason.find(said), std::string::npos) << result.reason;
}

bool all_finite(std::vector<double> const& x) {
  for (auto const x_i : x) {
    if (!std::isfinite(x_i)) return false;
  }
  return true;
}

// 1  0   b = 1   (p, A p) = 0 at once
// 0 -1       1
TEST(Breakdown, AnIndefiniteMatrixIsSaidToBeOne) {
  auto const A = oracle::make_csr(2, 2, {0, 1, 2}, {0, 1}, {1, -1});
  for (bool const flexible : {false, true}) {
    System system(A, {1, 1});
    Parameters parameters;
    parameters.flexible = flexible;
    auto const result = system.solve(parameters);
    expect_stop(result, Stop::indefinite_matrix, "(p, A p) is 0,");
    EXPECT_EQ(result.iterations, 0);
    EXPECT_EQ(system.whole_x(), (std::vector<double>{0, 0}));
    EXPECT_DOUBLE_EQ(result.relative_residual, 1.0);
  }
}

TEST(Breakdown, IndefinitenessIsFoundOnTheWay) {
  auto A = oracle::laplace(20, 20);
  for (Offset k = 0; k < static_cast<Offset>(A.value.size()); ++k) {
    if (A.value[k] > 0) A.value[k] -= 0.3;  // the smallest eigenvalue was 0.04
  }
  for (bool const flexible : {false, true}) {
    for (auto const how : all_shares) {
      System system(A, std::vector<double>(A.rows, 1.0), how);
      Parameters parameters;
      parameters.flexible = flexible;
      auto const result = system.solve(parameters);
      expect_stop(result, Stop::indefinite_matrix, "use GMRES or fix the matrix");
      EXPECT_LT(result.iterations, 100);
      EXPECT_TRUE(all_finite(system.x));
    }
  }
}

TEST(Breakdown, AnIndefinitePreconditionerIsSaidToBeOne) {
  auto const A = oracle::laplace(20, 20);
  for (double const minus : {-1.0, 0.0}) {
    System system(A, std::vector<double>(A.rows, 1.0));
    system.precondition(std::vector<double>(A.rows, minus));
    auto const result = system.solve();
    expect_stop(result, Stop::indefinite_preconditioner, "(r, M^-1 r) is");
    EXPECT_EQ(result.iterations, 0);
  }
}

TEST(Breakdown, NaNsAreFoundWhereverTheyComeFrom) {
  double const nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
  for (double const bad : {nan, infinity}) {
    auto const A = oracle::laplace(60);
    {
      auto b = std::vector<double>(60, 1.0);
      b[41] = bad;
      System system(A, b);
      auto const result = system.solve();
      expect_stop(result, Stop::not_finite, "not finite");
      EXPECT_EQ(result.iterations, 0);
      EXPECT_TRUE(all_finite(system.x));
    }
    {
      System system(A, std::vector<double>(60, 1.0));
      if (!system.x.empty()) system.x[0] = bad;
      expect_stop(system.solve(), Stop::not_finite, "not finite");
    }
    {
      auto with_nan = oracle::laplace(60);
      with_nan.value[33] = bad;
      System system(with_nan, std::vector<double>(60, 1.0));
      Parameters parameters;
      parameters.start_from_zero = true;
      auto const result = system.solve(parameters);
      expect_stop(result, Stop::not_finite, "not finite");
      EXPECT_TRUE(all_finite(system.x));
    }
    {
      System system(A, std::vector<double>(60, 1.0));
      int calls = 0;
      system.M.apply = [&](Span<double const> r, Span<double> z) {
        ++calls;
        for (std::size_t i = 0; i < r.size(); ++i) z[i] = calls == 4 ? bad : r[i];
      };
      auto const result = system.solve();
      expect_stop(result, Stop::not_finite, "not finite");
      EXPECT_EQ(result.iterations, 3);
      EXPECT_TRUE(all_finite(system.x));
    }
  }
}

TEST(Breakdown, ARightHandSideTooSmallToSquareIsNoZero) {
  System system(oracle::laplace(10), std::vector<double>(10, 1e-170));
  expect_stop(system.solve(), Stop::not_finite, "scale the system");
}

TEST(Breakdown, SingularButConsistentIsSolved) {
  auto const A = oracle::neumann_laplace(8, 8);
  std::vector<double> b(A.rows);
  for (Index i = 0; i < A.rows; ++i) b[i] = i < A.rows / 2 ? 1 : -1;
  System system(A, b);
  auto const result = system.solve();
  EXPECT_TRUE(result.converged) << result.reason;
  EXPECT_LE(result.relative_residual, 1e-8);
}

}  // namespace
}  // namespace Tessera::test
