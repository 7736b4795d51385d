// Couplings that are so far apart that a cycle in float does not resolve the energy of what is tied by the
// weak ones.
#include <gtest/gtest.h>

#include <cmath>

#include "multigrid/levels/bootstrap.hpp"
#include "multigrid/systems.hpp"

namespace Tessera::multigrid {
namespace {

/// Differences on an n x n grid, held all around, with squares of 8 x 8 that conduct so much better.
comm::DistCsr<double, Host> squares(Index n, double better) {
  oracle::Dense A(n * n, n * n);
  auto const conductivity = [&](Index x, Index y) {
    return x >= 0 && y >= 0 && x < n && y < n && x / 8 % 2 == 1 && y / 8 % 2 == 1 ? better : 1.0;
  };
  constexpr Index to[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  for (Index y = 0; y < n; ++y) {
    for (Index x = 0; x < n; ++x) {
      for (auto const& [dx, dy] : to) {
        Index const u = x + dx, v = y + dy;
        double const a = conductivity(x, y), b = conductivity(u, v), weight = 2 * a * b / (a + b);
        A(x + n * y, x + n * y) += weight;
        if (u >= 0 && v >= 0 && u < n && v < n) A(x + n * y, u + n * v) = -weight;
      }
    }
  }
  return test::distribute(oracle::to_csr(A), test::share(test::world(), n * n, false));
}

Parameters unsmoothed(CycleType cycle) {
  Parameters p;
  p.coarsening = CoarseningType::unsmoothed;
  p.cycle = cycle;
  p.coarse_max_size = 20;
  return p;
}

Parameters bootstrap(int components) {
  Parameters p;
  p.aggregation.scheme = aggregation::AggregationScheme::matching;
  p.prolongator_damping = 1.6;
  p.coarse_max_size = 20;
  p.bootstrap = {components, 1e-3, 15};
  return p;
}

template <class T, template <class, class> class Operator = Hierarchy>
Operator<T, Host> make(comm::DistCsr<double, Host> const& A, Parameters const& p) {
  return {Host{}, A, test::node_ids_on(Host{}, A.rows), {}, p};
}

template <class Operator>
int iterations(comm::DistCsr<double, Host> const& A, Operator& M) {
  std::vector<double> wave, x;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i) wave.push_back(std::sin(static_cast<double>(i)));
  return test::conjugate_gradients(A, M, test::times(A, wave), x);
}

TEST(FarCouplings, WantDoubleForCyclesThatVisitLevelsTwice) {
  auto const near = squares(24, 1e4), far = squares(24, 1e8);
  for (auto const cycle : {CycleType::V, CycleType::W, CycleType::F, CycleType::K}) {
    auto const p = unsmoothed(cycle);
    EXPECT_EQ(make<float>(near, p).double_precision_reason(), "");
    EXPECT_EQ(make<double>(far, p).double_precision_reason(), "");
    auto const M = make<float>(far, p);
    bool const twice = cycle == CycleType::W || cycle == CycleType::F;
    EXPECT_EQ(!M.double_precision_reason().empty(), twice) << M.double_precision_reason();
  }
  auto p = unsmoothed(CycleType::V);
  p.applications = 2;
  EXPECT_NE(make<float>(far, p).double_precision_reason(), "");
  auto W = make<double>(far, unsmoothed(CycleType::W));
  EXPECT_LE(iterations(far, W), 40);
}

TEST(FarCouplings, WantDoubleForCompositions) {
  auto const far = squares(24, 1e8);
  EXPECT_NE((make<float, Bootstrap>(far, bootstrap(3)).double_precision_reason()), "");
  auto M = make<double, Bootstrap>(far, bootstrap(3));
  EXPECT_EQ(M.double_precision_reason(), "");
  EXPECT_LE(iterations(far, M), 15);
}

// Smoothers that amplify the upper half of the spectrum.
TEST(FarCouplings, AComponentThatDoesNotConvergeIsLeftOut) {
  auto const A = squares(24, 1);
  auto p = bootstrap(3);
  p.max_eigenvalue = 0.9;
  auto M = make<double, Bootstrap>(A, p);
  EXPECT_EQ(M.report().components.size(), 1u);
  ASSERT_EQ(M.warnings().size(), 1u);
  EXPECT_NE(M.warnings().front().find("component 2 of the bootstrap is left out"), std::string::npos);
  EXPECT_NE((make<float, Bootstrap>(A, p).double_precision_reason()), "");
}

/// Two copies of a matrix, side by side.
sparse::Csr<double, Host> two_of(sparse::Csr<double, Host> const& once) {
  auto const A = oracle::to_dense(once.view());
  oracle::Dense both(2 * A.rows, 2 * A.rows);
  for (Index i = 0; i < A.rows; ++i)
    for (Index j = 0; j < A.rows; ++j) both(i, j) = both(A.rows + i, A.rows + j) = A(i, j);
  return oracle::to_csr(both);
}

// No component reduces errors that are constant on each grid. They grow relative to the other errors.
TEST(FarCouplings, TwoGridsWithoutABoundaryAreComposedFor) {
  auto const whole = two_of(oracle::neumann_laplace(20, 20));
  auto const A = test::distribute(whole, test::share(test::world(), whole.rows));
  // In between, a component may be made for an error that is mostly constants, though not yet all: then it is
  // kept, and takes hundreds of iterations (docs/methods.md).
  for (int const sweeps : {5, 40}) {
    auto p = bootstrap(3);
    p.bootstrap.convergence_rate = 0.3;
    p.bootstrap.sweeps = sweeps;
    auto M = make<double, Bootstrap>(A, p);
    EXPECT_LE(iterations(A, M), 12) << sweeps;
    for (auto const& one : M.report().components) EXPECT_LT(one.convergence_rate, 0.9) << sweeps;
  }
}

}  // namespace
}  // namespace Tessera::multigrid
