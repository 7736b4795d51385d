#include "multigrid/smoother.hpp"

#include <gtest/gtest.h>

#include "core/parallel.hpp"
#include "multigrid/systems.hpp"
#include "oracle/generators.hpp"

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
  void check(SmootherParameters const& parameters, bool from_zero) {
    double const rho = 1.9;
    Smoother<double, Host> const smoother(Host{}, A, diagonal.view(), rho, parameters);
    comm::DistMatrix<double, Host> const stored(Host{}, A, {});
    Workspace<double, Host> work(Host{}, A.local.rows);
    auto const b = oracle::random_vector(35, 1), start = oracle::random_vector(35, 2);
    for (Index i = 0; i < A.local.rows; ++i) {
      work.b[i] = b[A.rows.begin() + i];
      work.x[i] = from_zero ? std::nan("") : start[A.rows.begin() + i];
    }
    smoother.smooth(Host{}, stored, work, from_zero);

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
