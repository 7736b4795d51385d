#include "multigrid/smoother.hpp"

#include <gtest/gtest.h>

#include "core/parallel.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

struct Problem {
  sparse::Csr<double, Host> whole = oracle::laplace(7, 5);
  comm::DistCsr<double, Host> A = test::distribute(whole, test::share(test::world(), 35, false));
  Array<double, Host> diagonal{Host{}, static_cast<std::size_t>(A.local.rows)};
  Problem() { core::fill(Host{}, diagonal.span(), 4.0); }

  /// This rank's part of one application on random b and x, and the same by the naive recurrence on the
  /// whole.
  void check(SmootherParameters const& parameters, bool from_zero) const {
    double const rho = 1.9;
    Smoother<double, Host> const smoother(Host{}, A, diagonal.view(), rho, parameters);
    comm::DistMatrix<double, Host> const stored(Host{}, A, {});
    SmoothingVectors<double, Host> work(Host{}, A.local.rows);
    auto const b = oracle::random_vector(35, 1), start = oracle::random_vector(35, 2);
    for (Index i = 0; i < A.local.rows; ++i) {
      work.b[i] = b[A.rows.begin() + i];
      work.x[i] = from_zero ? std::nan("") : start[A.rows.begin() + i];
    }
    smoother.smooth(Host{}, stored, work.vectors(), from_zero);

    auto const dense = oracle::to_dense(whole.view());
    Vector x = from_zero ? Vector(35, 0.0) : start;
    int const repetitions = parameters.type == SmootherType::chebyshev ? parameters.sweeps : 1;
    for (int k = 0; k < repetitions; ++k) {
      Vector r = oracle::product(dense, x), z(35, 0.0);
      for (int i = 0; i < 35; ++i) r[i] = b[i] - r[i];
      for (auto const& step : polynomial(parameters, rho)) {
        for (int i = 0; i < 35; ++i) {
          z[i] = step.previous * z[i] + step.residual * r[i] / scaling(parameters, i);
          x[i] += step.weight * z[i];
        }
        auto const Az = oracle::product(dense, z);
        for (int i = 0; i < 35; ++i) r[i] -= Az[i];
      }
    }
    for (Index i = 0; i < A.local.rows; ++i) EXPECT_NEAR(work.x[i], x[A.rows.begin() + i], 1e-13);
  }

  double scaling(SmootherParameters const& parameters, int i) const {
    if (parameters.type != SmootherType::l1_jacobi) return 4.0;
    double sum = 0;
    for (Offset k = whole.offsets[i]; k < whole.offsets[i + 1]; ++k) sum += std::abs(whole.value[k]);
    return sum;
  }
};

TEST(Smoother, EveryKindFollowsItsRecurrenceFromZeroAndFromAGuess) {
  Problem problem;
  for (auto kind : {ChebyshevKind::first, ChebyshevKind::fourth, ChebyshevKind::optimal_fourth}) {
    for (int degree : {1, 2, 3, 5}) {
      SmootherParameters p;
      p.chebyshev = kind;
      p.degree = degree;
      p.sweeps = degree == 2 ? 2 : 1;
      problem.check(p, true);
      problem.check(p, false);
    }
  }
  for (auto type : {SmootherType::jacobi, SmootherType::l1_jacobi}) {
    for (int sweeps : {1, 2, 3}) {
      SmootherParameters p;
      p.type = type;
      p.sweeps = sweeps;
      problem.check(p, true);
      problem.check(p, false);
    }
  }
}

/// With the whole lower triangle as its pattern, G^T G is A^-1.
fsai::Parameters exact_inverse() {
  fsai::Parameters parameters;
  parameters.pattern_level = 20;
  parameters.prefilter = parameters.postfilter = 0;
  return parameters;
}

