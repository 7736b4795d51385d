#include "krylov/rounding.hpp"

#include <gtest/gtest.h>

#include "oracle/gauss_seidel.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;

double const eps = std::numeric_limits<double>::epsilon();

/// A x = b to twice the digits of double: LAPACK's solution, refined with residuals in long double.
struct Reference {
  std::vector<long double> x;
  double level =
      0;  ///< eps || W |A| |x| + |b| || / ||b||, W: sqrt(n / 16) of n > 16 entries of a row, else 1
  double residual = 0;  ///< || b - A x || / ||b|| of x rounded to double

  Reference(sparse::Csr<double, Host> const& A, std::vector<double> const& b) : x(b.size(), 0) {
    auto const dense = oracle::to_dense(A.view());
    std::vector<double> r = b;
    for (int step = 0; step < 5; ++step) {
      auto const correction = oracle::solve(dense, r);
      for (std::size_t i = 0; i < x.size(); ++i) x[i] += correction[i];
      r = parts(A, b, x).first;
    }
    auto rounded = x;
    for (auto& x_i : rounded) x_i = static_cast<double>(x_i);
    auto const [of_rounded, scale] = parts(A, b, rounded);
    residual = std::sqrt(dot(of_rounded, of_rounded) / dot(b, b));
    level = eps * std::sqrt(dot(scale, scale) / dot(b, b));
  }

 private:
  /// b - A x and W |A| |x| + |b|
  static std::pair<std::vector<double>, std::vector<double>> parts(sparse::Csr<double, Host> const& A,
                                                                   std::vector<double> const& b,
                                                                   std::vector<long double> const& x) {
    std::vector<double> r(b.size()), scale(b.size());
    for (Index i = 0; i < A.rows; ++i) {
      long double sum = b[i], magnitude = std::abs(b[i]);
      for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        sum -= A.value[k] * x[A.column[k]];
        magnitude += std::abs(A.value[k] * x[A.column[k]]);
      }
      auto const entries = static_cast<double>(A.offsets[i + 1] - A.offsets[i]);
      double const weight = std::sqrt(std::max(entries, 16.0) / 16);
      r[i] = static_cast<double>(sum);
      scale[i] = weight * (static_cast<double>(magnitude) - std::abs(b[i])) + std::abs(b[i]);
    }
    return {r, scale};
  }
};

struct Case {
  char const* name;
  sparse::Csr<double, Host> A;
};

/// Condition numbers of 1e2 to 1e12.
std::vector<Case> cases() {
  std::vector<Case> all;
  all.push_back({"laplace", oracle::laplace(20, 20)});
  all.push_back({"laplace 3D", oracle::laplace(8, 8, 8)});
  all.push_back({"beam-like", oracle::anisotropic_laplace(100, 4, 1, 1e3, 1, 1)});
  all.push_back({"random", oracle::random_spd(400, 7, 3)});
  all.push_back({"jumps 1e3", oracle::jumping_diffusion(20, 20, 3, 1e-5, 3)});
  all.push_back({"jumps 1e6", oracle::jumping_diffusion(20, 20, 6, 1e-5, 3)});
  return all;
}

void precondition(System& system, sparse::Csr<double, Host> const& A) {
  system.precondition_whole([&A](auto const& r) { return oracle::gauss_seidel<float>(A.view(), r); });
}

template <class Work>
void for_each_system(Work const& work) {
  for (auto const& [name, A] : cases()) {
    for (auto const& b : {std::vector<double>(A.rows, 1.0), oracle::random_vector(A.rows, 7)}) {
      Reference const reference(A, b);
      for (bool const preconditioned : {false, true}) {
        SCOPED_TRACE(std::string(name) + (b[0] == 1 ? ", ones" : ", random") +
                     (preconditioned ? ", preconditioned" : ""));
        auto const make = [&, &matrix = A] {
          System system(matrix, b);
          if (preconditioned) precondition(system, matrix);
          return system;
        };
        work(make, reference);
      }
    }
  }
}

