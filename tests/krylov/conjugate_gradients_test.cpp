#include <gtest/gtest.h>

#include <algorithm>

#include "core/error.hpp"
#include "core/memory.hpp"
#include "krylov/conjugate_gradients.hpp"
#include "oracle/generators.hpp"
#include "oracle/lapack.hpp"
#include "support/stored.hpp"
#include "support/threads.hpp"
#include "systems.hpp"

namespace Tessera::test {
namespace {

using krylov::Parameters;
using krylov::Result;
using krylov::Stop;

Parameters with(bool flexible, double tolerance = 1e-8) {
  Parameters parameters;
  parameters.flexible = flexible;
  parameters.tolerance = tolerance;
  return parameters;
}

TEST(ConjugateGradients, AgreesWithADenseSolveHoweverRowsAreShared) {
  auto const A = oracle::random_spd(157, 6, 3);
  auto const b = oracle::random_vector(157, 5);
  auto const exact = oracle::solve(oracle::to_dense(A.view()), b);
  for (auto const how : all_shares) {
    for (bool const flexible : {false, true}) {
      System system(A, b, how);
      auto const result = system.solve(with(flexible, 1e-13));
      EXPECT_TRUE(result.converged) << result.reason;
      EXPECT_LE(result.relative_residual, 1e-13);
      EXPECT_LE(oracle::largest_difference(system.whole_x(), exact), 1e-12);
    }
  }
}

TEST(ConjugateGradients, StorageOfTheMatrixDoesNotMatter) {
  auto const A = oracle::laplace(17, 13, 11);
  auto const b = oracle::random_vector(A.rows, 5);
  std::vector<std::vector<double>> solutions;
  std::vector<comm::StorageParameters> storages{{sparse::MatrixFormat::sell, 8, 1},
                                                {sparse::MatrixFormat::sell, 8, 256},
                                                {sparse::MatrixFormat::sell, 32, 1}};
  for (auto const& [name, format] : test::formats()) storages.push_back({format});
  for (auto const& storage : storages) {
    System system(A, b, Share::alike, storage);
    EXPECT_TRUE(system.solve().converged);
    solutions.push_back(system.x);
  }
  for (auto const& x : solutions) EXPECT_EQ(x, solutions.front());
}

TEST(ConjugateGradients, SumsDoNotDependOnThreads) {
  auto const A = oracle::laplace(24, 20, 20);
  auto const b = oracle::random_vector(A.rows, 5);
  auto const solved = [&](int threads) {
    return testing::with_threads(threads, [&] {
      System system(A, b);
      auto result = system.solve(with(true));
      EXPECT_TRUE(result.converged);
      return std::make_pair(result.history, system.x);
    });
  };
  EXPECT_EQ(solved(1), solved(2));
  EXPECT_EQ(solved(1), solved(3));
}

// As a K-cycle does, M^-1 depends on r.
TEST(ConjugateGradients, AreFlexibleByThemselvesWherePreconditionersAreNotLinear) {
  auto const A = oracle::anisotropic_laplace(23, 19, 1, 1.0, 0.1, 0.0);
  auto const solved = [&](bool symmetric, bool flexible) {
    System system(A, oracle::random_vector(A.rows, 7));
    system.precondition_whole([](auto r) {
      double const largest = *std::max_element(r.begin(), r.end());
      for (auto& v : r) v *= v > 0.2 * largest ? 1 : 0.5;
      return r;
    });
    system.M.symmetric = symmetric;
    auto const result = system.solve(with(flexible));
    EXPECT_TRUE(result.converged) << result.reason;
    return result.history;
  };
  EXPECT_EQ(solved(false, false), solved(true, true));
  EXPECT_LT(solved(false, false).size(), solved(true, false).size());
}

TEST(ConjugateGradients, NobodyHasRows) {
  System system(oracle::make_csr(0, 0, {0}, {}, {}), {});
  auto const result = system.solve();
  EXPECT_TRUE(result.converged);
  EXPECT_EQ(result.iterations, 0);
  EXPECT_EQ(result.relative_residual, 0);
}

TEST(ConjugateGradients, ASecondSolveAllocatesNothingOnTheSpace) {
  auto const A = oracle::laplace(20, 20, 20);
  System system(A, oracle::random_vector(A.rows, 5));
  auto const diagonal = std::vector<double>(A.rows, 1.0 / 6);
  system.precondition(diagonal);
  auto const first = system.solve();
  EXPECT_GE(system.workspace.bytes(), 5 * system.x.size() * sizeof(double));
  core::reset_peak(Host{});
  auto const before = core::memory_use(Host{}).peak;
  auto const solution = system.x;
  std::fill(system.x.begin(), system.x.end(), 0.0);
  auto const second = system.solve();
  EXPECT_EQ(core::memory_use(Host{}).peak, before);
  EXPECT_EQ(second.history, first.history);
  EXPECT_EQ(system.x, solution);
}

TEST(ConjugateGradients, AWorkspaceServesOtherSizesAndPreconditioners) {
  krylov::Workspace<Host> shared;
  for (Index const n : {50, 7, 200}) {
    for (bool const preconditioned : {false, true}) {
      auto const A = oracle::random_spd(n, 4, n);
      auto const b = oracle::random_vector(n, 1);
      System system(A, b);
      if (preconditioned) system.precondition(std::vector<double>(n, 0.5));
      std::swap(shared, system.workspace);
      EXPECT_TRUE(system.solve(with(false, 1e-12)).converged);
      EXPECT_LE(oracle::largest_difference(system.whole_x(), oracle::solve(oracle::to_dense(A.view()), b)),
                1e-11);
      std::swap(shared, system.workspace);
    }
  }
}

TEST(ConjugateGradients, GoesOnAfterAPreconditionerThatThrew) {
  auto const A = oracle::laplace(20, 20);
  System system(A, oracle::random_vector(A.rows, 5));
  int calls = 0;
  system.M.apply = [&](Span<double const> r, Span<double> z) {
    if (++calls == 3) throw std::runtime_error("third time");
    std::copy(r.begin(), r.end(), z.begin());
  };
  EXPECT_THROW(system.solve(), std::runtime_error);
  std::fill(system.x.begin(), system.x.end(), 0.0);
  EXPECT_TRUE(system.solve().converged);
}

TEST(ConjugateGradients, ReplaysNoGraphOnTheHost) {
  System system(oracle::laplace(9), std::vector<double>(9, 1.0));
  system.M.capturable = true;
  EXPECT_FALSE(system.solve().graph);
}

TEST(ConjugateGradients, RefusesVectorsOfOtherSizesOnEveryRank) {
  System system(oracle::laplace(40), std::vector<double>(40, 1.0));
  if (system.rows.comm().rank() == 0) system.b.push_back(1.0);
  EXPECT_THROW(system.solve(), core::InvalidInput);
}

TEST(ConjugateGradients, RefusesParametersWithoutSense) {
  System system(oracle::laplace(4), std::vector<double>(4, 1.0));
  auto const refused = [&](auto const& change) {
    Parameters parameters;
    change(parameters);
    EXPECT_THROW(system.solve(parameters), core::InvalidInput);
  };
  refused([](Parameters& p) { p.tolerance = -1e-8; });
  refused([](Parameters& p) { p.tolerance = std::nan(""); });
  refused([](Parameters& p) { p.max_iterations = -1; });
  refused([](Parameters& p) { p.max_replacements = -1; });
  refused([](Parameters& p) { p.check_lag = 0; });
  refused([](Parameters& p) { p.check_lag = 33; });
}

}  // namespace
}  // namespace Tessera::test