TEST(SparseInverse, OfTheWholePatternHasEigenvaluesOne) {
  Problem problem;
  SparseInverseParameters how;
  how.eigenvalue_safety = 1.5;
  SparseInverse<double, Host> inverse(Host{}, problem.A, exact_inverse(), how);
  EXPECT_NEAR(inverse.rho(), 1.5, 1e-10);
  EXPECT_GT(inverse.bytes_moved(), 0);
  auto doubled = oracle::laplace(7, 5);
  for (auto& a : doubled.value) a *= 2;
  inverse.refresh(Host{}, test::distribute(doubled, problem.A.rows));
  EXPECT_NEAR(inverse.rho(), 1.5, 1e-10);
}

TEST(SparseInverse, OfTheDiagonalHasTheSpectralRadiusOfJacobi) {
  Problem problem;
  auto parameters = exact_inverse();
  parameters.pattern_level = 0;
  SparseInverseParameters how;
  how.eigenvalue_safety = 1;
  how.eigenvalue_steps = 30;
  SparseInverse<double, Host> const inverse(Host{}, problem.A, parameters, how);
  // Of the 7 x 5 Laplacian: 4 - 2 cos(7 pi / 8) - 2 cos(5 pi / 6), over its diagonal.
  double const pi = std::acos(-1.0);
  EXPECT_NEAR(inverse.rho(), 1 - (std::cos(7 * pi / 8) + std::cos(5 * pi / 6)) / 2, 1e-10);
}

TEST(SparseInverse, AMatrixThatIsNotPositiveDefiniteIsRefused) {
  Problem problem;
  auto negative = oracle::laplace(7, 5);
  for (auto& a : negative.value) a = -a;
  auto const A = test::distribute(negative, problem.A.rows);
  using Inverse = SparseInverse<double, Host>;
  EXPECT_THROW(Inverse(Host{}, A, exact_inverse(), {}), std::exception);
}

/// x -> x + q(M^-1 A) M^-1 (b - A x), where M^-1 A is the identity: each step is a scalar recurrence for the
/// error.
TEST(Smoother, WithASparseInverseFollowsItsRecurrenceFromZeroAndFromAGuess) {
  Problem problem;
  auto const b = oracle::random_vector(35, 1), start = oracle::random_vector(35, 2);
  auto const solution = oracle::solve(oracle::to_dense(problem.whole.view()), b);
  comm::DistMatrix<double, Host> const stored(Host{}, problem.A, {});
  for (int degree : {1, 2, 4}) {
    for (bool from_zero : {true, false}) {
      SmootherParameters p;
      p.type = SmootherType::fsai;
      p.fsai = exact_inverse();
      p.degree = degree;
      p.sweeps = degree == 2 ? 2 : 1;
      Smoother<double, Host> const smoother(Host{}, problem.A, problem.diagonal.view(), 0.0, p);
      SmoothingVectors<double, Host> work(Host{}, problem.A.local.rows);
      auto const first = problem.A.rows.begin();
      for (Index i = 0; i < problem.A.local.rows; ++i) {
        work.b[i] = b[first + i];
        work.x[i] = from_zero ? std::nan("") : start[first + i];
      }
      smoother.smooth(Host{}, stored, work.vectors(), from_zero);
      double x = 0;  // part of the way from the first guess to the solution
      for (int sweep = 0; sweep < p.sweeps; ++sweep) {
        double r = 1 - x, z = 0;
        for (auto const& step : polynomial(p, 1.1)) {
          z = step.previous * z + step.residual * r;
          x += step.weight * z;
          r -= z;
        }
      }
      for (Index i = 0; i < problem.A.local.rows; ++i) {
        double const guess = from_zero ? 0 : start[first + i];
        EXPECT_NEAR(work.x[i], guess + x * (solution[first + i] - guess), 1e-11);
      }
    }
  }
}

TEST(Smoother, NoSweepLeavesXAloneOrZero) {
  Problem problem;
  SmootherParameters p;
  p.type = SmootherType::jacobi;
  p.sweeps = 0;
  problem.check(p, true);
  problem.check(p, false);
}

}  // namespace
}  // namespace Tessera::multigrid
