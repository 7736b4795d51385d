#include "multigrid/dense_inverse.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.hpp"
#include "core/parallel.hpp"
#include "oracle/dense.hpp"
#include "oracle/generators.hpp"

namespace Tessera::multigrid {
namespace {

std::vector<double> solve(sparse::Csr<double, Host> const& A, std::vector<double> const& b, Index rank) {
  DenseInverse<double, Host> const inverse(Host{}, A);
  EXPECT_EQ(inverse.rank(), rank);
  std::vector<double> x(b.size());
  inverse.apply(Host{}, {b.data(), b.size()}, {x.data(), x.size()});
  return x;
}

TEST(DenseInverse, SolvesAPositiveDefiniteSystem) {
  for (Index n : {1, 2, 31, 32, 33, 100}) {
    auto const A = oracle::random_spd(n, 4.0, 7);
    auto const x = oracle::random_vector(n, 3);
    auto const b = oracle::product(oracle::to_dense(A.view()), x);
    EXPECT_LT(oracle::largest_difference(solve(A, b, n), x), 1e-12) << n;
  }
}

TEST(DenseInverse, SolvesANeumannProblemUpToAConstant) {
  auto const A = oracle::neumann_laplace(7, 5);
  auto const D = oracle::to_dense(A.view());
  auto const b = oracle::product(D, oracle::random_vector(35, 1));  // in the range
  auto const x = solve(A, b, 34);
  EXPECT_LT(oracle::largest_difference(oracle::product(D, x), b), 1e-12);
}

TEST(DenseInverse, FindsEveryComponentOfASingularSystem) {
  // Two free chains: o-o-o  o-o
  auto const A = oracle::to_csr(oracle::Dense(5, 5, {1,  -1, 0,  0,  0,   //
                                                     -1, 2,  -1, 0,  0,   //
                                                     0,  -1, 1,  0,  0,   //
                                                     0,  0,  0,  5,  -5,  //
                                                     0,  0,  0,  -5, 5}));
  std::vector<double> const b{1, 0, -1, 5, -5};
  auto const x = solve(A, b, 3);
  EXPECT_LT(oracle::largest_difference(oracle::product(oracle::to_dense(A.view()), x), b), 1e-13);
}

//     [ 1 a     ]
// A = [ a 1     ]  with a^2 = 1 - pivot: eliminating one row leaves the pivot.
//     [     1   ]
//     [       . ]
TEST(DenseInverse, CountsPivotsUpToTheToleranceAsZero) {
  auto const rank = [](Index n, double pivot) {
    oracle::Dense A(n, n);
    for (Index i = 0; i < n; ++i) A(i, i) = 1;
    A(0, 1) = A(1, 0) = std::sqrt(1 - pivot);
    return DenseInverse<double, Host>(Host{}, oracle::to_csr(A)).rank();
  };
  for (Index n : {2, 100, 600}) {
    double const tolerance = rank_tolerance(n);
    EXPECT_EQ(rank(n, 1.5 * tolerance), n) << n;
    EXPECT_EQ(rank(n, 0.7 * tolerance), n - 1) << n;
  }
  EXPECT_DOUBLE_EQ(rank_tolerance(2), 64 * std::numeric_limits<double>::epsilon());
  EXPECT_DOUBLE_EQ(rank_tolerance(600), 16 * 600 * std::numeric_limits<double>::epsilon());
}

// A chain whose diagonal was summed from 1e4 times as much has rounding errors of 1e4 eps.
TEST(DenseInverse, JudgesPivotsByWhatTheyWereSummedFrom) {
  constexpr Index n = 9;
  auto A = oracle::neumann_laplace(n);
  for (Index i = 0; i < n; ++i)
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      if (A.column[k] == i) A.value[k] *= 1 + 1e4 * std::numeric_limits<double>::epsilon();
  Array<double, Host> summed(Host{}, n);
  for (double const share : {1e-4, 1e-6}) {
    core::fill(Host{}, summed.span(), 1 / share);
    EXPECT_EQ((DenseInverse<double, Host>(Host{}, A, summed.view()).rank()), n - 1) << share;
  }
  core::fill(Host{}, summed.span(), 1.0);
  EXPECT_EQ((DenseInverse<double, Host>(Host{}, A, summed.view()).rank()), n) << "less than the diagonal";
  EXPECT_EQ((DenseInverse<double, Host>(Host{}, A).rank()), n);
}

// What is negative beside the diagonal is no rounding, whatever that was summed from.
TEST(DenseInverse, RefusesWhatIsNotSemidefiniteWhateverItWasSummedFrom) {
  constexpr Index n = 9;
  auto A = oracle::neumann_laplace(n);
  for (Index i = 0; i < n; ++i)
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
      if (A.column[k] == i) A.value[k] *= 1 - 1e-6;
  Array<double, Host> summed(Host{}, n);
  for (double const share : {1.0, 1e-3, 1e-6}) {
    core::fill(Host{}, summed.span(), 1 / share);
    EXPECT_THROW((DenseInverse<double, Host>(Host{}, A, summed.view())), core::NumericalError) << share;
  }
}

TEST(DenseInverse, IsSymmetricWhenItsMatrixIsSingular) {
  auto const A = oracle::neumann_laplace(9);
  DenseInverse<double, Host> const inverse(Host{}, A);
  oracle::Dense M(9, 9);
  for (Index j = 0; j < 9; ++j) {
    std::vector<double> e(9, 0.0), x(9);
    e[j] = 1;
    inverse.apply(Host{}, {e.data(), 9}, {x.data(), 9});
    for (Index i = 0; i < 9; ++i) M(i, j) = x[i];
  }
  EXPECT_TRUE(M == oracle::transposed(M));
}

TEST(DenseInverse, RefusesWhatIsNotPositiveSemidefinite) {
  auto const indefinite = oracle::to_csr(oracle::Dense(2, 2, {1, 2, 2, 1}));
  auto const zero_diagonal = oracle::to_csr(oracle::Dense(2, 2, {1, 0, 0, 0}));
  auto nan = oracle::to_csr(oracle::Dense(2, 2, {2, 1, 1, 2}));
  nan.value[1] = std::nan("");
  EXPECT_THROW((DenseInverse<double, Host>(Host{}, indefinite)), core::NumericalError);
  EXPECT_THROW((DenseInverse<double, Host>(Host{}, zero_diagonal)), core::NumericalError);
  EXPECT_THROW((DenseInverse<double, Host>(Host{}, nan)), core::NumericalError);
}

TEST(DenseInverse, TakesNewValues) {
  auto A = oracle::random_spd(20, 4.0, 7);
  DenseInverse<float, Host> inverse(Host{}, A);
  for (auto& a : A.value) a *= 2;
  inverse.begin_refresh(Host{}, A);
  inverse.end_refresh(Host{}, A);
  DenseInverse<float, Host> const fresh(Host{}, A);
  std::vector<float> const b(20, 1.0f);
  std::vector<float> x(20), y(20);
  inverse.apply(Host{}, {b.data(), 20}, {x.data(), 20});
  fresh.apply(Host{}, {b.data(), 20}, {y.data(), 20});
  EXPECT_EQ(x, y);
}

}  // namespace
}  // namespace Tessera::multigrid
