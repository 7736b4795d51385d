#include <gtest/gtest.h>

#include <algorithm>

#include "oracle/conjugate_gradients.hpp"
#include "oracle/generators.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Stop;

double relative_residual(System const& system, sparse::Csr<double, Host> const& A,
                         std::vector<double> const& b) {
  auto const r = residual(oracle::to_dense(A.view()), b, system.whole_x());
  return std::sqrt(dot(r, r) / dot(b, b));
}

/// A start that is far off leaves rounding errors of its own size in the recurrence.
struct FarOff {
  sparse::Csr<double, Host> A = oracle::laplace(15, 15);
  std::vector<double> b = oracle::random_vector(A.rows, 7);
  System system{A, b};
  FarOff() {
    auto const far = oracle::random_vector(A.rows, 11);
    for (std::size_t i = 0; i < system.x.size(); ++i) system.x[i] = 1e6 * far[system.rows.begin() + i];
  }
};

TEST(TrueResidual, ReplacementMendsWhatAFarStartHasSpoilt) {
  for (bool const flexible : {false, true}) {
    FarOff far;
    Parameters parameters;
    parameters.flexible = flexible;
    parameters.tolerance = 1e-12;
    auto const result = far.system.solve(parameters);
    EXPECT_TRUE(result.converged) << result.reason;
    EXPECT_GE(result.replacements, 1);
    EXPECT_LE(result.relative_residual, 1e-12);
    EXPECT_NEAR(relative_residual(far.system, far.A, far.b), result.relative_residual, 1e-14);
    EXPECT_EQ(static_cast<int>(result.history.size()), result.iterations + 1);
  }
}

TEST(TrueResidual, WithoutReplacementTheRecurrenceIsNotBelieved) {
  FarOff far;
  Parameters parameters;
  parameters.tolerance = 1e-12;
  parameters.max_replacements = 0;
  auto const result = far.system.solve(parameters);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.stop, Stop::stagnated);
  EXPECT_LE(result.recursive_residual, 1e-12);
  EXPECT_GT(result.relative_residual, 1e-12);
  EXPECT_NEAR(relative_residual(far.system, far.A, far.b) / result.relative_residual, 1.0, 0.1);
  EXPECT_NE(result.reason.find("but b - A x gives"), std::string::npos) << result.reason;
}

TEST(TrueResidual, UnverifiedTheRecurrenceDecidesAndTheTrueResidualIsTold) {
  FarOff far;
  Parameters parameters;
  parameters.tolerance = 1e-12;
  parameters.verify = false;
  auto const result = far.system.solve(parameters);
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.replacements, 0);
  EXPECT_GT(result.relative_residual, 1e-12);
}

TEST(TrueResidual, WhatDoublePrecisionCannotGiveIsNotPromised) {
  auto const A = oracle::laplace(16, 16);
  System system(A, oracle::random_vector(A.rows, 7));
  Parameters parameters;
  parameters.tolerance = 1e-19;
  auto const result = system.solve(parameters);
  EXPECT_FALSE(result.converged);
  EXPECT_EQ(result.stop, Stop::rounding_level) << result.reason;
  EXPECT_LE(result.replacements, parameters.max_replacements);
  EXPECT_LT(result.relative_residual, 1e-12);
}

TEST(TrueResidual, NoMoreIterationsThanAllowedAfterReplacements) {
  FarOff far;
  Parameters parameters;
  parameters.tolerance = 1e-12;
  auto const needed = far.system.solve(parameters).iterations;
  for (int const fewer : {1, 2, 3}) {
    FarOff again;
    parameters.max_iterations = needed - fewer;
    auto const result = again.system.solve(parameters);
    EXPECT_FALSE(result.converged);
    EXPECT_LE(result.iterations, parameters.max_iterations);
    EXPECT_EQ(result.stop, Stop::max_iterations) << krylov::name(result.stop);
  }
}

/// M in single precision, by its own vectors or by conversions.
void precondition_in_single(System& system, std::vector<float>& r, std::vector<float>& z, bool own_vectors) {
  auto const n = system.b.size();
  r.assign(n, 0);
  z.assign(n, 0);
  auto const work = [&r, &z, first = system.rows.begin()] {
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] / static_cast<float>(3 + (first + i) % 4);
  };
  system.M.apply = [&r, &z, work](Span<double const> from, Span<double> to) {
    std::copy(from.begin(), from.end(), r.begin());
    work();
    std::copy(z.begin(), z.end(), to.begin());
  };
  if (own_vectors) system.M.single = {{r.data(), n}, {z.data(), n}, work};
}

TEST(TrueResidual, VectorsInSinglePrecisionAreConvertedInPassing) {
  for (bool const flexible : {false, true}) {
    for (auto const format : {comm::MatrixFormat::csr, comm::MatrixFormat::sell}) {
      FarOff converting, passing;
      passing.system.A = comm::DistMatrix<double, Host>(Host{}, distribute(passing.A, passing.system.rows),
                                                        comm::StorageParameters{format});
      std::vector<float> r, z, own_r, own_z;
      precondition_in_single(converting.system, r, z, false);
      precondition_in_single(passing.system, own_r, own_z, true);
      Parameters parameters;
      parameters.flexible = flexible;
      parameters.tolerance = 1e-12;
      auto const expected = converting.system.solve(parameters), result = passing.system.solve(parameters);
      EXPECT_TRUE(result.converged) << result.reason;
      EXPECT_GE(result.replacements, 1);
      EXPECT_EQ(result.history, expected.history);
      EXPECT_EQ(passing.system.x, converting.system.x);
    }
  }
}

/// M^-1 is 1 and 2 on every second row, in turns.
krylov::Result solve_with_changing(bool flexible) {
  auto const A = oracle::laplace(30, 30);
  System system(A, oracle::random_vector(A.rows, 7));
  int calls = 0;
  system.M.apply = [&, first = system.rows.begin()](Span<double const> r, Span<double> z) {
    ++calls;
    for (std::size_t i = 0; i < r.size(); ++i) z[i] = r[i] * static_cast<double>(1 + (first + i + calls) % 2);
  };
  Parameters parameters;
  parameters.flexible = flexible;
  return system.solve(parameters);
}

/// M^-1 r is what conjugate gradients make of A z = r by the time they have 3/10 of its norm left.
krylov::Result solve_with_inner_iterations(bool flexible) {
  auto const A = oracle::laplace(30, 30);
  System system(A, oracle::random_vector(A.rows, 7));
  auto const times_A = [&](auto const& v) { return oracle::product(A.view(), v); };
  auto const as_it_is = [](auto const& r) { return r; };
  system.precondition_whole(
      [&](auto const& r) { return oracle::conjugate_gradients(times_A, as_it_is, dot, r, 0.3).x; });
  Parameters parameters;
  parameters.flexible = flexible;
  return system.solve(parameters);
}

TEST(TrueResidual, InnerIterationsNeedTheFlexibleMethod) {
  auto const plain = solve_with_inner_iterations(false), flexible = solve_with_inner_iterations(true);
  EXPECT_TRUE(flexible.converged) << flexible.reason;
  EXPECT_LE(flexible.iterations, 20);
  EXPECT_GT(plain.iterations, 100);
}

TEST(TrueResidual, APreconditionerThatChangesIsNotTakenForAnIndefiniteMatrix) {
  for (bool const flexible : {false, true}) {
    auto const result = solve_with_changing(flexible);
    EXPECT_TRUE(result.converged) << result.reason;
  }
}

}  // namespace
}  // namespace Tessera::test
