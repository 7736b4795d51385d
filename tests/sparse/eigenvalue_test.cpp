#include "sparse/eigenvalue.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::sparse {
namespace {

TEST(TridiagonalMaxEigenvalue, OfOneByOneIsTheEntry) {
  EXPECT_EQ(tridiagonal_max_eigenvalue({3.25}, {}), 3.25);
  EXPECT_EQ(tridiagonal_max_eigenvalue({-2}, {}), -2);
}

// [ 2 1 ]  has 1 and 3, [ 0 1 ] has -1 and 1.
// [ 1 2 ]               [ 1 0 ]
TEST(TridiagonalMaxEigenvalue, OfTwoByTwoIsExact) {
  EXPECT_DOUBLE_EQ(tridiagonal_max_eigenvalue({2, 2}, {1}), 3);
  EXPECT_DOUBLE_EQ(tridiagonal_max_eigenvalue({0, 0}, {-1}), 1);
}

TEST(TridiagonalMaxEigenvalue, OfTheLaplacianIsTheCosine) {
  int const n = 50;
  EXPECT_NEAR(tridiagonal_max_eigenvalue(std::vector<double>(n, 2.0), std::vector<double>(n - 1, -1.0)),
              2 + 2 * std::cos(std::acos(-1.0) / (n + 1)), 1e-14);
}

TEST(TridiagonalMaxEigenvalue, AgreesWithLapack) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const n = static_cast<Index>(1 + seed);
    auto alpha = oracle::random_vector(n, seed), beta = oracle::random_vector(n - 1, seed + 50);
    if (seed % 4 == 0 && n > 2) beta[n / 2] = 0;  // falls apart into two matrices
    oracle::Dense T(n, n);
    for (Index i = 0; i < n; ++i) {
      T(i, i) = alpha[i];
      if (i + 1 < n) T(i, i + 1) = T(i + 1, i) = beta[i];
    }
    EXPECT_NEAR(tridiagonal_max_eigenvalue(alpha, beta), oracle::symmetric_eigenvalues(T).back(), 1e-14)
        << seed;
  }
}

TEST(TridiagonalMaxEigenvalue, BadInputIsRefused) {
  auto const nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THROW(tridiagonal_max_eigenvalue({}, {}), core::InvalidInput);
  EXPECT_THROW(tridiagonal_max_eigenvalue({1, 2}, {}), core::InvalidInput);
  EXPECT_THROW(tridiagonal_max_eigenvalue({1, nan}, {1}), core::InvalidInput);
  EXPECT_THROW(tridiagonal_max_eigenvalue({1, 2}, {INFINITY}), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::sparse
