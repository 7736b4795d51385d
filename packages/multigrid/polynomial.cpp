#include "multigrid/polynomial.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"

namespace Tessera::multigrid {
namespace {

std::vector<PolynomialStep> first_kind(int degree, double rho, double ratio) {
  double const upper = rho, lower = rho / ratio;
  double const theta = (upper + lower) / 2, delta = (upper - lower) / 2, sigma = theta / delta;
  std::vector<PolynomialStep> steps{{0.0, 1.0 / theta, 1.0}};
  double factor = 1.0 / sigma;
  for (int k = 2; k <= degree; ++k) {
    double const next = 1.0 / (2.0 * sigma - factor);
    steps.push_back({next * factor, 2.0 * next / delta, 1.0});
    factor = next;
  }
  return steps;
}

std::vector<PolynomialStep> fourth_kind(int degree, double rho) {
  std::vector<PolynomialStep> steps;
  for (int k = 1; k <= degree; ++k) {
    double const previous = k == 1 ? 0.0 : (2.0 * k - 3.0) / (2.0 * k + 1.0);
    steps.push_back({previous, (8.0 * k - 4.0) / (2.0 * k + 1.0) / rho, 1.0});
  }
  return steps;
}

// Lottes, arXiv 2202.08830, the optimal beta_k; Phillips and Fischer, arXiv 2210.03179, table 5.
std::vector<double> optimal_weights(int degree) {
  static std::vector<std::vector<double>> const table{
      {1.12500000000000},
      {1.02387287570313, 1.26408905371085},
      {1.00842544782028, 1.08867839208730, 1.33753125909618},
      {1.00391310427285, 1.04035811188593, 1.14863498546254, 1.38268869241000},
      {1.00212930146164, 1.02173711549260, 1.07872433192603, 1.19810065292663, 1.41322542791682},
      {1.00128517255940, 1.01304293035233, 1.04678215124113, 1.11616489419675, 1.23829020218444,
       1.43524297106744},
      {1.00083464397912, 1.00843949430122, 1.03008707768713, 1.07408384092003, 1.15036186707366,
       1.27116474046139, 1.45186658649364},
      {1.00057246631197, 1.00577427662415, 1.02050187922941, 1.05019803444565, 1.10115572984941,
       1.18086042806856, 1.29838585382576, 1.46486073151099}};
  TESSERA_VALIDATE(degree <= static_cast<int>(table.size()), "`chebyshev: degree` is ", degree,
                   ", but optimal fourth-kind weights are tabulated up to degree ", table.size(),
                   "; lower it or use `chebyshev: algorithm` fourth");
  return table[degree - 1];
}

}  // namespace

std::vector<PolynomialStep> polynomial(SmootherParameters const& parameters, double rho) {
  switch (parameters.type) {
    case SmootherType::jacobi: {
      double const omega = parameters.damping > 0 ? parameters.damping : 4.0 / 3.0 / rho;
      return std::vector<PolynomialStep>(parameters.sweeps, PolynomialStep{0.0, omega, 1.0});
    }
    case SmootherType::l1_jacobi: {
      double const omega = parameters.damping > 0 ? parameters.damping : 1.0;
      return std::vector<PolynomialStep>(parameters.sweeps, PolynomialStep{0.0, omega, 1.0});
    }
    case SmootherType::foreign:
      return {};
    case SmootherType::chebyshev:
    case SmootherType::fsai:
      break;
  }
  if (parameters.chebyshev == ChebyshevKind::first)
    return first_kind(parameters.degree, rho, parameters.ratio);
  auto steps = fourth_kind(parameters.degree, rho);
  if (parameters.chebyshev == ChebyshevKind::optimal_fourth) {
    auto const weights = optimal_weights(parameters.degree);
    for (int k = 0; k < parameters.degree; ++k) steps[k].weight = weights[k];
  }
  return steps;
}

double contracts_up_to(SmootherParameters const& parameters) {
  if (parameters.type == SmootherType::foreign) return 2;
  auto const steps = polynomial(parameters, 1.0);
  auto const contracts = [&](double lambda) {  // for the 1 x 1 matrix lambda, from x = 0 to 1
    double x = 0, z = 0, r = lambda;
    for (auto const& step : steps) {
      z = step.previous * z + step.residual * r;
      x += step.weight * z;
      r -= lambda * z;
    }
    return std::abs(1 - x) < 1;
  };
  double low = 1, high = 2;  // all roots lie below 1, so that the error grows from there on
  for (int i = 0; i < 50; ++i) (contracts((low + high) / 2) ? low : high) = (low + high) / 2;
  return low;
}

double estimate_safety(Parameters const& parameters) {
  double contracts = contracts_up_to(parameters.smoother);
  for (auto const& one : parameters.level_smoothers)
    contracts = std::min(contracts, contracts_up_to(one.second));
  return std::max(parameters.eigenvalue_safety, 1 / (worst_estimate * contracts));
}

}  // namespace Tessera::multigrid
