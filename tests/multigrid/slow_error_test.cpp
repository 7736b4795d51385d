#include "multigrid/slow_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "multigrid/systems.hpp"

namespace Tessera::multigrid {
namespace {

using Vector = std::vector<double>;

comm::DistCsr<double, Host> shared(sparse::Csr<double, Host> const& whole) {
  return test::distribute(whole, test::share(test::world(), whole.rows, false));
}

SlowError<Host> slow_error(comm::DistCsr<double, Host> const& A, Array<VertexId, Host> const& ids,
                           NearNullspace const& nullspace = {}) {
  return {Host{}, A, ids.view(), nullspace, 1};
}

/// Jacobi of a matrix with 2 everywhere on its diagonal, damped by one half.
void halved_jacobi(Span<double const> r, Span<double> x) {
  for (std::size_t i = 0; i < r.size(); ++i) x[i] = r[i] / 4;
}

// The path's modes are sin(pi k i / 10), whose factors are 1 - (1 - cos(pi k / 10)) / 2: (1 + cos) / 2.
TEST(SlowError, IsTheModeOfTheLargestFactor) {
  auto const A = shared(oracle::laplace(9));
  auto const ids = test::node_ids_on(Host{}, A.rows);
  auto slow = slow_error(A, ids);
  double const factor = (1 + std::cos(M_PI / 10)) / 2;
  double before = 0;
  for (int const sweeps : {1, 2, 5, 20, 500}) {
    double const rate = slow.measure(sweeps, halved_jacobi);
    EXPECT_GT(rate, before);
    EXPECT_LE(rate, factor + 1e-12);
    before = rate;
  }
  EXPECT_NEAR(before, factor, 1e-12);
  Vector mode;
  for (auto i = A.rows.begin(); i < A.rows.end(); ++i)
    mode.push_back(std::sin(M_PI * static_cast<double>(i + 1) / 10));
  double const norm = std::sqrt(test::dot(A.rows.comm(), mode, test::times(A, mode)));
  double const sign = A.rows.comm().sum(slow.vector().size() > 0 ? slow.vector()[0] : 0.0) > 0 ? 1 : -1;
  Vector const w(slow.vector().begin(), slow.vector().end());
  double const norm_of_w = std::sqrt(test::dot(A.rows.comm(), w, test::times(A, w)));
  EXPECT_GE(norm_of_w, 1 - 1e-12);
  EXPECT_LE(norm_of_w, 2);
  for (std::size_t i = 0; i < mode.size(); ++i) EXPECT_NEAR(w[i] / norm_of_w, sign * mode[i] / norm, 1e-10);
}

TEST(SlowError, HasNoShareOfANullspaceThatIsKnown) {
  auto const A = shared(oracle::neumann_laplace(8, 7));
  auto const ids = test::node_ids_on(Host{}, A.rows);
  auto slow = slow_error(A, ids);
  EXPECT_LT(slow.measure(300,
                         [](Span<double const> r, Span<double> x) {
                           for (std::size_t i = 0; i < r.size(); ++i) x[i] = r[i] / 8;
                         }),
            0.99);
  Vector const w(slow.vector().begin(), slow.vector().end());
  EXPECT_NEAR(test::dot(A.rows.comm(), w, Vector(w.size(), 1.0)), 0, 1e-10);
  EXPECT_GT(test::dot(A.rows.comm(), w, test::times(A, w)), 0.99);
}

/// The same matrix twice, with nothing between.
sparse::Csr<double, Host> twice(sparse::Csr<double, Host> const& A) {
  std::vector<Offset> offsets{0};
  std::vector<Index> columns;
  std::vector<double> values;
  for (Index part = 0; part < 2; ++part) {
    for (Index i = 0; i < A.rows; ++i) {
      for (auto k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
        columns.push_back(part * A.rows + A.column[k]);
        values.push_back(A.value[k]);
      }
      offsets.push_back(static_cast<Offset>(columns.size()));
    }
  }
  return oracle::make_csr(2 * A.rows, 2 * A.rows, offsets, columns, values);
}

// A vector of 1 on one component and -1 on the other is an unknown nullspace vector.
TEST(SlowError, IsNotHiddenByANullspaceThatIsNotKnown) {
  auto const A = shared(twice(oracle::neumann_laplace(8, 7)));
  auto const ids = test::node_ids_on(Host{}, A.rows);
  auto slow = slow_error(A, ids);
  double const rate = slow.measure(300, [](Span<double const> r, Span<double> x) {
    for (std::size_t i = 0; i < r.size(); ++i) x[i] = r[i] / 8;
  });
  EXPECT_GT(rate, 0.97);
  EXPECT_FALSE(slow.reached_rounding());
  Vector const w(slow.vector().begin(), slow.vector().end());
  Vector part(w.size());
  for (std::size_t i = 0; i < w.size(); ++i)
    part[i] = A.rows.begin() + static_cast<GlobalIndex>(i) < A.rows.global_size() / 2 ? 1 : -1;
  double const size = std::sqrt(test::dot(A.rows.comm(), w, w));
  EXPECT_LT(std::abs(test::dot(A.rows.comm(), w, part)), 1e-6 * size);
  EXPECT_GT(test::dot(A.rows.comm(), w, test::times(A, w)), 0.99);
}

TEST(SlowError, OfAnExactInverseIsNothing) {
  auto whole = oracle::laplace(9);
  for (Index i = 0; i < whole.rows; ++i)
    for (auto k = whole.offsets[i]; k < whole.offsets[i + 1]; ++k)
      whole.value[k] = whole.column[k] == i ? 4 : 0;
  auto const A = shared(whole);
  auto const ids = test::node_ids_on(Host{}, A.rows);
  auto slow = slow_error(A, ids);
  EXPECT_EQ(slow.measure(5, halved_jacobi), 0);
}

TEST(SlowError, ThatIsNotFiniteIsRefusedOnAllRanks) {
  auto const A = shared(oracle::laplace(9));
  auto const ids = test::node_ids_on(Host{}, A.rows);
  auto slow = slow_error(A, ids);
  bool const first = A.rows.comm().rank() == 0;
  EXPECT_THROW(slow.measure(5,
                            [&](Span<double const> r, Span<double> x) {
                              halved_jacobi(r, x);
                              if (first) x[0] = std::numeric_limits<double>::infinity();
                            }),
               core::NumericalError);
}

}  // namespace
}  // namespace Tessera::multigrid
