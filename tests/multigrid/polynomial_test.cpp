#include "multigrid/polynomial.hpp"

#include <gtest/gtest.h>

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