TEST(RoundingLevel, NoSolveIsStoppedThatDoublePrecisionLetsConverge) {
  for_each_system([](auto const& make, Reference const& reference) {
    EXPECT_LT(reference.residual, reference.level);
    for (double const levels : {4.0, 8.0, 100.0}) {
      Parameters parameters;
      parameters.tolerance = levels * reference.level;
      parameters.max_iterations = 100000;
      auto system = make();
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged) << levels << " levels: " << result.reason;
    }
  });
}

TEST(RoundingLevel, WhatDoublePrecisionCannotGiveEndsThereAndSaysSo) {
  for_each_system([](auto const& make, Reference const& reference) {
    Parameters parameters;
    parameters.max_iterations = 100000;
    parameters.tolerance = 4 * reference.level;
    auto attainable = make();
    int const enough = attainable.solve(parameters).iterations;
    for (double const levels : {1e-2, 1e-6}) {
      parameters.tolerance = levels * reference.level;
      auto system = make();
      auto const result = system.solve(parameters);
      EXPECT_EQ(result.stop, Stop::rounding_level) << result.reason;
      EXPECT_FALSE(result.converged);
      EXPECT_NE(result.reason.find("reached the rounding level"), std::string::npos) << result.reason;
      EXPECT_NEAR(result.rounding_level / reference.level, 1, 0.01);
      EXPECT_LT(result.relative_residual, 8 * reference.level);
      EXPECT_GE(result.backward_error / eps, (1 - 1e-6) * result.relative_residual / result.rounding_level);
      EXPECT_LT(result.iterations, 2 * enough + 32);
    }
  });
}

/// An r that has been replaced is not orthogonal to the direction that is kept. Where steps knew nothing of
/// that, some solves got stuck far above the level, or diverged.
TEST(RoundingLevel, SolvesWhoseResidualIsReplacedLoseNothing) {
  for_each_system([](auto const& make, Reference const& reference) {
    Parameters parameters;
    parameters.max_iterations = 100000;
    parameters.tolerance = 8 * reference.level;
    auto easy = make();
    int const enough = easy.solve(parameters).iterations;
    for (double const levels : {1.4, 1.0, 0.7, 0.5, 0.25}) {
      parameters.tolerance = levels * reference.level;
      auto system = make();
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged || result.stop == Stop::rounding_level) << levels << result.reason;
      EXPECT_LT(result.relative_residual, 4 * reference.level) << levels;
      EXPECT_LT(result.iterations, 3 * enough + 32) << levels << " " << krylov::name(result.stop);
    }
  });
}

TEST(RoundingLevel, OfTwoByTwoByHand) {
  // A = 4 -1   v = 1   |A| |v| = 6   b = 1   sum = 7
  //    -1  3      -2             7      -2         9
  auto const A = oracle::make_csr(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {4, -1, -1, 3});
  for (auto const how : all_shares) {
    System system(A, {1, -2}, how);
    std::vector<double> v;
    for (auto i = system.rows.begin(); i < system.rows.begin() + system.rows.local_size(); ++i)
      v.push_back(i == 0 ? 1 : -2);
    auto const scale = krylov::rounding_scale(Host{}, system.A, Span<double const>(system.b.data(), v.size()),
                                              Span<double const>(v.data(), v.size()), system.workspace);
    EXPECT_DOUBLE_EQ(scale.norm, std::sqrt(49.0 + 81.0));
    EXPECT_DOUBLE_EQ(scale.energy, 6.0 + 14.0);
    EXPECT_DOUBLE_EQ(scale.level(), eps * std::sqrt(130.0));
  }
}

TEST(RoundingLevel, TooFewIterationsAreNoRoundingLevel) {
  auto const A = oracle::laplace(20, 20);
  System system(A, std::vector<double>(A.rows, 1.0));
  Parameters parameters;
  parameters.tolerance = 1e-19;
  parameters.max_iterations = 40;
  auto const result = system.solve(parameters);
  EXPECT_EQ(result.stop, Stop::max_iterations);
  EXPECT_GT(result.rounding_level, 0);
  EXPECT_GT(result.relative_residual, 100 * result.rounding_level);
}

}  // namespace
}  // namespace Tessera::test
