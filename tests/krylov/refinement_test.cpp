#include <gtest/gtest.h>

#include <limits>

#include "oracle/gauss_seidel.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;
using Convergence = krylov::Test;

double const eps = std::numeric_limits<double>::epsilon();

struct Errors {
  double residual = 0;   ///< ||b - A x||
  double norm_wise = 0;  ///< over || |A| |x| + |b| ||
  double row_wise = 0;   ///< the largest |b - A x|_i / (|A| |x| + |b|)_i
};

/// In long double.
Errors errors(sparse::Csr<double, Host> const& A, std::vector<double> const& b,
              std::vector<double> const& x) {
  long double square = 0, scale_square = 0, largest = 0;
  for (Index i = 0; i < A.rows; ++i) {
    long double r = b[i], scale = std::abs(b[i]);
    for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
      long double const term = static_cast<long double>(A.value[k]) * x[A.column[k]];
      r -= term;
      scale += std::abs(term);
    }
    square += r * r;
    scale_square += scale * scale;
    if (scale > 0) largest = std::max(largest, std::abs(r) / scale);
  }
  return {static_cast<double>(std::sqrt(square)), static_cast<double>(std::sqrt(square / scale_square)),
          static_cast<double>(largest)};
}

void precondition(System& system, sparse::Csr<double, Host> const& A) {
  system.precondition_whole([&A](auto const& r) { return oracle::gauss_seidel<float>(A.view(), r); });
}

/// -div(k grad u) on a chain whose k jumps: many iterations, in which b - A x drifts away from r.
sparse::Csr<double, Host> chain(Index n, double jump) {
  std::vector<Offset> offsets{0};
  std::vector<Index> column;
  std::vector<double> value;
  auto const k = [&](Index edge) { return edge / 40 % 2 == 0 ? 1.0 : jump; };
  for (Index i = 0; i < n; ++i) {
    double const left = k(i), right = k(i + 1);
    if (i > 0) column.push_back(i - 1), value.push_back(-left);
    column.push_back(i), value.push_back(left + right);
    if (i + 1 < n) column.push_back(i + 1), value.push_back(-right);
    offsets.push_back(static_cast<Offset>(column.size()));
  }
  return oracle::make_csr(n, n, offsets, column, value);
}

TEST(Refinement, WhatIsCalledTheRoundingLevelIsOne) {
  for (auto const& A : {chain(400, 1), chain(400, 1e5), oracle::jumping_diffusion(24, 24, 6, 1e-5, 3),
                        oracle::anisotropic_laplace(200, 4, 1, 1e3, 1, 1)}) {
    auto const b = oracle::random_vector(A.rows, 7);
    for (bool const preconditioned : {false, true}) {
      System system(A, b);
      if (preconditioned) precondition(system, A);
      Parameters parameters;
      parameters.tolerance = 1e-19;
      parameters.max_iterations = 100000;
      auto const result = system.solve(parameters);
      EXPECT_EQ(result.stop, Stop::rounding_level) << result.reason;
      EXPECT_LE(result.backward_error, eps);
      EXPECT_LT(errors(A, b, system.whole_x()).norm_wise, eps);
      EXPECT_EQ(static_cast<int>(result.history.size()), result.iterations + 1);
    }
  }
}

/// Solves for a level, where the drift alone is more.
TEST(Refinement, ToleranceThatRoundingLetsBeMetAreMet) {
  for (auto const& A : {chain(400, 1e5), oracle::jumping_diffusion(24, 24, 6, 1e-5, 3)}) {
    auto const b = oracle::random_vector(A.rows, 7);
    System easy(A, b);
    Parameters parameters;
    parameters.tolerance = 1e-19;
    parameters.max_iterations = 100000;
    double const level = easy.solve(parameters).rounding_level;
    for (double const levels : {1.0, 0.6}) {
      System system(A, b);
      parameters.tolerance = levels * level;
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged) << levels << result.reason;
    }
  }
}

TEST(Refinement, NothingIsClaimedBeforeItsTime) {
  EXPECT_FALSE(krylov::is_rounding_level(std::numeric_limits<double>::infinity(),
                                         std::numeric_limits<double>::infinity()));
  EXPECT_FALSE(krylov::is_rounding_level(1.1, 1));
  EXPECT_TRUE(krylov::is_rounding_level(1, 1));
  EXPECT_FALSE(krylov::is_rounding_level(std::nan(""), 1));
  EXPECT_FALSE(krylov::is_rounding_level(1, std::nan("")));
}

