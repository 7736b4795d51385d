// The oracle itself, compared with hand-made answers.
#include <gtest/gtest.h>

#include "oracle/dense.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::oracle {
namespace {

TEST(Oracle, SmallStencilsAreExact) {
  EXPECT_EQ(to_dense(laplace(3).view()), Dense(3, 3, {2, -1, 0, -1, 2, -1, 0, -1, 2}));
  EXPECT_EQ(to_dense(laplace(2, 2).view()),
            Dense(4, 4, {4, -1, -1, 0, -1, 4, 0, -1, -1, 0, 4, -1, 0, -1, -1, 4}));
  EXPECT_EQ(to_dense(neumann_laplace(3).view()), Dense(3, 3, {1, -1, 0, -1, 2, -1, 0, -1, 1}));
  EXPECT_EQ(to_dense(laplace(3, 3, 3).view())(13, 13), 6);
  EXPECT_EQ(to_dense(anisotropic_laplace(2, 2, 1, 1, 0.5, 0).view()),
            Dense(4, 4, {3, -1, -0.5, 0, -1, 3, 0, -0.5, -0.5, 0, 3, -1, 0, -0.5, -1, 3}));
}

TEST(Oracle, ProductsAndSolvesFitTogether) {
  auto const A = to_dense(random_spd(30, 5, 1).view());
  EXPECT_EQ(A, transposed(A));
  EXPECT_TRUE(is_positive_definite(A));
  EXPECT_FALSE(is_positive_definite(Dense(2, 2, {1, 2, 2, 1})));
  auto const b = random_vector(30, 2);
  EXPECT_LT(largest_difference(product(A, solve(A, b)), b), 1e-13);
  auto const L = cholesky(A);
  EXPECT_LT(largest_difference(product(L, transposed(L)), A), 1e-13);
  EXPECT_LT(largest_difference(product(A, inverse(A)), identity(30)), 1e-13);
  EXPECT_LT(std::abs(spectral_radius(A) - symmetric_eigenvalues(A).back()), 1e-12);
}

TEST(Oracle, LeastSquaresOfTheNeumannLaplacianHasMeanZero) {
  auto const x = solve_least_squares(to_dense(neumann_laplace(3).view()), {1, 0, -1});
  EXPECT_LT(largest_difference(x, {1, 0, -1}), 1e-14);
}

TEST(Oracle, GeneralisedEigenvaluesOfDiagonalMatricesAreQuotients) {
  auto const lambda = generalised_eigenvalues(Dense(2, 2, {6, 0, 0, 1}), Dense(2, 2, {2, 0, 0, 4}));
  EXPECT_LT(largest_difference(lambda, {0.25, 3}), 1e-15);
}

TEST(Oracle, CsrAndDenseGoBackAndForth) {
  auto const A = random_matrix(20, 15, 4, 3);
  EXPECT_TRUE(identical(to_csr(to_dense(A.view())), A));
}

}  // namespace
}  // namespace Tessera::oracle
