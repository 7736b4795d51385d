#include "multigrid/polynomial.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace Tessera::multigrid {
namespace {

/// The error that the recurrence leaves of e_0 = 1 for the 1 x 1 system lambda x = lambda.
double error_of(std::vector<PolynomialStep> const& steps, double lambda) {
  double x = 0, z = 0, r = lambda;
  for (auto const& step : steps) {
    z = step.previous * z + step.residual * r;
    x += step.weight * z;
    r -= lambda * z;
  }
  return 1 - x;
}

SmootherParameters chebyshev(ChebyshevKind kind, int degree) {
  SmootherParameters p;
  p.chebyshev = kind;
  p.degree = degree;
  return p;
}

TEST(Polynomial, FourthKindIsTheScaledChebyshevPolynomialOfTheFourthKind) {
  // W_k(cos t) = sin((k + 1/2) t) / sin(t / 2), W_k(1) = 2 k + 1; the error is W_k(1 - 2 lambda / rho) / (2 k
  // + 1).
  double const rho = 1.7;
  for (int k = 1; k <= 6; ++k) {
    auto const steps = polynomial(chebyshev(ChebyshevKind::fourth, k), rho);
    for (double lambda = 0.05; lambda < rho; lambda += 0.1) {
      double const t = std::acos(1 - 2 * lambda / rho);
      EXPECT_NEAR(error_of(steps, lambda), std::sin((k + 0.5) * t) / std::sin(t / 2) / (2 * k + 1), 1e-12);
    }
  }
}

TEST(Polynomial, FirstKindIsTheScaledChebyshevPolynomialOnItsInterval) {
  double const rho = 1.7, ratio = 20, theta = (rho + rho / ratio) / 2, delta = (rho - rho / ratio) / 2;
  for (int k = 1; k <= 6; ++k) {
    auto p = chebyshev(ChebyshevKind::first, k);
    p.ratio = ratio;
    auto const steps = polynomial(p, rho);
    for (double lambda = rho / ratio; lambda <= rho; lambda += 0.1) {
      double const t = std::acos((theta - lambda) / delta);
      EXPECT_NEAR(error_of(steps, lambda), std::cos(k * t) / std::cosh(k * std::acosh(theta / delta)), 1e-12);
    }
  }
}

/// Every smoother, with each of its degrees.
std::vector<SmootherParameters> all_smoothers() {
  std::vector<SmootherParameters> all(2);
  all[0].type = SmootherType::jacobi;
  all[1].type = SmootherType::l1_jacobi;
  for (auto const kind : {ChebyshevKind::first, ChebyshevKind::fourth, ChebyshevKind::optimal_fourth}) {
    for (int degree = 1; degree <= (kind == ChebyshevKind::optimal_fourth ? 8 : 64); ++degree)
      all.push_back(chebyshev(kind, degree));
  }
  return all;
}

TEST(Polynomial, ContractsUpToWhereItsErrorIsOne) {
  // W_1(x) = 2 x + 1 = -3 at x = -2, W_2(x) = 4 x^2 + 2 x - 1 = 5 at x = -3/2, x = 1 - 2 lambda / rho.
  EXPECT_NEAR(contracts_up_to(chebyshev(ChebyshevKind::fourth, 1)), 1.5, 1e-12);
  EXPECT_NEAR(contracts_up_to(chebyshev(ChebyshevKind::fourth, 2)), 1.25, 1e-12);
  // T_k(x) = -T_k(x_0) at x = -x_0 (k odd), where x_0 stands for lambda = 0: lambda = 2 theta.
  EXPECT_NEAR(contracts_up_to(chebyshev(ChebyshevKind::first, 3)), 1 + 1.0 / 20, 1e-12);
  for (auto const& p : all_smoothers()) {
    auto const steps = polynomial(p, 1.0);
    double const end = contracts_up_to(p);
    for (int i = 1; i < 1000; ++i) EXPECT_LT(std::abs(error_of(steps, end * i / 1000)), 1);
    if (end < 2 - 1e-9) {
      EXPECT_GT(std::abs(error_of(steps, 1.001 * end)), 1);
    }
  }
}

/// An estimate as short as they come, with its safety, is enough for a positive definite cycle.
TEST(Polynomial, ContractsForAllOfAWhereTheEstimateIsAtItsWorst) {
  double const rho = 1.7;
  for (auto const& smoother : all_smoothers()) {
    Parameters p;
    p.smoother = smoother;
    auto const steps = polynomial(smoother, worst_estimate * rho * estimate_safety(p));
    EXPECT_LT(std::abs(error_of(steps, 0.9999 * rho)), 1) << smoother.degree;
  }
}

TEST(Polynomial, TheDefaultSmoothersEstimateHasItsSafetyFromTheList) {
  Parameters p;
  EXPECT_EQ(estimate_safety(p), p.eigenvalue_safety);
  p.eigenvalue_safety = 3;
  p.smoother.degree = 8;
  EXPECT_EQ(estimate_safety(p), 3);
}

/// max over lambda of lambda p(lambda)^2 / (1 - p(lambda)^2): what Lottes' V-cycle bound grows with.
double cycle_constant(std::vector<PolynomialStep> const& steps) {
  double largest = 0;
  for (int i = 1; i <= 20000; ++i) {
    double const lambda = i / 20000.0, p = error_of(steps, lambda);
    largest = std::max(largest, lambda * p * p / (1 - p * p));
  }
  return largest;
}

TEST(Polynomial, OptimalWeightsLowerTheConstantOfTheVCycleBound) {
  for (int k = 1; k <= 8; ++k) {
    double const fourth = cycle_constant(polynomial(chebyshev(ChebyshevKind::fourth, k), 1.0));
    double const optimal = cycle_constant(polynomial(chebyshev(ChebyshevKind::optimal_fourth, k), 1.0));
    EXPECT_NEAR(fourth, 3.0 / (4.0 * k * (k + 1.0)), 1e-2 * fourth) << k;  // its limit at lambda = 0
    EXPECT_LT(optimal, 0.95 * fourth) << k;
  }
}

TEST(Polynomial, JacobiStepsAreDampedByFourThirdsOverRhoUnlessTold) {
  SmootherParameters p;
  p.type = SmootherType::jacobi;
  p.sweeps = 3;
  EXPECT_NEAR(error_of(polynomial(p, 2.0), 0.9), std::pow(1 - 0.9 * 2.0 / 3.0, 3), 1e-14);
  p.damping = 0.5;
  EXPECT_NEAR(error_of(polynomial(p, 2.0), 0.9), std::pow(1 - 0.9 * 0.5, 3), 1e-14);
}

TEST(Polynomial, DegreesWithoutOptimalWeightsAreRefused) {
  EXPECT_THROW(polynomial(chebyshev(ChebyshevKind::optimal_fourth, 9), 1.0), core::InvalidInput);
}

}  // namespace
}  // namespace Tessera::multigrid