/// The 5-point Laplacian, u = g on every 40th row held by a penalty.
struct Penalised {
  sparse::Csr<double, Host> A = oracle::laplace(20, 20);
  std::vector<double> b = std::vector<double>(A.rows, 0.01);
  explicit Penalised(double penalty) {
    for (Index i = 0; i < A.rows; i += 40) {
      for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        if (A.column[k] == i) A.value[k] += penalty;
      b[i] = penalty * (1 + i % 3);
    }
  }
  std::vector<double> inverse_diagonal() const {
    std::vector<double> d(A.rows);
    for (Index i = 0; i < A.rows; ++i)
      for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k)
        if (A.column[k] == i) d[i] = 1 / A.value[k];
    return d;
  }
  /// || x - A^-1 b || / ||A^-1 b||, by rows divided by their diagonal, which LAPACK needs.
  double error(std::vector<double> const& x) const {
    auto dense = oracle::to_dense(A.view());
    auto rhs = b;
    auto const d = inverse_diagonal();
    for (Index i = 0; i < A.rows; ++i) {
      for (Index j = 0; j < A.rows; ++j) dense(i, j) *= d[i];
      rhs[i] *= d[i];
    }
    auto const exact = oracle::solve(dense, rhs);
    auto difference = exact;
    for (std::size_t i = 0; i < x.size(); ++i) difference[i] -= x[i];
    return std::sqrt(dot(difference, difference) / dot(exact, exact));
  }
};

TEST(RowWise, PenaltiesHideNoOtherRow) {
  for (double const penalty : {1e6, 1e12, 1e20, 1e30}) {
    Penalised const problem(penalty);
    for (auto const how : all_shares) {
      System system(problem.A, problem.b, how);
      system.precondition(problem.inverse_diagonal());
      Parameters parameters;
      auto const by_norm = system.solve(parameters);
      EXPECT_TRUE(by_norm.converged);
      if (penalty >= 1e12) {
        EXPECT_GT(problem.error(system.whole_x()), 0.01);
      }
      parameters.test = Convergence::row_wise;
      System again(problem.A, problem.b, how);
      again.precondition(problem.inverse_diagonal());
      auto const result = again.solve(parameters);
      EXPECT_TRUE(result.converged) << penalty << result.reason;
      EXPECT_LE(result.row_error, parameters.tolerance);
      EXPECT_NEAR(errors(problem.A, problem.b, again.whole_x()).row_wise, result.row_error, 1e-14);
      EXPECT_LT(problem.error(again.whole_x()), 1e-5);
      EXPECT_LT(result.iterations, 400);
    }
  }
}

TEST(RowWise, OfTwoByTwoByHand) {
  // A = 4 -1   v = 1   |A| |v| + |b| = 7   r = 1/2   1/14
  //    -1  3      -2                   9       -1    1/9
  auto const A = oracle::make_csr(2, 2, {0, 2, 4}, {0, 1, 0, 1}, {4, -1, -1, 3});
  for (auto const how : all_shares) {
    System system(A, {1, -2}, how);
    std::vector<double> v, r;
    for (auto i = system.rows.begin(); i < system.rows.begin() + system.rows.local_size(); ++i) {
      v.push_back(i == 0 ? 1 : -2);
      r.push_back(i == 0 ? 0.5 : -1);
    }
    auto const error = [&] {
      Span<double const> const of(r.data(), r.size());
      return krylov::rounding_scale(Host{}, system.A, Span<double const>(system.b.data(), v.size()),
                                    Span<double const>(v.data(), v.size()), system.workspace, &of)
          .row_error;
    };
    EXPECT_DOUBLE_EQ(error(), 1.0 / 9);
    for (auto& r_i : r) r_i = std::nan("");
    EXPECT_EQ(error(), std::numeric_limits<double>::infinity());
  }
}

TEST(RowWise, TooFewIterationsAreSaid) {
  Penalised const problem(1e12);
  System system(problem.A, problem.b);
  system.precondition(problem.inverse_diagonal());
  Parameters parameters;
  parameters.test = Convergence::row_wise;
  parameters.max_iterations = 10;
  auto const result = system.solve(parameters);
  EXPECT_EQ(result.stop, Stop::max_iterations);
  EXPECT_LE(result.iterations, 10);
  EXPECT_NE(result.reason.find("the row-wise backward error is"), std::string::npos) << result.reason;
}

TEST(Tests, AnAbsoluteToleranceIsMet) {
  auto const A = oracle::laplace(20, 20);
  auto const b = oracle::random_vector(A.rows, 7);
  for (auto const test : {Convergence::absolute, Convergence::either}) {
    for (double const tolerance : {1e-3, 1e-9}) {
      System system(A, b);
      Parameters parameters;
      parameters.test = test;
      parameters.tolerance = test == Convergence::either ? 1e-15 : 1e-1;  // without effect
      parameters.absolute_tolerance = tolerance;
      auto const result = system.solve(parameters);
      EXPECT_TRUE(result.converged) << result.reason;
      double const left = errors(A, b, system.whole_x()).residual;
      EXPECT_LE(left, tolerance);
      EXPECT_GT(left, 0.01 * tolerance);
    }
  }
}

TEST(Tests, EitherTakesTheOneThatIsMetFirst) {
  auto const A = oracle::laplace(20, 20);
  auto const b = oracle::random_vector(A.rows, 7);
  System relative(A, b), either(A, b);
  Parameters parameters;
  parameters.tolerance = 1e-5;
  auto const expected = relative.solve(parameters);
  parameters.test = Convergence::either;
  parameters.absolute_tolerance = 1e-9;
  EXPECT_EQ(either.solve(parameters).history, expected.history);
}

}  // namespace
}  // namespace Tessera::test
