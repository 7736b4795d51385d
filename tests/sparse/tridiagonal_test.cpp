#include "sparse/tridiagonal.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/group.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::sparse {
namespace {

double largest(std::vector<double> const& alpha, std::vector<double> const& beta) {
  return largest_eigenvalue(core::SingleThread{},
                            Tridiagonal{alpha.data(), beta.data(), static_cast<int>(alpha.size())});
}

TEST(LargestEigenvalue, OfOneByOneIsTheEntry) {
  EXPECT_EQ(largest({3.25}, {}), 3.25);
  EXPECT_EQ(largest({-2}, {}), -2);
}

// [ 2 1 ]  has 1 and 3, [ 0 1 ] has -1 and 1.
// [ 1 2 ]               [ 1 0 ]
TEST(LargestEigenvalue, OfTwoByTwoIsExact) {
  EXPECT_DOUBLE_EQ(largest({2, 2}, {1}), 3);
  EXPECT_DOUBLE_EQ(largest({0, 0}, {-1}), 1);
}

TEST(LargestEigenvalue, OfTheLaplacianIsTheCosine) {
  int const n = 50;
  EXPECT_NEAR(largest(std::vector<double>(n, 2.0), std::vector<double>(n - 1, -1.0)),
              2 + 2 * std::cos(std::acos(-1.0) / (n + 1)), 1e-14);
}

TEST(LargestEigenvalue, AgreesWithLapack) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    auto const n = static_cast<Index>(1 + seed);
    auto alpha = oracle::random_vector(n, seed), beta = oracle::random_vector(n - 1, seed + 50);
    if (seed % 4 == 0 && n > 2) beta[n / 2] = 0;  // falls apart into two matrices
    oracle::Dense T(n, n);
    for (Index i = 0; i < n; ++i) {
      T(i, i) = alpha[i];
      if (i + 1 < n) T(i, i + 1) = T(i + 1, i) = beta[i];
    }
    EXPECT_NEAR(largest(alpha, beta), oracle::symmetric_eigenvalues(T).back(), 1e-14) << seed;
  }
}

}  // namespace
}  // namespace Tessera::sparse
